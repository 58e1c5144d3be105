"""A guess at a note's language, where its script alone gives it away."""

import re

_SAMPLE = 2000  # code points that are looked at
_LEAST_SHARE = 0.2  # of the sample's letters that a script must have; a word of Chinese says more than one of English

_ASCII = re.compile(r"[\x00-\x7f]+")
_ASCII_LETTERS = re.compile(r"[A-Za-z]+")
_SCRIPTS = {
    script: re.compile(f"[{letters}]+")
    for script, letters in {
        "kana": "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f",
        "han": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f",
        "ko": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
        "cyrillic": "\u0400-\u052f",
        "el": "\u0370-\u03ff\u1f00-\u1fff",
        "he": "\u0590-\u05ff",
        "arabic": "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff",
        "hi": "\u0900-\u097f",
        "bn": "\u0980-\u09ff",
        "ta": "\u0b80-\u0bff",
        "te": "\u0c00-\u0c7f",
        "th": "\u0e00-\u0e7f",
        "ka": "\u10a0-\u10ff",
        "hy": "\u0530-\u058f",
        "am": "\u1200-\u137f",
        "km": "\u1780-\u17ff",
    }.items()
}
_UKRAINIAN = re.compile("[ґєії]", re.IGNORECASE)
_PERSIAN = re.compile("[پچژگ]")


def language_of(text: str) -> str:
    """ISO 639-1 code by the script of the beginning of `text`; "" for Latin letters, mixtures and no letters.

    Chinese and Japanese are told apart by kana, Russian from Ukrainian and Arabic from Persian by letters of their own.
    Rarer languages in those scripts (Serbian, Urdu) are taken for the commoner ones.
    """
    sample = text[:_SAMPLE]
    rest = "" if sample.isascii() else _ASCII.sub("", sample)
    if len(rest) < _LEAST_SHARE * len(sample) / 2:  # at most accents, dashes and emoji among ASCII
        return ""
    counts = {script: sum(map(len, letters.findall(rest))) for script, letters in _SCRIPTS.items()}
    others = sum(map(len, _ASCII_LETTERS.findall(sample)))
    script = max(counts, key=lambda script: counts[script])
    if counts["kana"] and script in {"han", "kana"}:
        counts["ja"] = counts.pop("han") + counts.pop("kana")
        script = "ja"
    if counts[script] < _LEAST_SHARE * (sum(counts.values()) + others) or counts[script] == 0:
        return ""
    if script == "cyrillic":
        return "uk" if _UKRAINIAN.search(rest) else "ru"
    if script == "arabic":
        return "fa" if _PERSIAN.search(rest) else "ar"
    return "zh" if script == "han" else script
