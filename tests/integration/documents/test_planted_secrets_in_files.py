"""Secrets planted in every format, in plain sight and where nobody looks: no byte of one is stored, logged or told."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.credential_filter.rules.rule import shipped_rules
from scrubjay.credential_filter.rules.templates import expand
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.packed_texts import texts_within
from tests.helpers.made_files import office, open_formats
from tests.helpers.made_files.beside import BESIDE, BODY, OPEN, second_sheet
from tests.helpers.made_files.pdf import Pdf
from tests.helpers.waiting import PATIENCE_SECONDS
from tests.integration.engine.living import Living, living

WORD = "heronry"  # beside each secret, to find the place by


def secrets() -> dict[str, str]:
    """A name for each file, and what is planted in it; made at run time."""
    named = {rule.id: rule.must_hide[0] for rule in shipped_rules() if not rule.group}
    tokens = [expand(template, rule) for rule, template in named.items() if "\n" not in template][:40]
    assert len(tokens) == 40
    return {name: tokens[number % len(tokens)] for number, name in enumerate(CASES)}


def _canvas(said: str) -> bytes:
    card = {"id": "a", "type": "text", "text": said}
    return json.dumps(
        {"nodes": [card, {**card, "id": "b"}], "edges": [{"id": "e", "fromNode": "a", "toNode": "b", "label": said}]}
    ).encode()


def _drawing(said: str) -> bytes:
    return json.dumps({"type": "excalidraw", "elements": [{"type": "text", "id": "t", "text": said, "y": 0}]}).encode()


CASES: dict[str, Callable[[str], bytes]] = {
    **{name: make for name, (make, _) in BESIDE.items()},
    "body.pdf": lambda said: Pdf(["one", said]).bytes(),
    "outline.pdf": lambda said: Pdf(["one", "two"], titles=["One", said]).bytes(),
    "body.docx": lambda said: office.docx([*BODY, ("Three", said)]),
    "heading.docx": lambda said: office.docx([*BODY, (said, "third text")]),
    "body.odt": lambda said: open_formats.odt([*BODY, ("Three", said)]),
    "body.pptx": lambda said: office.pptx([*BODY, ("Three", said)]),
    "cell.xlsx": lambda said: office.xlsx(second_sheet(said)),
    "name.xlsx": lambda said: office.xlsx(OPEN | {said: [["a"], ["1"]]}),
    "cell.csv": lambda said: f"a,b\n1,{said}\n".encode(),
    "body.epub": lambda said: open_formats.epub([*BODY, ("Three", said)]),
    "chapter.epub": lambda said: open_formats.epub([*BODY, (said, "third text")]),
    "body.html": lambda said: f"<title>A</title><p>{said}</p>".encode(),
    "link.html": lambda said: f'<p><a href="{said}.md">text</a></p>'.encode(),
    "cards.canvas": _canvas,
    "drawing.excalidraw": _drawing,
    "views.base": lambda said: f'views:\n  - type: table\n    name: "{said}"\n'.encode(),
    "body.txt": lambda said: said.encode(),
    "body.org": lambda said: f"* One\n{said}\n".encode(),
    "body.rst": lambda said: f"One\n===\n{said}\n".encode(),
    "body.tex": lambda said: f"\\section{{One}}\n{said}\n".encode(),
}


@pytest.fixture(scope="module")
def alive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    with living(tmp_path_factory.mktemp("planted")) as engine:
        planted = secrets()
        for name, make in CASES.items():
            engine.write(name, make(f"{WORD} {planted[name]}" if name != "link.html" else planted[name]))
        engine.engine.files.request(engine.engine.open_profiles.named("notes").profile.id)
        engine.engine.files.start()
        assert engine.engine.files.wait_until_idle(PATIENCE_SECONDS)
        engine.settled()
        assert engine.paths() == set(CASES)
        yield engine


def test_no_byte_of_a_secret_is_on_disk(alive: Living) -> None:
    home = alive.vault.parent / "home"
    written = {str(path): path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}
    written |= {f"{path}, unpacked": texts_within(data) for path, data in written.items() if ".sqlite3" in path}
    assert any(WORD.encode() in data for data in written.values())  # it would be seen
    leaks = {
        (name, path)
        for name, secret in secrets().items()
        for path, data in written.items()
        if secret.encode().lower() in data.lower()
    }
    assert leaks == set()


def test_what_stands_beside_the_secret_is_found_and_the_secret_is_not(alive: Living) -> None:
    for name in CASES.keys() - {"link.html"}:
        found = alive.engine.searcher.search(SearchRequest(f"{WORD} file:{name}", mode="lexical", context=2))
        assert [(result.path, result.redactions > 0) for result in found.results] == [(name, True)]
        assert secrets()[name] not in repr(found)


def test_findings_are_told_with_their_places(alive: Living) -> None:
    places = {(row.path, row.place) for row in alive.store.read(reads.redactions)}
    assert {("body.pdf", "2"), ("annotation.pdf", "2"), ("metadata.pdf", "metadata")} <= places
    assert {("body.pptx", "3"), ("notes.pptx", "2"), ("hidden.xlsx", "Second"), ("comment.docx", "comments")} <= places


def test_a_file_that_is_gone_or_excluded_takes_all_that_was_known_of_it_along(alive: Living) -> None:
    (alive.vault / "body.txt").unlink()
    alive.engine.files.request(alive.engine.open_profiles.named("notes").profile.id)
    assert alive.engine.files.wait_until_idle(PATIENCE_SECONDS)
    assert "body.txt" not in alive.paths()
    assert not any(row.path == "body.txt" for row in alive.store.read(reads.redactions))


def test_a_secret_that_a_column_announces_is_hidden_in_its_rows(tmp_path: Path) -> None:
    password = "Kestrel-" + "4471-Vx"
    with living(tmp_path) as engine:
        engine.write("people.csv", f"user,password\nada,{password}\n")
        engine.write("people.xlsx", office.xlsx({"Staff": [["user", "password"], ["ada", password]]}))
        engine.engine.files.start()
        engine.engine.files.request(engine.engine.open_profiles.named("notes").profile.id)
        assert engine.engine.files.wait_until_idle(PATIENCE_SECONDS)
        texts = [
            chunk.text
            for note in engine.store.read(reads.recent)
            for chunk in engine.store.read(reads.note_chunks, note.note_id)
        ]
        assert any("ada" in text for text in texts)
        assert not any(password in text for text in texts)
