"""Where running text stands in a note's body, as apart from links, code, addresses and other marks."""

import re
from itertools import chain

from scrubjay.daemon.markdown.links import SCHEME
from scrubjay.daemon.markdown.markup import marked_stretches

NOT_PROSE = "\0"
"""Stands for each code point that is no running text."""

# One set at the front, so that the regex engine hops from one such character to the next.
_MARK = re.compile(
    rf"""
    (?<![\w]){SCHEME}[^\s<>]++                                     # an address
  | (?<![\w.+-])[\w.+-]{1, 64}+@[\w-]++(?:\.[\w-]++)++                             # a mail address
  | www\.[^\s<>]++
  | <[/!A-Za-z][^<>\n]{{0,500}}>                                   # a tag of HTML
  | \[[\^!][^\[\]\n]{{1,80}}\]                                     # a footnote's number, a callout's kind
  | ^[ ]{{0,3}}\[[^\[\]\n]{{1,300}}\]:[^\n]*                       # where a reference leads
  | !?\[\[[^\[\]\n]{{0,300}}                                       # a link that was cut off
  | %%[^%]{{0,2000}}%%                                             # a comment
  | [ \t]\^[A-Za-z0-9-]{{1,40}}[ \t]*$                             # a block's name
  | ^[ \t>*+-]{{0,20}}[^\s:\[\]()|][^:\n\[\]()|]{{0,60}}::(?!:)    # a field's name
  | \[REDACTED:[a-z0-9-]{{1,80}}\]
    """,
    re.VERBOSE | re.MULTILINE,
)


def only_prose(body: str) -> str:
    """`body` with `NOT_PROSE` for each code point that is no running text; of the same length, on the same lines."""
    letters = list(body)
    for start, end in chain(marked_stretches(body), map(re.Match[str].span, _MARK.finditer(body))):
        letters[start:end] = [letter if letter == "\n" else NOT_PROSE for letter in letters[start:end]]
    return "".join(letters)
