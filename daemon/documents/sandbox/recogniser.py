"""The process that reads pictures: like the box, but with models that need more memory."""

from scrubjay.daemon.documents.extracted import CannotRead, Reason
from scrubjay.daemon.documents.sandbox.process import Answer, serve
from scrubjay.daemon.documents.sandbox.wire import Read, Recognise, Reply, Request

_MEMORY_BYTES = 3_000_000_000  # of addresses; of memory it takes half a gigabyte, and up to one for a large picture


def main() -> None:
    """Serve until stdin ends."""
    serve(_recogniser, _MEMORY_BYTES)


def _recogniser(threads: int) -> Answer:
    from scrubjay.daemon.documents.formats.picture import Pictures  # noqa: PLC0415  (with the models)

    pictures = Pictures(threads)

    def answer(request: Request, data: bytes) -> Reply:
        if not isinstance(request, Recognise):
            raise CannotRead(Reason.WRONG_EXTENSION)
        return Read(pictures.read(request.extension, data, request.page), worn=False)

    return answer


if __name__ == "__main__":
    main()
