"""`python -m tests.quality.languages [--mode lexical] [LANGUAGE …]`: a table of how each language's words are found."""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from tests.quality.languages import SETS, languages, measure, opened, read


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.languages", description=__doc__)
    parser.add_argument("languages", nargs="*", help="default: all")
    parser.add_argument("--mode", default="lexical", choices=("lexical", "hybrid", "semantic"))
    arguments = parser.parse_args()
    table = Table("set", "language", "queries", "MRR", "high", "missed (place)")
    embedder = InProcessEmbedder(BUNDLED)
    for name in SETS:
        for language in languages(name):
            if arguments.languages and language not in arguments.languages:
                continue
            vault = read(language, name)
            with TemporaryDirectory() as folder, opened(vault, Path(folder), embedder) as searcher:
                found = measure(searcher, vault, arguments.mode)
            missed = ", ".join(f"{query} ({place})" for query, _, place in found.missed)
            table.add_row(name, language, str(found.queries), f"{found.rank:.3f}", ", ".join(found.high), missed)
    embedder.close()
    Console(width=200).print(table)


if __name__ == "__main__":
    main()
