"""The tokenizer of a packed model as `tokenizer.json`: SentencePiece unigrams, as XLM-RoBERTa cuts texts."""

import re
import unicodedata
from typing import Any

from packed_model import PackedModel

_SPACE = "\u2581"
"""SentencePiece's sign for a space."""
_TILDE, _KEPT_TILDE = "\uff5e", "\U0010fffe"
"""Composition (NFKC) would make it an ASCII one, which the model has learnt otherwise; so a noncharacter stands for it
meanwhile."""


def tokenizer(model: PackedModel) -> dict[str, Any]:
    """What `tokenizers` reads from a file.

    The package replaces single characters, and leaves marks apart that the model was trained on composed with their
    letters; so this composes (NFKC), and says of single characters only what that would not do.
    """
    differing = {
        character: wanted
        for character, wanted in model.replaced.items()
        if unicodedata.normalize("NFKC", character) != wanted
    }
    dropped = [character for character, wanted in differing.items() if not wanted]
    spaces = [character for character, wanted in differing.items() if wanted == " "]
    begin, end = model.pieces[model.begin][0], model.pieces[model.end][0]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": number,
                "content": model.pieces[number][0],
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for number in sorted((model.begin, model.pad, model.end, model.unknown))
        ],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                _replace(_any_of(dropped), ""),
                _replace(_any_of(spaces), " "),
                _replace(_TILDE, _KEPT_TILDE),
                {"type": "NFKC"},
                _replace(_KEPT_TILDE, _TILDE),
                _replace(" {2,}", " "),
            ],
        },
        "pre_tokenizer": {"type": "Metaspace", "replacement": _SPACE, "prepend_scheme": "always", "split": True},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [_special(begin), _text("A"), _special(end)],
            "pair": [_special(begin), _text("A"), _special(end), _special(end), _text("B"), _special(end)],
            "special_tokens": {
                token: {"id": token, "ids": [number], "tokens": [token]}
                for token, number in ((begin, model.begin), (end, model.end))
            },
        },
        "decoder": {"type": "Metaspace", "replacement": _SPACE, "prepend_scheme": "always", "split": True},
        "model": {
            "type": "Unigram",
            "unk_id": model.unknown,
            "vocab": [[piece, round(score, 6)] for piece, score in model.pieces],
            "byte_fallback": False,
        },
    }


def _any_of(characters: list[str]) -> str:
    return f"[{''.join(re.escape(character) for character in sorted(characters))}]"


def _replace(pattern: str, content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}


def _special(token: str) -> dict[str, Any]:
    return {"SpecialToken": {"id": token, "type_id": 0}}


def _text(name: str) -> dict[str, Any]:
    return {"Sequence": {"id": name, "type_id": 0}}
