"""Statements as PostgreSQL takes them: as SQLite does, but for how values are marked and planners are advised."""

import re
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(
    r"""
    (?P<kept>'[^']*'|"[^"]*"|--[^\n]*|/\*[\s\S]*?\*/)  # texts, names and comments
    | \?(?P<number>[0-9]+)            # the value of this number, or
    | (?P<next>\?)                    # the next one, or
    | (?<![:\w]):(?P<key>[a-z_]\w*)   # the one of this name
    | \s+INDEXED\s+BY\s+(?P<index>\w+)
    | CROSS\s+JOIN(?=\s+\w+(?:\s+INDEXED\s+BY\s+\w+)?(?:\s+AS\s+\w+)?\s+ON\b) (?P<join>)
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with `$1`, `$2`… for its values.

    names: where values are given by name, the name of each, in the order of the numbers; empty where they are in order.
    """

    text: str
    names: tuple[str, ...]


@lru_cache(maxsize=1024)
def statement(sql: str) -> Statement:
    """The statement that PostgreSQL gets for one that is written for both engines.

    `?`, `?2` and `:name` mark values. What advises SQLite's planner alone (`INDEXED BY`, and `CROSS JOIN … ON` for an
    order of tables) is left out.
    """
    count = 0
    names: dict[str, int] = {}

    def written(match: re.Match[str]) -> str:
        nonlocal count
        if match["kept"]:
            return match[0]
        if match["number"]:
            return f"${match['number']}"
        if match["next"]:
            count += 1
            return f"${count}"
        if match["key"]:
            return f"${names.setdefault(match['key'], len(names) + 1)}"
        return "" if match["index"] else "JOIN"

    return Statement(_TOKEN.sub(written, sql), tuple(names))
