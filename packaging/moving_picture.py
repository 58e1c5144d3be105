"""Records the moving picture of the README: `python packaging/moving_picture.py docs/images/search.webp`.

Every picture of it is the real search page in Chromium, over the sample vault in a home of its own; only the pace is
made up, so that nobody waits for a daemon. Needs `make setup`, Chromium and Node; Pillow comes with the extra `tray`.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import sample_vault
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
MOST_BYTES = 1_500_000
QUALITY = 74


def main() -> None:
    """Take the pictures and write them as one."""
    target = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        pictures = Path(folder) / "pictures"
        pictures.mkdir()
        take(Path(folder), pictures)
        write(target, sorted(pictures.glob("*.png")))
    size = target.stat().st_size
    print(f"{target}: {size / 1e6:.2f} MB")
    if size > MOST_BYTES:
        sys.exit(f"That is more than {MOST_BYTES / 1e6:.1f} MB.")


def take(root: Path, pictures: Path) -> None:
    """Run a daemon over the sample vault, and the browser over its page."""
    sample_vault.materialise(root / "Notes")
    (root / "home" / "config").mkdir(parents=True)
    (root / "home" / "config" / "settings.toml").write_text("port = 0\n", encoding="utf-8")
    environment = os.environ | {
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        "SCRUBJAY_HOME": str(root / "home"),
    }

    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "scrubjay.daemon", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    run("profile", "create", "Notes", "--vault", str(root / "Notes"), "--allow", ".", "--exclude", "Private")
    run("start")
    try:
        run("index", "--wait")
        address = run("open", "--print")
        command = ["node", "e2e/record.mjs", str(pictures)]
        subprocess.run(command, cwd=ROOT / "obsidian-plugin", input=address, text=True, check=True)
    finally:
        run("stop")


def write(target: Path, pictures: list[Path]) -> None:
    """One animated WebP, each picture as long as its name says (milliseconds), over and over again."""
    frames = [Image.open(picture).convert("RGB") for picture in pictures]
    lasting = [int(picture.stem.partition("-")[2]) for picture in pictures]
    frames[0].save(
        target,
        save_all=True,
        append_images=frames[1:],
        duration=lasting,
        loop=0,
        quality=QUALITY,
        method=6,
        minimize_size=True,
    )


if __name__ == "__main__":
    main()
