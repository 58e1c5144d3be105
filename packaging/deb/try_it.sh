#!/usr/bin/env bash
# Tries a Debian package as somebody would who has just got it: install, look around, search, leave, remove.
#
#   sudo packaging/deb/try_it.sh dist/scrubjay_0.1.0_amd64.deb
#
# It installs and removes the package on this very machine, and refuses where one is installed already.
set -euo pipefail

package="$(realpath "${1:?which package? packaging/deb/try_it.sh FILE.deb}")"
fail() { echo "FAILED: $1"; exit 1; }
if dpkg --status scrubjay >/dev/null 2>&1; then fail "scrubjay is installed here already"; fi
place="$(mktemp -d)"
home="$place/home"
mkdir "$home"
leave() {
	in_home scrubjay stop >/dev/null 2>&1 || true
	dpkg --purge scrubjay >/dev/null 2>&1 || true
	rm -rf "$place"
}
trap leave EXIT
# A home with a vault in it, and nothing of the environment of whoever runs this.
in_home() { (cd "$home" && env -i HOME="$home" PATH=/usr/bin:/bin LANG=C.UTF-8 PYTHON_KEYRING_BACKEND=keyring.backends.fail.Keyring "$@"); }

dpkg --install "$package" >/dev/null
dpkg --verify scrubjay
echo "installed: $(dpkg-query --show --showformat='${Package} ${Version}, ${Installed-Size} KiB' scrubjay)"
test "$(in_home scrubjay --version)" = "scrubjay, version $(dpkg-query --show --showformat='${Version}' scrubjay)"
gzip --test /usr/share/man/man1/scrubjay.1.gz
if command -v man >/dev/null; then
	warnings="$(LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z /usr/share/man/man1/scrubjay.1.gz 2>&1 >/dev/null)"
	if [ -n "$warnings" ]; then fail "the manual page: $warnings"; fi
fi
bash -n /usr/share/bash-completion/completions/scrubjay
in_home env _SCRUBJAY_COMPLETE=bash_complete COMP_WORDS="scrubjay cred" COMP_CWORD=1 scrubjay | grep -qx "plain,credentials" || fail "the completion of bash"
if command -v desktop-file-validate >/dev/null; then desktop-file-validate /usr/share/applications/scrubjay.desktop; fi
if command -v systemd-analyze >/dev/null; then XDG_RUNTIME_DIR="$place" systemd-analyze --user --man=no verify /usr/lib/systemd/user/scrubjay.service; fi
echo "manual page, completion, desktop file and unit are in order"

mkdir -p "$home/Notes/Harbour" "$home/.config/scrubjay"
printf '# Ferry\n\nThe boat to the island leaves at nine.\n' >"$home/Notes/Harbour/Ferry.md"
echo "port = 0" >"$home/.config/scrubjay/settings.toml"
in_home scrubjay setup --yes --vault Notes --allow Harbour --no-open --no-service
in_home scrubjay index --wait 2>/dev/null
in_home scrubjay search "when does the ship sail" --mode semantic | tee "$place/found"
grep -q Ferry "$place/found" || fail "the search found nothing"
in_home scrubjay uninstall --purge --yes >/dev/null
left="$(find "$home" -mindepth 1 -not -path "$home/Notes*" -not -path "$home/.config" -not -path "$home/.cache" \
	-not -path "$home/.local" -not -path "$home/.local/share" -not -path "$home/.local/state")"
if [ -n "$left" ]; then fail "left in the home: $left"; fi

dpkg --remove scrubjay >/dev/null
dpkg --purge scrubjay >/dev/null 2>&1 || true
for gone in /usr/bin/scrubjay /usr/lib/scrubjay /usr/share/doc/scrubjay /usr/lib/systemd/user/scrubjay.service; do
	if [ -e "$gone" ]; then fail "$gone is still there"; fi
done
echo "removed, and nothing left behind"
