"""The page of the settings, from the table that they are checked against (`daemon/settings.py`)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from scrubjay.daemon.settings import Settings


@dataclass(frozen=True, slots=True)
class Row:
    """A setting."""

    name: str
    default: str
    bounds: str
    about: str


def rows() -> tuple[Row, ...]:
    """Every setting, those of a table with its name before them."""
    return tuple(_rows(Settings, ""))


def as_markdown(settings: tuple[Row, ...]) -> str:
    """The page of the configuration."""
    table = "\n".join(f"| `{row.name}` | {row.default} | {row.bounds} | {row.about} |" for row in settings)
    return f"""# Configuration

Scrubjay works without a line of configuration. What you want otherwise goes into `settings.toml`, in the folder that
`scrubjay doctor` names for settings (on Linux `~/.config/scrubjay`). A name or value that can't be accepted is refused
with its line, never ignored. Most changes are taken up while the daemon runs.

```toml
speed = "full"

[limits]
results = 200
```

Names with a dot are keys of a table: `limits.results` is `results` below `[limits]`.

| setting | default | accepted | what it is |
| --- | --- | --- | --- |
{table}

What may be read, encryption and federation belong to a profile: see [profiles](../profiles.md) and `scrubjay profile`.

## The environment

| variable | what it does |
| --- | --- |
| `SCRUBJAY_HOME` | keeps everything below this one folder: for portable installations and tests |
| `SCRUBJAY_TOKEN` | the token that `scrubjay mcp` uses, in place of your own |
"""


def _rows(table: type[msgspec.Struct], before: str) -> Iterator[Row]:
    information: Any = msgspec.inspect.type_info(table)
    for field in information.fields:
        kind = field.type
        if isinstance(kind, msgspec.inspect.StructType):
            yield from _rows(kind.cls, f"{before}{field.encode_name}.")
            continue
        about, kind = _noted(kind)
        default = "none" if field.default is msgspec.NODEFAULT else f"`{msgspec.json.encode(field.default).decode()}`"
        yield Row(f"{before}{field.encode_name}", default, _bounds(kind), about)


def _noted(kind: Any) -> tuple[str, Any]:
    """What the metadata of a type says of it, and the type itself."""
    noted: Any = getattr(kind, "extra_json_schema", None)
    return (noted["description"], kind.type) if noted else ("", kind)


def _bounds(kind: Any) -> str:
    if isinstance(kind, msgspec.inspect.LiteralType):
        return " or ".join(f"`{value}`" for value in kind.values)
    low, high = getattr(kind, "ge", None), getattr(kind, "le", None)
    whole = "whole " if isinstance(kind, msgspec.inspect.IntType) else ""
    return f"{whole}{low:,} to {high:,}" if low is not None and high is not None else type(kind).__name__
