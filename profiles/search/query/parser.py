"""The query language: text in, a typed tree and warnings out. `docs/searching.md` teaches it.

    expression := conjunction ("OR" conjunction)*
    conjunction := part+
    part := "-"? ( "(" expression ")" | "phrase" | [property] | [property:value] | operator:value | #tag | word )

Nothing is an error: what can't be read as written is searched as plain words, and a warning says so.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from scrubjay.profiles.search.query.hints import query_hints
from scrubjay.profiles.search.query.operators import (
    CONDITIONS,
    PARTS,
    READ_AS_OPERATORS,
    SORTS,
    UNSUPPORTED,
    part_condition,
    property_condition,
    whole_word_pattern,
)
from scrubjay.profiles.search.query.plain_dates import date_hints
from scrubjay.profiles.search.query.query_tree import (
    Either,
    Every,
    Exclude,
    InProfile,
    Node,
    Phrase,
    Query,
    QueryWarning,
    Span,
    WarningCode,
    Where,
    Word,
)
from scrubjay.profiles.search.words.spellings import DIRECTIONS, without_unseen
from scrubjay.profiles.store.filters import HasTag


def parse_query(text: str, now: datetime) -> Query:
    """Parse what a person typed. `now` (aware) gives `today` and `7d` their meaning. Never raises; linear in `text`."""
    return _Parser(_AROUND_WORDS.sub(" ", text.translate(_HALVES)), now).parse()


_MAX_DEPTH = 20
# What one query may make a search look up. A long question pasted whole has fewer words; nobody types more of the rest.
_MOST_WORDS = 128
_MOST_PHRASES = 16
_MOST_PHRASE_WORDS = 32
_MOST_PHRASE_LENGTH = 400  # characters, of which words without spaces have as many as they like
_MOST_PARTS = 8  # `line:` and its like, which read the texts of notes
_MOST_IN_A_PART = 16
_HALVES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
"""Of characters that take two in UTF-16, a half alone: nothing that is stored has one, nor can be compared with it."""
_AROUND_WORDS = re.compile(rf"(?<![\w:=-])[{DIRECTIONS}]|[{DIRECTIONS}](?!\w)")
"""Marks of direction that came along when something was copied; offsets stay what they are."""
_QUOTES = str.maketrans("“”„‟", '""""')
_OPERATOR = re.compile(r"([A-Za-z][A-Za-z-]*):")
_PROPERTY = re.compile(r'\[("[^"\n]*"|[^\[\]:"\n]+)(?::([^\[\]\n]*))?\](?=[\s)]|$)')
_OPEN_PROPERTY = re.compile(r'\[(?:"|[^\W_])[^\[\]\n]*(?:[\n\[]|$)')
_TAG = re.compile(r"#([\w/\-]*[^\W\d][\w/\-]*)(?=[\s)]|$)")
_CALL = re.compile(r"\w+\((?![^()]*\bOR\b)[^():\"\s]+(?: [^():\"\s]+){1,5}\)(?=[\s)]|$)")
_CONNECTIVE = re.compile(r"(OR|AND)(?=[\s(]|$)")
_LETTER = "[^\\W\\d_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\ud7af\U00020000-\U0003ffff]"
"""Of a script with spaces between its words."""
_IN_ABBREVIATION = f'(?<={_LETTER})"(?={_LETTER})'
"""A mark between two letters, as in Hebrew abbreviations, begins and ends no phrase."""
_BARE_QUOTE = re.compile(rf'(?<!\\)(?!{_IN_ABBREVIATION})"')
_IN_RUN = re.compile(_IN_ABBREVIATION)
_REGEX = re.compile(r"/(?=.*[\[\]()|*+?^$\\{}]).+/[a-z]*")
"""What stands between slashes and is no path."""
_BAD_VALUE: Mapping[str, WarningCode] = {"lang": "bad-language", "kind": "bad-kind"}
_TIMES = ("modified", "created")
_SPACED = re.compile(r'[^\s()"]+(?:[ \t]+[^\s()"]+){1,3}')
"""As many words as a time has at the most, without what quotation marks or parentheses say of them."""
_QUOTED = re.compile(r'"[^"]*"|/(?:[^/\\\n]|\\.)+/')
_ESCAPED_QUOTE = '\\"'


class _Parser:
    """One pass over the text; `_pos` is where it stands, `_depth` how many parentheses are open."""

    def __init__(self, text: str, now: datetime) -> None:
        self._raw = text
        self._text = text.translate(_QUOTES)
        self._now = now
        self._pos = 0
        self._depth = 0
        self._bare_quotes = [quote.start() for quote in _BARE_QUOTE.finditer(self._text)]
        self._warnings: list[QueryWarning] = []
        self._sort = ""
        self._counts: Counter[type[Word | Phrase] | str] = Counter()

    def parse(self) -> Query:
        parts: list[Node] = []
        while True:
            parts.extend(_flattened(self._expression()))
            if self._pos >= len(self._text):
                break
            self._warn(
                "unopened-parenthesis", "A closing parenthesis has no opening one; it was left out.", self._pos, 1
            )
            self._pos += 1
        tree = Every(tuple(parts or self._connectives()), span=(0, len(self._text)))
        dates = date_hints(self._raw, [part for part in tree.parts if isinstance(part, Word)], self._now)
        hints = (*dates, *query_hints(self._raw, tree.parts))
        return Query(self._raw, tree, (*self._told(), *hints), self._sort)

    def _told(self) -> Iterable[QueryWarning]:
        """The warnings in the order of the query, each sentence where it holds first."""
        told: dict[str, QueryWarning] = {}
        for warning in sorted(self._warnings, key=lambda warning: warning.start):
            told.setdefault(warning.message, warning)
        return told.values()

    def _connectives(self) -> list[Node]:
        """The words of a query that is nothing but `OR` and `AND`, which then connect nothing."""
        runs = [Word(run[0], span=run.span()) for run in re.finditer(r"\S+", self._text)]
        return list(runs) if all(_CONNECTIVE.fullmatch(run.text) for run in runs) else []

    def _expression(self) -> Node:
        branches: list[Node] = []
        parts: list[Node] = []
        while self._at_part():
            if branch_end := _CONNECTIVE.match(self._text, self._pos):
                self._pos = branch_end.end()
                if branch_end[1] == "OR" and parts:
                    branches.append(_one_or_every(parts))
                    parts = []
                continue
            part = self._part()
            if part is not None:
                parts.append(part)
        if parts:
            branches.append(_one_or_every(parts))
        if len(branches) > 1:
            return Either(tuple(branches), span=_around(branches))
        return branches[0] if branches else Every(())

    def _at_part(self) -> bool:
        """Move past white space; whether a part follows, and not the end or a closing parenthesis."""
        while self._pos < len(self._text) and self._text[self._pos].isspace():
            self._pos += 1
        return self._pos < len(self._text) and self._text[self._pos] != ")"

    def _part(self) -> Node | None:
        start = self._pos
        part = self._signed()
        return None if part is None else _placed(part, (start, self._pos))

    def _signed(self) -> Node | None:
        if self._text[self._pos] != "-":
            return self._positive()
        following = self._text[self._pos + 1 : self._pos + 2]
        if following == "-":  # a command-line flag such as --verbose
            return self._word()
        self._pos += 1
        if not following or following.isspace() or following == ")":
            return None
        start = self._pos
        part = self._positive()
        return None if part is None else Exclude(_placed(part, (start, self._pos)))

    def _positive(self) -> Node | None:
        match self._text[self._pos]:
            case "(":
                return self._group()
            case '"':
                return self._phrase()
            case "[":
                return self._property() or self._word()
            case "#":
                return self._tag() or self._word()
            case "=":
                return self._whole_word() or self._word()
            case _:
                return self._operator() or self._word()

    def _group(self) -> Node | None:
        start = self._pos
        self._pos += 1
        if self._depth == _MAX_DEPTH:
            self._warn("too-deep", f"Parentheses go {_MAX_DEPTH} deep at most; this one was left out.", start, 1)
            return None
        self._depth += 1
        inner = self._expression()
        self._depth -= 1
        if self._pos < len(self._text):
            self._pos += 1
        else:
            self._warn("unclosed-parenthesis", "A parenthesis is not closed; it was taken to end here.", start, 1)
        return None if inner == Every(()) else inner

    def _phrase(self) -> Node | None:
        start = self._pos
        phrase = self._quoted()
        if phrase is None:
            self._unclosed_quote()
            return None
        return self._bounded(phrase.strip(), start) if phrase.strip() else None

    def _bounded(self, text: str, start: int) -> Node | None:
        """The phrase, cut where it is too long; its words alone where there are too many before it."""
        if not self._may_have_another(Phrase, _MOST_PHRASES):
            message = f"At most {_MOST_PHRASES} phrases are looked for; from here on their words are searched."
            self._warn("too-many", message, start, self._pos - start)
            return self._as_words(text.split(), start)
        cut = " ".join(text.split()[:_MOST_PHRASE_WORDS])[:_MOST_PHRASE_LENGTH]
        if len(cut) < len(" ".join(text.split())):
            message = f"Of a phrase, the first {_MOST_PHRASE_WORDS} words are looked for; the others were left out."
            self._warn("too-many", message, start, self._pos - start)
            return Phrase(cut)
        return Phrase(text)

    def _as_words(self, texts: Sequence[str], start: int) -> Node | None:
        words = [word for text in texts if (word := self._another_word(text, start)) is not None]
        return Every(tuple(words)) if words else None

    def _another_word(self, text: str, start: int) -> Word | None:
        """A word that is searched; None where there are too many before it."""
        if self._may_have_another(Word, _MOST_WORDS):
            return Word(text)
        message = f"At most {_MOST_WORDS} words are searched; those from here on were left out."
        self._warn("too-many", message, start, self._pos - start)
        return None

    def _may_have_another(self, kind: type[Word | Phrase] | str, most: int) -> bool:
        self._counts[kind] += 1
        return self._counts[kind] <= most

    def _quoted(self) -> str | None:
        """The text within the quotation marks that begin here, which are consumed; None where they are not closed."""
        following = bisect_right(self._bare_quotes, self._pos)
        # A backslash before the last mark there is belongs to a path of Windows.
        is_bare = following < len(self._bare_quotes)
        close = self._bare_quotes[following] if is_bare else self._text.find('"', self._pos + 1)
        if close < 0:
            return None
        inside = self._text[self._pos + 1 : close]
        self._pos = close + 1
        return inside.replace(_ESCAPED_QUOTE, '"')

    def _unclosed_quote(self) -> None:
        self._warn("unclosed-quote", "A quotation mark is not closed; what follows is searched as words.", self._pos, 1)
        self._pos += 1

    def _tag(self) -> Node | None:
        match = _TAG.match(self._text, self._pos)
        if match is None:
            return None
        self._pos = match.end()
        return Where(HasTag(match[1].strip("/")))

    def _property(self) -> Node | None:
        match = _PROPERTY.match(self._text, self._pos)
        name = match[1].strip('" ') if match else ""
        if match is None or not name:
            if _OPEN_PROPERTY.match(self._text, self._pos):
                self._warn("unclosed-bracket", "A bracket is not closed; it is searched as words.", self._pos, 1)
            return None
        self._pos = match.end()
        return Where(property_condition(name, match[2] or ""))

    def _whole_word(self) -> Node | None:
        """`=fast`: notes that say just this word, with neither an ending nor more letters around it."""
        start = self._pos
        self._pos += 1
        is_quoted = self._text[self._pos : self._pos + 1] == '"'
        said = ((self._quoted() if is_quoted else self._run()) or "").strip()
        if not any(map(str.isalnum, said)) or not self._may_have_another("part", _MOST_PARTS):
            self._pos = start
            return None
        condition, _ = part_condition("line", f"/{whole_word_pattern(said)}/")
        word = self._another_word(said, start)
        return Where(condition) if word is None else Every((Where(condition), word))

    def _operator(self) -> Node | None:
        match = _OPERATOR.match(self._text, self._pos)
        name = match[1].lower() if match else ""
        if match is None or name not in READ_AS_OPERATORS:
            return None
        start = self._pos
        self._pos = match.end()
        if name in UNSUPPORTED:
            message = f"{name}: is not an operator here; what follows it is searched."
            self._warn("unsupported-operator", message, start, match.end() - start)
            return self._searched(start)
        if name in PARTS:
            return self._part_of_note(name, start)
        return self._no_filter(name) if name in ("sort", "size") else self._condition(name, start)

    def _part_of_note(self, name: str, start: int) -> Node | None:
        """`line:(…)` and its like; the words in it rank, too."""
        inside = self._inside()
        if inside is None:
            return self._without_value(name, start)
        try:
            condition, phrases = part_condition(name, inside)
        except ValueError as error:
            self._warn("bad-regex", f"{name}: {error}; searched as words.", start, self._pos - start)
            return self._as_words(inside.split(), start)
        wanted = condition.wanted
        if len(wanted.phrases) + len(wanted.patterns) > _MOST_IN_A_PART:
            message = f"{name}: at most {_MOST_IN_A_PART} words and patterns are looked for; others were left out."
            self._warn("too-many", message, start, self._pos - start)
            patterns = wanted.patterns[:_MOST_IN_A_PART]
            phrases = phrases[: _MOST_IN_A_PART - len(patterns)]
            condition = replace(condition, wanted=replace(wanted, phrases=phrases, patterns=patterns))
        if not self._may_have_another("part", _MOST_PARTS):
            message = f"At most {_MOST_PARTS} of line: and its like are looked for; then their words are searched."
            self._warn("too-many", message, start, self._pos - start)
            return self._as_words(" ".join(phrases).split(), start)
        said = (self._bounded(text, start) if " " in text else self._another_word(text, start) for text in phrases)
        words = [part for part in said if part is not None]
        return Every((Where(condition), *words)) if words else Where(condition)

    def _inside(self) -> str | None:
        """What follows an operator's colon: in brackets, in quotation marks, between slashes, a word; None: nothing."""
        start = self._pos
        if self._text[start : start + 1] != "(":
            if self._skip_quoted():
                return self._text[start : self._pos]
            return self._run() or None
        self._pos += 1
        while self._pos < len(self._text) and self._text[self._pos] != ")":
            if not self._skip_quoted():
                self._pos += 1
        inside = self._text[start + 1 : self._pos]
        if self._pos < len(self._text):
            self._pos += 1
        else:
            self._warn("unclosed-parenthesis", "A parenthesis is not closed; it was taken to end here.", start, 1)
        return inside

    def _skip_quoted(self) -> bool:
        """Move past what stands here between quotation marks or, at the beginning of a word, slashes."""
        match = _QUOTED.match(self._text, self._pos)
        if match is None or (match[0][0] == "/" and self._text[self._pos - 1] not in " (:"):
            return False
        self._pos = match.end()
        return True

    def _condition(self, name: str, start: int) -> Node | None:
        """The value after an operator's colon, as a condition; what can't be read as one is a word."""
        value = without_unseen(self._value()).strip()
        if not value.strip("#/" if name == "tag" else None):
            return self._without_value(name, start)
        if name == "profile":
            return InProfile(value)
        try:
            return Where(CONDITIONS[name](value, self._now))
        except ValueError as error:
            if name in _TIMES and (time := self._spaced_time(name, start)):
                return time
            code: WarningCode = _BAD_VALUE.get(name, "bad-date")
            self._warn(code, f"{name}: {error}; searched as words.", start, self._pos - start)
            if '"' in self._text[start : self._pos]:
                return self._as_words(value.split(), start)
            self._pos = start
            return self._word()

    def _spaced_time(self, name: str, start: int) -> Node | None:
        """A time in several words without quotation marks: `modified:last week`. None where they are none."""
        value = start + len(name) + 1
        words = _SPACED.match(self._text, value)
        for word in reversed(list(re.finditer(r"\S+", words[0]))[1:] if words else ()):
            end = value + word.end()
            try:
                time = Where(CONDITIONS[name](self._text[value:end], self._now))
            except ValueError:
                continue
            self._pos = end
            return time
        return None

    def _searched(self, start: int) -> Node | None:
        """What follows an operator that is none here; one behind another so often that it is a mistake is a word."""
        if not self._at_part():
            return None
        if self._depth == _MAX_DEPTH:
            message = f"Operators go {_MAX_DEPTH} deep at most; from here on they are searched as a word."
            self._warn("too-deep", message, start, self._pos - start)
            return self._word()
        self._depth += 1
        inner = self._positive()
        self._depth -= 1
        return inner

    def _no_filter(self, name: str) -> None:
        """`sort:`, which is about the list and not about notes, and `size:`, which nothing is known of."""
        start, value = self._pos - len(name) - 1, self._value().lower()
        if name == "sort" and value.removeprefix("-") in SORTS:
            self._sort = value.replace("-relevance", "relevance")
            return
        if name == "sort":
            message = f"sort: takes {', '.join(SORTS)}, or one of them with - before it; it was left out."
            self._warn("bad-sort", message, start, self._pos - start)
        else:
            self._warn("unsupported-operator", "size: is not known here; it was left out.", start, self._pos - start)

    def _without_value(self, name: str, start: int) -> Node | None:
        """An operator without a value: at the end somebody may still be typing it, before other words it is one."""
        is_last = not self._text[self._pos :].strip()
        what = "it was left out" if is_last else "it is searched as a word"
        self._warn("empty-value", f"{name}: has no value; {what}.", start, self._pos - start)
        return None if is_last else Word(self._text[start : self._pos])

    def _value(self) -> str:
        """The rest of an operator; quotation marks may stand around any part of it: `path:"My notes"/2026`."""
        pieces: list[str] = []
        while self._pos < len(self._text):
            if self._text[self._pos] != '"':
                pieces.append(self._run())
                if not pieces[-1]:
                    break
            elif (quoted := self._quoted()) is not None:
                pieces.append(quoted)
            else:
                self._unclosed_quote()
        return "".join(pieces).strip()

    def _word(self) -> Word | None:
        start, run = self._pos, self._call() or self._run()
        if _REGEX.fullmatch(run):
            message = "Regular expressions are not searched; the words in this one are."
            self._warn("unsupported-regex", message, start, len(run))
        if not run:  # a stray closing parenthesis after "-"
            self._pos += 1
            return None
        return self._another_word(run, start)

    def _call(self) -> str:
        """Take a name and what stands in parentheses right behind it, spaces too: `O(n log n)`; "" where none is."""
        match = _CALL.match(self._text, self._pos)
        if match is None:
            return ""
        self._pos = match.end()
        return match[0]

    def _run(self) -> str:
        """Take what stands before white space, a quotation mark or a parenthesis that the run did not open."""
        start, open_here = self._pos, 0
        while self._pos < len(self._text):
            char = self._text[self._pos]
            if char.isspace() or (char == '"' and self._ends_run(start)) or (char == ")" and open_here == 0):
                break
            open_here += (char == "(") - (char == ")")
            self._pos += 1
        return self._text[start : self._pos]

    def _ends_run(self, start: int) -> bool:
        """Whether the quotation mark here ends what began at `start`."""
        return self._pos > start and _IN_RUN.match(self._text, self._pos) is None

    def _warn(self, code: WarningCode, message: str, start: int, length: int) -> None:
        self._warnings.append(QueryWarning(code, message, start, start + length))


def _one_or_every(parts: list[Node]) -> Node:
    return parts[0] if len(parts) == 1 else Every(tuple(parts), span=_around(parts))


def _placed(part: Node, span: Span) -> Node:
    """A part at its place; what an operator made of it stands there, too."""
    if isinstance(part, Every):
        part = replace(part, parts=tuple(each if each.span[1] else _placed(each, span) for each in part.parts))
    return replace(part, span=span)


def _around(parts: list[Node]) -> tuple[int, int]:
    return parts[0].span[0], parts[-1].span[1]


def _flattened(node: Node) -> tuple[Node, ...]:
    return node.parts if isinstance(node, Every) else (node,)
