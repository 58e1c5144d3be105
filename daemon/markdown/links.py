"""The shapes of links, each written once; patterns to be put into larger ones.

None has two unbounded parts that can match the same text, so that time is linear.
"""

import re

WIKI = r"\[\[(?:[^\[\]\n|]*\|)?([^\[\]\n]*)\]\]"
"""[[target]] or [[target|text]]. Its group is what is read of it."""

ADDRESS = r"[^\s()<>]*+(?:\([^\s()<>]*+\)[^\s()<>]*+)*+"
"""Of [text](address), with parentheses one deep."""

SCHEME = r"(?:[A-Za-z][A-Za-z0-9+.-]*:|//)"
"""The beginning of an address that leads out of the vault."""

UNSEEN = (
    r"!?\[\[(?:[^\[\]|\n]{1,300}\|)?|\]\]"  # [[target|text]]
    r"|!?\[(?=[^\[\]\n]{0,300}\]\()"  # [text](address 'title')
    r"|\]\((?:[^()\s]|\([^()\s]{0,99}\)){0,600}(?:[ \t]+[\"'][^\"'\n]{0,300}[\"'])?\)"
)
"""What a reader does not see of a link, of which the stretch may hold a part only. Without groups."""

_ALONE = re.compile(r"\s*\[\[([^\[\]]+)\]\]\s*")


def target_alone(text: str) -> str | None:
    """The target of the wiki link that `text` is; None where it is anything else."""
    match = _ALONE.fullmatch(text)
    return match[1].partition("|")[0] if match else None
