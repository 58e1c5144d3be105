#!/usr/bin/env bash
# The first five minutes of somebody new, on a copy of this tree in a folder and a home of their own: build the wheel, install it
# where nothing else is, set up, search by word and by meaning, leave without a trace. Prints how long each took.
# Not covered: what a person has to decide. Needs Python 3.11, Node 20, make, git, and a package index for pip and npm.
set -euo pipefail

tree="$(cd "$(dirname "$0")/.." && pwd)"
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
clock() { echo "$((SECONDS - since)) s: $1"; since=$SECONDS; }
since=$SECONDS

git clone --quiet --depth 1 "file://$tree" "$place/scrubjay"
cd "$place/scrubjay"
make setup >"$place/log" 2>&1 || { tail -30 "$place/log"; exit 1; }
.venv/bin/python -m hatchling build --target wheel -d "$place" >>"$place/log" 2>&1
.venv/bin/python -c "import sys; sys.path[:0] = ['packaging']; import pathlib, sample_vault; sample_vault.materialise(pathlib.Path(sys.argv[1]))" "$place/Notes"
clock "a clone, set up, and its wheel"

python3 -m venv "$place/bare"
"$place/bare/bin/pip" install --quiet --disable-pip-version-check "$place"/scrubjay-*.whl 2>>"$place/log"
clock "the wheel installed where nothing else is"

export HOME="$place/home" SCRUBJAY_HOME="$place/home/scrubjay" PYTHON_KEYRING_BACKEND=keyring.backends.fail.Keyring
export PATH="$place/bare/bin:/usr/bin:/bin"
mkdir -p "$SCRUBJAY_HOME/config"
echo "port = 0" >"$SCRUBJAY_HOME/config/settings.toml"
cd "$HOME"
scrubjay setup --yes --vault "$place/Notes" --allow . --exclude Private --no-open --no-service
for _ in $(seq 60); do  # the notes are being read
	scrubjay search "peat depth" --limit 1 2>/dev/null && break
	sleep 0.5
done
clock "set up, and the first search by word"
scrubjay index --wait
scrubjay search "how do I keep my trousers dry in the bog" --mode semantic | head -4
clock "the first search by meaning"
scrubjay uninstall --purge --yes >/dev/null
test -z "$(find "$HOME" -type f)" || { echo "left behind:"; find "$HOME" -type f; exit 1; }
echo "Nothing is left behind."
