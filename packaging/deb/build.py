"""What `make deb` runs: a Debian package of the bundle, with a user service, manual page, completions and an icon.

/usr/lib/scrubjay/                 the bundle; /usr/bin/scrubjay points into it
/usr/lib/systemd/user/             scrubjay.service, which nobody's system starts until they say so
/usr/share/                        man page, completions, desktop file, icons, licence, changelog
"""

import gzip
import io
import os
import shutil
import subprocess
import sys
import tempfile
from email.utils import formatdate
from pathlib import Path

from scrubjay.daemon import __version__
from scrubjay.daemon.cli.machine.completion import script_of
from scrubjay.daemon.setup.services import systemd_unit
from scrubjay.daemon.setup.shell_scripts import Shell
from scrubjay.daemon.tray.picture import picture

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging" / "release"))
from third_party import NAME as THIRD_PARTY  # noqa: E402
from versions import source_date  # noqa: E402

BUNDLE = ROOT / "dist" / "bundle" / "scrubjay"
SCRIPTS = ("prerm", "postinst", "postrm")
_PROGRAM = "/usr/lib/scrubjay/scrubjay"
_MAINTAINER = "The Scrubjay authors <scrubjay@localhost>"
_COMPLETIONS: dict[Shell, str] = {
    "bash": "bash-completion/completions/scrubjay",
    "zsh": "zsh/vendor-completions/_scrubjay",
    "fish": "fish/vendor_completions.d/scrubjay.fish",
}


def main() -> None:
    """Build `dist/scrubjay_VERSION_ARCHITECTURE.deb` and say how big it is, packed and installed."""
    architecture = output("dpkg", "--print-architecture").strip()
    target = ROOT / "dist" / f"scrubjay_{__version__}_{architecture}.deb"
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        lay_out(tree, BUNDLE)
        installed = size_of(tree)
        write(tree / "DEBIAN" / "control", control(architecture, installed))
        add_scripts(tree)
        pack(tree, target)
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1e6:.1f} MB, installed {installed / 1e6:.1f} MB")


def lay_out(tree: Path, bundle: Path) -> None:
    """Everything that the package installs, below `tree`."""
    share = tree / "usr" / "share"
    library = tree / "usr" / "lib" / "scrubjay"
    shutil.copytree(bundle, library, symlinks=True)
    for file in library.rglob("*.so*"):
        if not file.is_symlink():
            file.chmod(0o644)  # a library is loaded, not run (Debian policy 10.2)
    (tree / "usr" / "bin").mkdir()
    (tree / "usr" / "bin" / "scrubjay").symlink_to("../lib/scrubjay/scrubjay")
    write(tree / "usr/lib/systemd/user/scrubjay.service", systemd_unit((_PROGRAM, "run"), {}))
    write_packed(share / "man/man1/scrubjay.1.gz", output(sys.executable, str(ROOT / "packaging/site/make_man.py")))
    for shell, place in _COMPLETIONS.items():
        write(share / place, script_of(shell))
    icons = share / "icons" / "hicolor"
    for source, place in (
        ("deb/scrubjay.desktop", share / "applications" / "scrubjay.desktop"),
        ("icons/scrubjay.svg", icons / "scalable" / "apps" / "scrubjay.svg"),
    ):
        write(place, (ROOT / "packaging" / source).read_text(encoding="utf-8"))
    drawn = io.BytesIO()
    picture("ready", 0).save(drawn, "PNG")
    icon = icons / "64x64" / "apps" / "scrubjay.png"
    icon.parent.mkdir(parents=True)
    icon.write_bytes(drawn.getvalue())
    documents = share / "doc" / "scrubjay"
    write(documents / "copyright", copyright_text())
    (library / "LICENSE").unlink()
    write_packed(documents / f"{THIRD_PARTY}.gz", (library / THIRD_PARTY).read_text(encoding="utf-8"))
    (library / THIRD_PARTY).unlink()
    write_packed(documents / "NEWS.gz", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    write_packed(documents / "changelog.gz", changelog(source_date()))


def control(architecture: str, installed: int) -> str:
    """The package's control file (deb-control(5))."""
    return f"""Package: scrubjay
Version: {__version__}
Architecture: {architecture}
Maintainer: {_MAINTAINER}
Installed-Size: {installed // 1024}
Depends: libc6, zlib1g
Recommends: gnome-keyring | kwalletmanager
Suggests: gir1.2-ayatanaappindicator3-0.1
Section: text
Priority: optional
Description: private search for Obsidian vaults
 A background daemon indexes the folders of your vaults that you allow,
 redacts credentials first, and answers searches by word and by meaning
 on this machine alone. Begin with "scrubjay setup".
"""


def add_scripts(tree: Path) -> None:
    """What dpkg runs before and after it takes files away or replaces them (deb-prerm(5) and its like)."""
    for name in SCRIPTS:
        script = tree / "DEBIAN" / name
        write(script, (ROOT / "packaging" / "deb" / name).read_text(encoding="utf-8"))
        script.chmod(0o755)


def changelog(made: int) -> str:
    """The package's own changelog (deb-changelog(5)); `made` is in seconds since 1970."""
    return f"""scrubjay ({__version__}) stable; urgency=medium

  * What is new for its users stands in NEWS.gz.

 -- {_MAINTAINER}  {formatdate(made)}
"""


def copyright_text() -> str:
    """Our licence, and where those of what is inside can be read."""
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    inside = f"Everything that Scrubjay carries, with the licence of each, is in {THIRD_PARTY}.gz beside this file."
    return f"{licence}\n{inside}\n"


def pack(tree: Path, target: Path) -> None:
    """Make the package; times in it are the last commit's, so that two builds are equal."""
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(source_date())}
    target.unlink(missing_ok=True)
    command = ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", str(tree), str(target)]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)


def size_of(tree: Path) -> int:
    """Bytes of all files."""
    return sum(file.lstat().st_size for file in tree.rglob("*") if not file.is_dir())


def write(file: Path, text: str) -> None:
    """A file that everybody may read, with its folders."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(0o644)


def write_packed(file: Path, text: str) -> None:
    """The same, by gzip without a time."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def output(*command: str) -> str:
    """What a program prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
