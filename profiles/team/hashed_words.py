"""What a server is asked for words by: hashes under the team's key, which it never has.

Who has the database sees which hash stands beside which word, as far as notes say it; a word that no note says is none
that could be told from any other.
"""

from base64 import urlsafe_b64encode
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

from scrubjay.profiles.store.statements import Asked, Keys
from scrubjay.profiles.team.team_key import TeamKeys

_BYTES = 8
_LEXEME_LETTERS = 6
"""Of 64: within the few hundred terms of one document. What other documents have is told apart by the postings."""
_REMEMBERED = 32_768  # terms: with fewer, a vault's words are hashed again for nearly each passage
_POSTINGS = "SELECT term, field, shard, entries FROM posting WHERE term_key = ANY (?)"


class Lexemes(str):
    """A `tsquery` of hashes, as text: nothing that anybody has written stands in it, whatever it looks like."""

    __slots__ = ()


class HashedWords:
    """The terms of one profile, by its keys. Thread-safe.

    key_name: by what the server tells the key of these hashes from an older one, see `TeamKeys`.
    """

    def __init__(self, keys: TeamKeys) -> None:
        self.key_name = keys.words_name
        key = keys.of_words

        def hashed(term: str, purpose: bytes) -> bytes:
            data = term.encode("utf-8", "surrogatepass")
            return blake2b(data, key=key, digest_size=_BYTES, person=purpose).digest()

        @lru_cache(_REMEMBERED)
        def of(term: str) -> tuple[int, int, str]:
            digest = hashed(term, b"term")
            beginning = hashed(beginning_of(term), b"beginning")
            lexeme = urlsafe_b64encode(digest)[:_LEXEME_LETTERS].decode()
            return _number(digest), _number(beginning), lexeme

        self._of = of

    def keys(self, term: str) -> tuple[int, int]:
        """What a row of `posting` has for a term in `term_key` and in `begin_key`."""
        return self._of(term)[:2]

    def beginning(self, prefix: str) -> int:
        """The `begin_key` of all terms that begin like this, and of some others; not of "" or one ASCII character."""
        return self._of(prefix)[1]

    def lexeme(self, term: str) -> str:
        """What stands for a term in a `tsvector`: ASCII letters, digits, `-` and `_`."""
        return self._of(term)[2]

    def asked(self, terms: Iterable[str]) -> Asked:
        """The statement that gives (term, field, shard, entries) of some terms."""
        return _POSTINGS, (Keys(self._of(term)[0] for term in terms),)


def beginning_of(term: str) -> str:
    """What terms are looked for by that begin alike: two characters, or one that is not ASCII.

    Notes in scripts without spaces are searched by one character.
    """
    return term[:2] if term[:1].isascii() else term[:1]


def _number(digest: bytes) -> int:
    return int.from_bytes(digest, "big", signed=True)
