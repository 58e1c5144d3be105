"""A package for the Arch user repository, from the Debian package's files: `scrubjay-bin`."""

from published import SUMMARY, Published

_DEPENDS = ("glibc", "zlib")


def pkgbuild(release: Published) -> str:
    """PKGBUILD(5)."""
    return f"""# Maintainer: The Scrubjay authors
pkgname=scrubjay-bin
pkgver={release.version}
pkgrel=1
pkgdesc="{SUMMARY}"
arch=('x86_64')
url="{release.page}"
license=('MIT' 'Apache-2.0')
depends=({_quoted(_DEPENDS)})
optdepends=('gnome-keyring: keeps tokens and keys'
            'kwallet: keeps tokens and keys'
            'libayatana-appindicator: the icon in the system tray')
provides=('scrubjay')
conflicts=('scrubjay')
options=('!strip')
source=("{release.url(release.debian)}")
noextract=("{release.debian}")
sha256sums=('{release.sums[release.debian]}')

package() {{
  bsdtar -xOf "{release.debian}" data.tar.xz | bsdtar -xJf - -C "$pkgdir"
  install -d "$pkgdir/usr/share/licenses"
  mv "$pkgdir/usr/share/doc/scrubjay" "$pkgdir/usr/share/licenses/$pkgname"
  mv "$pkgdir/usr/share/zsh/vendor-completions" "$pkgdir/usr/share/zsh/site-functions"
  mv "$pkgdir/usr/share/fish/vendor_completions.d" "$pkgdir/usr/share/fish/completions"
}}
"""


def source_info(release: Published) -> str:
    """.SRCINFO, as `makepkg --printsrcinfo` writes it."""
    fields = (
        ("pkgdesc", SUMMARY),
        ("pkgver", release.version),
        ("pkgrel", "1"),
        ("url", release.page),
        ("arch", "x86_64"),
        ("license", "MIT"),
        ("license", "Apache-2.0"),
        *(("depends", name) for name in _DEPENDS),
        ("optdepends", "gnome-keyring: keeps tokens and keys"),
        ("optdepends", "kwallet: keeps tokens and keys"),
        ("optdepends", "libayatana-appindicator: the icon in the system tray"),
        ("provides", "scrubjay"),
        ("conflicts", "scrubjay"),
        ("noextract", release.debian),
        ("options", "!strip"),
        ("source", release.url(release.debian)),
        ("sha256sums", release.sums[release.debian]),
    )
    told = "".join(f"\t{name} = {value}\n" for name, value in fields)
    return f"pkgbase = scrubjay-bin\n{told}\npkgname = scrubjay-bin\n"


def _quoted(names: tuple[str, ...]) -> str:
    return " ".join(f"'{name}'" for name in names)
