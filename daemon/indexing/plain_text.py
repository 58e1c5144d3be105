"""What the model reads of a passage: its words, without the Markdown around them.

Addresses of links, rules of tables and marks of emphasis say nothing about the meaning, yet they are a quarter of the
tokens of technical notes and more than half of those of a collection of bookmarks. Without them more fits the window.
"""

import re

from scrubjay.daemon.markdown.links import ADDRESS, WIKI

# Each alternative begins with a plain character, so that the regex engine skips all other text at full speed.
_LINK_OR_RULE = re.compile(
    rf"{WIKI}|\[([^\[\]\n]*)\]\((?:<[^<>\n]*>|{ADDRESS})(?: \"[^\"\n]*\")?\)"
    r"|----+|====+|____+"
)


def plain_text(markdown: str) -> str:
    """The passage as the model reads it; tokens are counted on this too.

    Links become their text, rules three characters, and marks of strong emphasis and code vanish. Not for keeping:
    without what stood between them, parts may form a credential that the filter did not see.
    """
    bare = markdown.replace("**", "").replace("`", "").replace("\\_", "_")
    if "](" in bare or "[[" in bare or "---" in bare or "===" in bare or "___" in bare:
        return _LINK_OR_RULE.sub(_shown_text, bare)
    return bare


def _shown_text(match: re.Match[str]) -> str:
    wiki, text = match.groups()
    if wiki is not None:
        return wiki
    return match[0][:3] if text is None else text
