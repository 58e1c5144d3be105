"""Counts what a backtracking matcher does, so that tests can tell work from time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from scrubjay.credential_filter.rules.linear_regex import UNBOUNDED, Node, parse


def paths(regex: str, text: str, limit: int) -> int:
    """In how many ways a backtracking matcher can match the whole text; `limit` at most."""
    ends = (end for sequence in parse(regex).parts for end in _sequence(sequence, text, 0))
    return sum(1 for _ in islice((end for end in ends if end == len(text)), limit))


def _sequence(nodes: Sequence[Node], text: str, start: int) -> Iterator[int]:
    """Where a match of the nodes can end: each end as often as there are ways to reach it."""
    if not nodes:
        yield start
        return
    for middle in _node(nodes[0], text, start):
        yield from _sequence(nodes[1:], text, middle)


def _node(node: Node, text: str, start: int) -> Iterator[int]:
    ends = _ends(node, text, start)
    yield from islice(ends, 1) if node.safe else ends


def _ends(node: Node, text: str, start: int) -> Iterator[int]:
    if node.kind == "atom":
        if start < len(text) and text[start] in node.chars:
            yield start + 1
    elif node.kind == "look":
        yield start
    elif node.kind == "group":
        for sequence in node.parts:
            yield from _sequence(sequence, text, start)
    else:
        yield from _repeat(node, text, start, 0)


def _repeat(node: Node, text: str, start: int, done: int) -> Iterator[int]:
    (inner,) = node.parts[0]
    if done < min(node.most, UNBOUNDED):
        for end in _node(inner, text, start):
            if end > start:
                yield from _repeat(node, text, end, done + 1)
    if done >= node.least:
        yield start
