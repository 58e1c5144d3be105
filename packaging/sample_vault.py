"""The sample vault: some seventy notes to try a search on.

The notes lie in `packaging/sample_vault/`. Where one holds a credential it holds only a template, `{{fake:kind}}`, so
that nothing in the repository looks like a live secret. `materialise` writes the vault out with made-up credentials of
the right format in their place: the same ones on every machine, and good for nothing.
"""

import base64
import binascii
import json
import os
import re
import string
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from random import Random

SOURCE = Path(__file__).with_name("sample_vault")
MARKER = ".scrubjay-sample-vault"
EXCLUDED = ("Private",)  # what a profile of this vault is meant to leave out

TEMPLATE = re.compile(r"\{\{fake:([a-z-]+)\}\}")
DATE = re.compile(r"^date: (\d{4}-\d{2}-\d{2})$", re.MULTILINE)
DAILY_NOTE = re.compile(r"\d{4}-\d{2}-\d{2}")

ALNUM = string.ascii_letters + string.digits
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
UPPER = string.ascii_uppercase + string.digits


class TargetTaken(FileExistsError):
    """The target holds something that isn't a sample vault; nothing was written."""


def materialise(target: Path) -> None:
    """Write the sample vault to `target`, credentials filled in; what is there already stays as it is.

    A second run writes only the files that are missing, so a user's changes are safe. Every run writes the same
    bytes. A note's modification time is the day it says it was written, so that searches by date have sense.

    Raises TargetTaken when `target` is a file, or a folder with files in it that this function didn't write.
    """
    marker = target / MARKER
    if os.path.lexists(target) and not marker.is_file() and not _is_empty_folder(target):
        raise TargetTaken(f"{target} is in use and is not a sample vault. Move it away, or choose another folder.")
    target.mkdir(parents=True, exist_ok=True)
    marker.write_text("Scrubjay's sample vault. Files missing here are written anew by the next run.\n", "utf-8")
    for file in sorted(SOURCE.rglob("*")):
        copy = target / file.relative_to(SOURCE)
        if file.is_file() and not os.path.lexists(copy):
            _write(file, copy)


def fill(text: str) -> str:
    """`text` with each `{{fake:kind}}` replaced by the fake of that kind. Raises KeyError on an unknown kind."""
    return TEMPLATE.sub(lambda found: fake(found[1]), text)


def fake(kind: str) -> str:
    """The made-up credential of this kind: right in format, the same each time. Raises KeyError on an unknown kind."""
    return FAKES[kind](Random(f"scrubjay sample vault: {kind}"))


def _is_empty_folder(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())


def _write(file: Path, copy: Path) -> None:
    copy.parent.mkdir(parents=True, exist_ok=True)
    content = file.read_bytes()
    if file.suffix == ".md":
        content = fill(content.decode("utf-8")).encode("utf-8")
    unfinished = copy.with_name(f"{copy.name}.part")  # a run cut short must not leave half a note behind
    unfinished.write_bytes(content)
    day = _day_written(file)
    if day is not None:
        os.utime(unfinished, (day, day))
    unfinished.replace(copy)


def _day_written(file: Path) -> float | None:
    """Noon (UTC) of the day in a note's frontmatter, or in a daily note's name, as a Unix time in seconds."""
    if file.suffix != ".md":
        return None
    if DAILY_NOTE.fullmatch(file.stem):
        day = file.stem
    elif found := DATE.search(file.read_text("utf-8")):
        day = found[1]
    else:
        return None
    return datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC).timestamp()


def _pick(random: Random, alphabet: str, length: int) -> str:
    return "".join(random.choices(alphabet, k=length))


def _github_pat(random: Random) -> str:
    """A classic token: 30 random characters and their CRC-32 in base 62, as GitHub's format has it since 2021."""
    entropy = _pick(random, ALNUM, 30)
    checksum, rest = "", binascii.crc32(entropy.encode())
    for _ in range(6):
        rest, digit = divmod(rest, 62)
        checksum = BASE62[digit] + checksum
    return f"ghp_{entropy}{checksum}"


def _openai_key(random: Random) -> str:
    return f"sk-proj-{_pick(random, ALNUM, 74)}T3BlbkFJ{_pick(random, ALNUM, 74)}"


def _aws_access_key_id(random: Random) -> str:
    return f"AKIA{_pick(random, string.ascii_uppercase + '234567', 16)}"


def _aws_secret_access_key(random: Random) -> str:
    return base64.b64encode(random.randbytes(30)).decode()


def _stripe_secret_key(random: Random) -> str:
    return f"sk_live_{_pick(random, ALNUM, 24)}"


def _slack_webhook(random: Random) -> str:
    team, bot, token = _pick(random, UPPER, 10), _pick(random, UPPER, 10), _pick(random, ALNUM, 24)
    return f"https://hooks.slack.com/services/T{team}/B{bot}/{token}"


def _postgres_url(random: Random) -> str:
    return f"postgresql://atlas:{_pick(random, ALNUM, 20)}@db.quillwort.example:5432/atlas"


def _jwt(random: Random) -> str:
    header = json.dumps({"alg": "HS256", "typ": "JWT"}, separators=(",", ":"))
    claims = json.dumps({"sub": "survey-118", "iat": 1769817600, "exp": 1777593600}, separators=(",", ":"))
    parts = (header.encode(), claims.encode(), random.randbytes(32))
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


def _wifi_password(random: Random) -> str:
    return "-".join(_pick(random, ALNUM, 5) for _ in range(3))


def _private_key(random: Random) -> str:
    label = "OPENSSH PRIVATE KEY"
    body = base64.b64encode(b"openssh-key-v1\0" + random.randbytes(240)).decode()
    lines = (body[start : start + 70] for start in range(0, len(body), 70))
    return "\n".join((f"-----BEGIN {label}-----", *lines, f"-----END {label}-----"))


FAKES: Mapping[str, Callable[[Random], str]] = {
    "aws-access-key-id": _aws_access_key_id,
    "aws-secret-access-key": _aws_secret_access_key,
    "github-pat": _github_pat,
    "jwt": _jwt,
    "openai-key": _openai_key,
    "postgres-url": _postgres_url,
    "private-key": _private_key,
    "slack-webhook": _slack_webhook,
    "stripe-secret-key": _stripe_secret_key,
    "wifi-password": _wifi_password,
}
