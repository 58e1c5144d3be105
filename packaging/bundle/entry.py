"""Where the stand-alone program begins: as the command, or as one of the daemon's worker processes."""

import importlib
import sys

WORKERS = {  # argument -> module whose main() it runs
    "--box": "scrubjay.daemon.documents.sandbox.process",
    "--embedding-worker": "scrubjay.daemon.models.model_worker",
    "--prepare-worker": "scrubjay.daemon.indexing.prepare_worker",
    "--recogniser": "scrubjay.daemon.documents.sandbox.recogniser",
    "--review-worker": "scrubjay.daemon.review.review_worker",
}


def main() -> None:
    """Run what the first argument asks for."""
    worker = WORKERS.get(sys.argv[1]) if len(sys.argv) > 1 else None
    importlib.import_module(worker or "scrubjay.daemon.cli").main()


if __name__ == "__main__":
    main()
