"""`python -m tests.quality.languages [--mode lexical] [--model NAME] [LANGUAGE …]`: how notes are found.

`--paraphrases`: asked in other words than theirs, and by words, meaning and both.
"""

import argparse
from collections.abc import Collection
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from scrubjay.daemon.home import Home
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED_NAME, resolve
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.types import Mode
from tests.quality.languages import SETS, languages, measure, opened, paraphrased, read

MODES: tuple[Mode, ...] = ("lexical", "semantic", "hybrid")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.languages", description=__doc__)
    parser.add_argument("languages", nargs="*", help="default: all")
    parser.add_argument("--mode", default="lexical", choices=MODES)
    parser.add_argument("--model", default=BUNDLED_NAME, help="as `scrubjay model list` names it")
    parser.add_argument("--paraphrases", action="store_true")
    arguments = parser.parse_args()
    embedder = InProcessEmbedder(resolve(arguments.model, Home.find().models))
    found = _paraphrases if arguments.paraphrases else _words
    Console(width=200).print(found(embedder, arguments.languages, arguments.mode))
    embedder.close()


def _words(embedder: Embedder, wanted: Collection[str], mode: Mode) -> Table:
    table = Table("set", "language", "queries", "MRR", "high", "missed (place)")
    for name in SETS:
        for language in languages(name):
            if wanted and language not in wanted:
                continue
            vault = read(language, name)
            with TemporaryDirectory() as folder, opened(vault, Path(folder), embedder) as searcher:
                found = measure(searcher, vault, mode)
            missed = ", ".join(f"{query} ({place})" for query, _, place in found.missed)
            table.add_row(name, language, str(found.queries), f"{found.rank:.3f}", ", ".join(found.high), missed)
    return table


def _paraphrases(embedder: Embedder, wanted: Collection[str], mode: Mode) -> Table:
    table = Table("language", "queries", *(f"MRR, {each}" for each in MODES), f"missed (place), {mode}")
    for language in languages("paraphrases"):
        if wanted and language not in wanted:
            continue
        vault = paraphrased(language)
        with TemporaryDirectory() as folder, opened(vault, Path(folder), embedder) as searcher:
            found = {each: measure(searcher, vault, each) for each in MODES}
        missed = ", ".join(f"{query} ({place})" for query, _, place in found[mode].missed)
        table.add_row(language, str(found[mode].queries), *(f"{each.rank:.3f}" for each in found.values()), missed)
    return table


if __name__ == "__main__":
    main()
