"""Each format's text is found where it stands: five phrases a format, through the box, the index and a search."""

from collections.abc import Iterator

import msgspec
import pytest

from scrubjay.profiles.registry.profile_settings import FileSettings
from scrubjay.profiles.search.types import SearchRequest
from tests.helpers.made_files.corpus import Made, made_files
from tests.helpers.waiting import PATIENCE_SECONDS
from tests.integration.engine.living import Living, living

FILES = {
    file.extension: file for file in made_files() if file.name.endswith("-0") and file.extension != ".excalidraw.md"
}
CODE = (".py", ".ts", ".c", ".go", ".rs")


@pytest.fixture(scope="module")
def alive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    with living(tmp_path_factory.mktemp("places")) as engine:
        profile = engine.engine.registry.get("notes")
        engine.engine.registry.change(
            profile.id, lambda now: msgspec.structs.replace(now, files=FileSettings(code=CODE))
        )
        for extension, file in FILES.items():
            engine.write(f"made{extension}", file.data)
        engine.engine.profile_sync.sync()
        engine.engine.files.start()
        assert engine.engine.files.wait_until_idle(PATIENCE_SECONDS)
        yield engine


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_phrases_are_found_at_their_places(alive: Living, file: Made) -> None:
    wrong: list[tuple[str, object]] = []
    for expected in file.expected[::4]:  # all of them are found by what reads the file, in tests/unit/documents
        query = f'"{expected.phrase}" ext:{file.extension[1:]}'
        found = alive.engine.searcher.search(SearchRequest(query, mode="lexical", group="chunk", limit=3)).results
        # A heading may say it, too, of a passage that does not.
        best = [(result.place, result.headings) for result in found if expected.phrase in result.snippet][:1]
        is_there = best and expected.place in (None, best[0][0]) and expected.label in (None, *best[0][1])
        if not is_there:
            wrong.append((expected.phrase, best))
    assert wrong == []
