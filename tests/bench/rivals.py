"""What other scanners take for the same texts. Runs in a virtual environment of its own, which has only them.

Reads a JSON list of texts from standard input; prints the processor seconds of each scanner as JSON.
"""

# pyright: basic, reportMissingImports=false

import json
import sys
import time
from collections.abc import Callable


def main() -> None:
    """Measure both."""
    texts = json.load(sys.stdin)
    print(
        json.dumps({"detect-secrets": _seconds(_detect_secrets(), texts), "CredSweeper": _seconds(_sweeper(), texts)})
    )


def _seconds(scan: Callable[[str], object], texts: list[str]) -> float:
    scan("password = warm-up")
    start = time.process_time()
    for text in texts:
        scan(text)
    return time.process_time() - start


def _detect_secrets() -> Callable[[str], object]:
    from detect_secrets.core.scan import scan_line
    from detect_secrets.settings import default_settings

    def scan(text: str) -> object:
        with default_settings():
            return [found for line in text.splitlines() for found in scan_line(line)]

    return scan


def _sweeper() -> Callable[[str], object]:
    from credsweeper.app import CredSweeper
    from credsweeper.file_handler.string_content_provider import StringContentProvider

    sweeper = CredSweeper()
    return lambda text: sweeper.file_scan(StringContentProvider(text.splitlines()))


if __name__ == "__main__":
    main()
