"""What a user may set, in `settings.toml`; each with its bounds, its default and what it does."""

import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import tomli_w
from msgspec import Meta

from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.private_files import write_private
from scrubjay.profiles.search.types import Fusion

_LLM_TABLE = re.compile(r"^\s*\[\s*llm\s*\].*?(?=^\s*\[|\Z)", re.MULTILINE | re.DOTALL)


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bounds checked at the edges, so that no input can make the daemon slow, big or stuck."""

    query_characters: Annotated[int, Meta(ge=16, le=10_000, description="longest query that is accepted")] = 2_000
    results: Annotated[int, Meta(ge=10, le=1_000, description="most results one search may ask for")] = 100
    body_bytes: Annotated[int, Meta(ge=1_024, le=16_000_000, description="largest request body")] = 65_536
    note_bytes: Annotated[int, Meta(ge=1_000, le=100_000_000, description="largest note that is read")] = 5_000_000
    notes_per_profile: Annotated[int, Meta(ge=1, le=1_000_000, description="most notes one profile holds")] = 200_000
    chunks_per_note: Annotated[int, Meta(ge=1, le=100_000, description="most chunks kept of one note")] = 20_000
    concurrent_searches: Annotated[int, Meta(ge=1, le=256, description="searches at once; more wait their turn")] = 16


class Llm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The user's own language model, which may write answers. Without `url` nothing is sent to any."""

    url: Annotated[
        str, Meta(max_length=500, description="OpenAI-compatible server, such as http://127.0.0.1:11434/v1")
    ] = ""
    model: Annotated[str, Meta(max_length=200, description="the model's name there")] = ""
    allow_host: Annotated[
        str, Meta(max_length=253, description="a host other than this computer that passages may be sent to")
    ] = ""
    key: Annotated[bool, Meta(description="the keyring has an API key for this server")] = False
    seconds: Annotated[int, Meta(ge=5, le=600, description="longest time one answer may take")] = 120


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in `settings.toml`. A missing file or key means the default."""

    port: Annotated[int, Meta(ge=0, le=65_535, description="port on 127.0.0.1; 0 = any free one")] = 8_642
    speed: Annotated[
        Literal["gentle", "full"], Meta(description="gentle: indexing takes half the cores; full: all of them")
    ] = "gentle"
    embedding_threads: Annotated[int, Meta(ge=0, le=64, description="while indexing; 0 = as `speed` says")] = 0
    battery_percent: Annotated[
        int, Meta(ge=0, le=100, description="on battery below this, indexing waits; 0 = it never does")
    ] = 30
    model_idle_minutes: Annotated[
        float, Meta(ge=0.1, le=1_440, description="unused this long, the model is put away")
    ] = 2
    reconcile_minutes: Annotated[float, Meta(ge=1, le=1_440, description="between full comparisons with the disk")] = 15
    slow_search_ms: Annotated[float, Meta(ge=1, le=60_000, description="longer searches are listed as slow")] = 500
    note_seconds: Annotated[
        float, Meta(ge=1, le=600, description="a note that takes longer to take apart is left out")
    ] = 20
    require_box: Annotated[
        bool, Meta(description="files beside notes are left out where the box for them lacks a protection")
    ] = False
    fold_near_copies: Annotated[bool, Meta(description="search shows notes that say nearly the same as one result")] = (
        True
    )
    fusion: Annotated[
        Fusion, Meta(description="how search makes one ranking of words and meaning: convex by scores, rrf by ranks")
    ] = "convex"
    quick_search_key: Annotated[
        str, Meta(max_length=40, description='key that opens the quick search while the tray is shown; "" = none')
    ] = "ctrl+alt+j"
    limits: Limits = Limits()
    llm: Llm = Llm()


def load_settings(path: Path) -> Settings:
    """The settings in the file at `path`; all defaults where there is none.

    Raises UsageError naming the file and the key where a name or value can't be accepted.
    """
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Settings)
    except FileNotFoundError:
        return Settings()
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path.name} in {path.parent}: {error}. Mend the line, or remove it to get the default."
        ) from None


def save_llm(path: Path, llm: Llm) -> None:
    """Put another `[llm]` table into the settings file, and leave every other line as it is.

    Raises UsageError where the file can't be read, or says these things in another form.
    """
    before = load_settings(path)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    values = {name: value for name, value in msgspec.to_builtins(llm).items() if value != getattr(Llm(), name)}
    table = tomli_w.dumps({"llm": values}) if values else ""
    tables = [each for each in (_LLM_TABLE.sub("", text).strip(), table.strip()) if each]
    after = "\n\n".join(tables) + ("\n" if tables else "")
    try:
        is_right = msgspec.toml.decode(after, type=Settings) == msgspec.structs.replace(before, llm=llm)
    except msgspec.MsgspecError:
        is_right = False
    if not is_right:
        raise UsageError(f"{path.name} in {path.parent} can't be changed by this command: change [llm] there by hand.")
    write_private(path, after.encode())
