#!/usr/bin/env bash
# The first five minutes of somebody new, on a fresh clone of this tree, with an empty home and an environment that holds nothing:
# build the wheel, install it where nothing else is, set up, search by word and by meaning, leave without a trace; then, in the
# clone, what the README says first: `make run` and `make test`. Prints how long each took.
#
#   packaging/first_five_minutes.sh               all of it
#   packaging/first_five_minutes.sh --no-tests    all but `make test`
#
# From the wheel to the first search may take three minutes; LIMIT=seconds sets another limit for a busy machine.
# Not covered: what a person has to decide. Needs Python 3.11, Node 20, make, git, and a package index for pip and npm.
set -euo pipefail

tree="$(cd "$(dirname "$0")/.." && pwd)"
place="$(mktemp -d)"
running=""
leave() {
	if [ -n "$running" ]; then kill -INT "$running" 2>/dev/null || true; fi
	rm -rf "$place"
}
trap leave EXIT
fail() { echo "FAILED: $1"; exit 1; }
clock() { echo "$((SECONDS - since)) s: $1"; since=$SECONDS; }
quietly() { "$@" >"$place/log" 2>&1 || { tail -40 "$place/log"; fail "$*"; }; }

# Nothing of this shell is handed on but where packages come from.
programs="$(dirname "$(python3 -c 'import sys; print(sys.executable)')"):$(dirname "$(command -v node)"):/usr/bin:/bin"
known=(HOME="$place/home" PATH="$programs" LANG=C.UTF-8 PIP_CACHE_DIR="$place/cache/pip" NPM_CONFIG_CACHE="$place/cache/npm")
for file in ~/.config/pip/pip.conf ~/.pip/pip.conf; do
	if [ -f "$file" ]; then known+=(PIP_CONFIG_FILE="$file"); fi
done
if [ -f ~/.npmrc ]; then known+=(NPM_CONFIG_USERCONFIG="$HOME/.npmrc"); fi
while IFS= read -r setting; do known+=("$setting"); done < <(
	env | grep -E '^(PIP_(INDEX_URL|EXTRA_INDEX_URL|FIND_LINKS|CERT|DEFAULT_TIMEOUT)|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS|(HTTPS?|NO)_PROXY|(https?|no)_proxy|CHROMIUM)=' || true
)
bare() { env -i "${known[@]}" "$@"; }
mkdir "$place/home" "$place/cache"
since=$SECONDS

git clone --quiet --depth 1 "file://$tree" "$place/scrubjay"
cd "$place/scrubjay"
quietly bare make setup
clock "a clone, and make setup"
quietly bare .venv/bin/python -m hatchling build --target wheel -d "$place"
bare .venv/bin/python -c "import sys; sys.path[:0] = ['packaging']; import pathlib, sample_vault; sample_vault.materialise(pathlib.Path(sys.argv[1]))" "$place/Notes"
clock "its wheel, and the sample notes"

# Keyring: there is none in this home, so the token goes into a file. Port: any free one, whoever else is listening.
scrubjay() {
	bare SCRUBJAY_HOME="$place/home/scrubjay" PYTHON_KEYRING_BACKEND=keyring.backends.fail.Keyring \
		"$place/bare/bin/scrubjay" "$@"
}
begun=$SECONDS
python3 -m venv "$place/bare"
quietly bare "$place/bare/bin/pip" install --disable-pip-version-check "$place"/scrubjay-*.whl
clock "the wheel installed where nothing else is"
mkdir -p "$place/home/scrubjay/config"
echo "port = 0" >"$place/home/scrubjay/config/settings.toml"
scrubjay setup --yes --vault "$place/Notes" --allow . --exclude Private --no-open --no-service
scrubjay search "peat depth" --limit 1 | tee "$place/found"
grep -q "Peat depth" "$place/found" || fail "the first search did not find the note about peat"
clock "set up, and the first search"
took=$((SECONDS - begun))
echo "From the wheel to the first search: $took s."
if [ "$took" -gt "${LIMIT:-180}" ]; then fail "that is more than ${LIMIT:-180} s"; fi

scrubjay index --wait 2>/dev/null
scrubjay search "how do I keep my trousers dry in the bog" --mode semantic --limit 3 | tee "$place/found"
grep -q "waders" "$place/found" || fail "the search by meaning did not find the note about waders"
clock "the first search by meaning"
scrubjay uninstall --purge --yes >/dev/null
left="$(find "$place/home" -mindepth 1)"
if [ -n "$left" ]; then fail "left behind: $left"; fi
clock "gone again, and nothing left behind"

bare make run PORT=0 >"$place/run.log" 2>&1 &
running=$!
trial() { bare SCRUBJAY_HOME="$PWD/.run" .venv/bin/scrubjay "$@"; }
for _ in $(seq 600); do
	if grep -q "can be found by word" "$place/run.log"; then break; fi
	kill -0 "$running" 2>/dev/null || { cat "$place/run.log"; fail "make run ended"; }
	sleep 0.2
done
grep "Search page:" "$place/run.log" || { cat "$place/run.log"; fail "make run told no address"; }
trial search "peat depth" --limit 1 >"$place/found"
grep -q "Peat depth" "$place/found" || fail "make run: the search did not find the note about peat"
trial stop >/dev/null
wait "$running" || fail "make run left with $?"
running=""
clock "make run"

if [ "${1:-}" = --no-tests ]; then echo "make test was left out."; exit 0; fi
bare make test 2>&1 | tee "$place/log" | tail -15
clock "make test"
