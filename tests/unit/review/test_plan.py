"""What changes make of notes: just what they say, every other byte as it was, or a refusal."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.credential_filter import redact_text
from scrubjay.credential_filter.rules.templates import expand
from scrubjay.daemon.review.changes.change_plan import FilePlan, Place, ProposalChanges, plan, plan_together
from scrubjay.daemon.review.changes.diff import patch, shown_diff
from scrubjay.daemon.review.changes.note_text import NoteText, TextEdit, edited, reverse
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.proposal import Change


class Vault:
    """Notes in memory, all in the vault "V"."""

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self.files = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}

    def read(self, place: Place) -> bytes:
        if place[1] not in self.files:
            raise ChangeRefused("gone", f"{place[1]} is not there.")
        return self.files[place[1]]

    def check_target(self, place: Place, source: Place) -> None:
        if place[1] in self.files:
            raise ChangeRefused("exists", f"There is a file at {place[1]} already.")

    def paths(self, vault: str) -> Sequence[str]:
        return tuple(self.files)


def replace(path: str, line: int, before: str, after: str, column: int = 0) -> Change:
    return Change(action="replace", vault="V", path=path, line=line, column=column, before=before, after=after)


def move(path: str, to: str) -> Change:
    return Change(action="move", vault="V", path=path, to=to)


def append(after: str, path: str = "N.md") -> Change:
    return Change(action="append", vault="V", path=path, after=after)


def planned(files: Mapping[str, str | bytes], *changes: Change) -> dict[str, str]:
    """path -> text of the files that change, under the paths that they go to."""
    return {each.to: each.after.decode() for each in plan(changes, Vault(files))}


@pytest.mark.parametrize(
    ("text", "change", "expected"),
    [
        pytest.param("cat cat", replace("N.md", 1, "cat", "dog", 5), "cat dog", id="by column"),
        pytest.param("é🐱cat", replace("N.md", 1, "cat", "dog", 3), "é🐱dog", id="columns are code points"),
        pytest.param("a\r\ncat\rb\ncat", replace("N.md", 4, "cat", "x"), "a\r\ncat\rb\nx", id="mixed line ends"),
        pytest.param("a\x0bb\u2028cat", replace("N.md", 1, "cat", "x"), "a\x0bb\u2028x", id="only line ends end lines"),
        pytest.param("a\r\n", append("b\nc"), "a\r\nb\r\nc\r\n", id="append"),
        pytest.param("\ufeffcat", replace("N.md", 1, "cat", "x", 1), "\ufeffx", id="byte order mark"),
        pytest.param("a", append("b\n"), "a\nb\n", id="append to no line end"),
    ],
)
def test_a_change_does_what_it_says(text: str, change: Change, expected: str) -> None:
    assert planned({"N.md": text}, change) == {"N.md": expected}


def test_a_note_in_utf_16_stays_one() -> None:
    (file,) = plan([replace("N.md", 2, "cat", "猫")], Vault({"N.md": b"\xff\xfe" + "a\r\ncat".encode("utf-16-le")}))
    assert file.after == b"\xff\xfe" + "a\r\n猫".encode("utf-16-le")


@pytest.mark.parametrize(
    ("text", "change", "reason"),
    [
        ("cat", replace("N.md", 1, "dog", "x"), "differs"),
        ("cat cat", replace("N.md", 1, "cat", "x"), "differs"),
        ("cat", replace("N.md", 1, "cat", "x", 2), "differs"),
        ("cat", replace("N.md", 9, "cat", "x"), "differs"),
        ("ca\nt", replace("N.md", 1, "ca\nt", "x"), "invalid"),
        ("cat", replace("N.md", 1, "", "x", 1), "invalid"),
        ("cat", move("N.md", "N.txt"), "invalid"),
        ("cat", replace("M.md", 1, "cat", "x"), "gone"),
        (b"\xffcat", replace("N.md", 1, "cat", "x"), "not-text"),
        ("cat", replace("N.md", 1, "cat", "[REDACTED:password]"), "credential"),
        ("cat", move("N.md", "../N.md"), "invalid"),
        ("cat", move("N.md", "O.md"), "exists"),
        ("cat", move("N.md", "a#b.md"), "unlinkable"),
    ],
)
def test_what_cannot_be_done_is_refused(text: str | bytes, change: Change, reason: str) -> None:
    with pytest.raises(ChangeRefused) as refused:
        plan([change], Vault({"N.md": text, "O.md": ""}))
    assert refused.value.reason == reason


_TEXT = st.text(st.sampled_from("ab \n\r\té猫🐱#[]|*`cat"), max_size=60)


@given(_TEXT, _TEXT, st.text(st.sampled_from("ab猫\n"), max_size=5), st.booleans(), st.booleans())
def test_all_other_bytes_stay_and_undoing_is_exact(
    head: str, tail: str, after: str, with_mark: bool, with_column: bool
) -> None:
    text = f"{head}cat{tail}"
    data = (b"\xef\xbb\xbf" if with_mark else b"") + text.encode()
    lines = NoteText.of(data).text[: len(head)].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    change = replace("N.md", len(lines), "cat", after, len(lines[-1]) + 1 if with_column else 0)
    try:
        (file,) = plan([change], Vault({"N.md": data})) or (None,)
    except ChangeRefused as error:
        assert not with_column
        assert error.reason == "differs"
        return
    if file is None:
        return
    start, stop = head.encode(), tail.encode()
    assert file.after.startswith((b"\xef\xbb\xbf" if with_mark else b"") + start)
    assert file.after.endswith(stop)
    now = NoteText.of(file.after)
    assert now.encoded(edited(now.text, reverse(NoteText.of(data).text, file.edits))) == data
    if after.replace("\n", "") != "cat" and "cat" not in after:
        with pytest.raises(ChangeRefused):
            plan([replace("N.md", len(lines), "catcat", after, 10_000)], Vault({"N.md": file.after}))


LINKS = """\
[[Old]] [[old#Part|shown]] ![[Old.md]] [[Notes/Old]] [a](Old.md)
[b](Notes/Old.md#x) [c](<Notes/Old.md>) [[Old\\|t]]
`[[Old]]` [[Older]] [[Other]] [out](https://x.org/Old.md)
```
[[Old]]
```
"""
RENAMED = """\
[[New name]] [[New name#Part|shown]] ![[New name.md]] [[Box/New name]] [a](New%20name.md)
[b](Box/New%20name.md#x) [c](<Box/New name.md>) [[New name\\|t]]
`[[Old]]` [[Older]] [[Other]] [out](https://x.org/Old.md)
```
[[Old]]
```
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_links_follow_a_note_that_is_renamed_and_code_does_not(end: str) -> None:
    files = {"Notes/Old.md": "x", "A.md": LINKS.replace("\n", end), "Other.md": "[[Nowhere]]"}
    assert planned(files, move("Notes/Old.md", "Box/New name.md")) == {
        "Box/New name.md": "x",
        "A.md": RENAMED.replace("\n", end),
    }


def test_a_link_by_name_stays_where_only_the_folder_changes() -> None:
    assert planned({"a/Old.md": "", "A.md": "[[Old]] [[a/Old]]"}, move("a/Old.md", "b/Old.md")) == {
        "b/Old.md": "",
        "A.md": "[[Old]] [[b/Old]]",
    }


def test_links_in_the_moved_note_go_on_to_mean_what_they_meant() -> None:
    before = "[[Near]] [[./Near]] ![](./p.png) ![](./unknown.png) [x](../Top.md) [[Far]] [[Old#a]] [[#b]]"
    after = "[[a/Near]] [[../../a/Near]] ![](../../a/p.png) ![](../../a/unknown.png) [x](../../Top.md) [[Far]]"
    others = dict.fromkeys(("a/Near.md", "b/c/Near.md", "a/p.png", "Top.md", "Far.md"), "")
    assert planned({"a/Old.md": f"{before} [h]\n\n[h]: ../Top.md", **others}, move("a/Old.md", "b/c/New.md")) == {
        "b/c/New.md": f"{after} [[New#a]] [[#b]] [h]\n\n[h]: ../../Top.md"
    }


@pytest.mark.parametrize(
    ("source", "link", "old", "new", "expected"),
    [
        pytest.param("in/A.md", "[a](Tea%20Time.md)", "in/Tea Time.md", "z/New.md", "[a](../z/New.md)", id="beside"),
        pytest.param("in/A.md", "[a](<Tea Time.md>)", "in/Tea Time.md", "T.md", "[a](<../T.md>)", id="in angles"),
        pytest.param("in/A.md", "[a](b/Tea.md)", "in/b/Tea.md", "in/c/Tea.md", "[a](c/Tea.md)", id="from its folder"),
        pytest.param("in/A.md", "[a](./Tea.md)", "in/Tea.md", "in/c/Tea.md", "[a](./c/Tea.md)", id="with a dot"),
        pytest.param("in/A.md", "[a](in/Tea.md)", "in/Tea.md", "z/Tea.md", "[a](z/Tea.md)", id="from the root"),
        pytest.param("in/A.md", "[a](Tea.md)", "b/Tea.md", "c/Cup.md", "[a](Cup.md)", id="by name"),
        pytest.param("in/A.md", "[r]: ../a/Home.md", "a/Home.md", "b/Home.md", "[r]: ../b/Home.md", id="definition"),
        pytest.param("in/A.md", "[r]: <Tea Time.md> 'x'", "in/Tea Time.md", "in/N.md", "[r]: <N.md> 'x'", id="titled"),
        pytest.param("in/A.md", "> [r]: Tea.md", "in/Tea.md", "in/N.md", "> [r]: N.md", id="definition in a quotation"),
        pytest.param("in/A.md", "%% [[Tea]] %%", "in/Tea.md", "in/N.md", "%% [[N]] %%", id="comment"),
        pytest.param("in/A.md", "- x\n\n    [[Tea]]", "in/Tea.md", "in/N.md", "- x\n\n    [[N]]", id="in a list"),
        pytest.param("in/A.md", "x\n    [[Tea]]", "in/Tea.md", "in/N.md", "x\n    [[N]]", id="a paragraph goes on"),
    ],
)
def test_links_follow_as_they_are_written(source: str, link: str, old: str, new: str, expected: str) -> None:
    assert planned({source: link, old: ""}, move(old, new)) == {source: expected, new: ""}


@pytest.mark.parametrize(
    "text",
    [
        "```\n[[Tea]]\n```\n    [[Tea]]",
        "x\n\n    [[Tea]]\n\n    [t](Tea.md)\n",
        "# H\n\t[[Tea]]",
        "```\n[r]: Tea.md\n```",
        "[^1]: Tea.md",
        "<!-- [[Tea]] -->",
        "[r]: Tea.md and more",
        "[r]: https://example.org/Tea.md",
    ],
)
def test_code_and_what_is_no_link_stay_when_a_note_moves(text: str) -> None:
    assert planned({"A.md": text, "Tea.md": ""}, move("Tea.md", "Cup.md")) == {"Cup.md": ""}


def test_where_the_other_links_are_by_name_a_link_in_the_same_folder_is_too() -> None:
    files = {"in/A.md": "[a](Tea.md) [x](Far.md) [y](Further.md)", "in/Tea.md": "", "b/Far.md": "", "b/Further.md": ""}
    assert planned(files, move("in/Tea.md", "z/Tea.md")) == {"z/Tea.md": ""}


def test_a_new_name_takes_no_link_from_another_note() -> None:
    files = {"a/Old.md": "", "deep/er/New.md": "", "A.md": "[[New]]"}
    assert planned(files, move("a/Old.md", "New.md")) == {"New.md": "", "A.md": "[[deep/er/New]]"}


def test_links_in_properties_follow() -> None:
    files = {"Old.md": "", "A.md": "---\nup: \"[[Old|x]]\"\nlist:\n  - '[[Old]]'\n---\n"}
    assert planned(files, move("Old.md", "New.md"))["A.md"] == "---\nup: \"[[New|x]]\"\nlist:\n  - '[[New]]'\n---\n"


def test_proposals_about_one_note_are_written_together_and_the_later_of_two_that_meet_is_refused() -> None:
    vault = Vault({"N.md": "cat dog\n", "M.md": "x"})
    wanted = [
        ProposalChanges("1", (replace("N.md", 1, "cat", "[[Cat]]", 1),)),
        ProposalChanges("2", (replace("N.md", 1, "dog", "[[Dog]]", 5),)),
        ProposalChanges("3", (replace("N.md", 1, "cat dog", "pets", 1),)),
        ProposalChanges("4", (Change(action="add-tags", vault="V", path="N.md", tags=("a",)),)),
        ProposalChanges("5", (append("y", "M.md"),)),
        ProposalChanges("6", (replace("gone.md", 1, "x", "y"),)),
    ]
    groups, refused = plan_together(wanted, vault)
    assert [(group.keys, [each.after.decode() for each in group.files]) for group in groups] == [
        (("1", "2", "4"), ["---\ntags:\n  - a\n---\n[[Cat]] [[Dog]]\n"]),
        (("5",), ["x\ny\n"]),
    ]
    assert {key: error.reason for key, error in refused.items()} == {"3": "collides", "6": "gone"}


SECRET = expand("ghp_{alnum:36}", "review plan")
WORD = "".join(("Heron", "-weir", "-42!"))


def shown(text: str, *changes: Change) -> str:
    return "".join(shown_diff(file, redact_text) for file in plan(changes, Vault({"N.md": text})))


def test_a_diff_hides_what_the_credential_filter_hides() -> None:
    told = shown(f"One line.\naws key: {SECRET}\nA cat.\n", replace("N.md", 3, "cat", "dog"))
    assert SECRET not in told
    assert "-A cat.\n+A dog.\n" in told
    assert "[REDACTED:" in told


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(replace("N.md", 1, "Password:", "Colour:"), id="what announces it is taken away"),
        pytest.param(replace("N.md", 1, "Password:", "<!-- scrubjay:allow -->"), id="a mark lets it stand"),
        pytest.param(replace("N.md", 2, WORD, "x"), id="it is replaced"),
        pytest.param(replace("N.md", 2, WORD[:3], "x"), id="a part of it is replaced"),
        pytest.param(append("more"), id="a line is added after it"),
        pytest.param(Change(action="add-tags", vault="V", path="N.md", tags=("a",)), id="properties are put before it"),
    ],
)
def test_no_change_brings_to_light_what_was_hidden(change: Change, end: str) -> None:
    text = f"Password:{end}{WORD}"
    assert WORD not in redact_text(text.replace(end, "\n"))
    assert WORD[3:] not in shown(text, change)


@given(_TEXT, st.integers(0, 60), st.text(st.sampled_from("ab\n"), max_size=4), st.integers(0, 3))
def test_where_nothing_is_hidden_a_diff_shows_every_edit(text: str, at: int, added: str, length: int) -> None:
    note = NoteText(text)
    start = min(at, len(text))
    file = FilePlan("V", "N.md", "N.md", text.encode(), (TextEdit(start, min(start + length, len(text)), added),))
    before, after = (each.replace("\r\n", "\n").replace("\r", "\n") for each in (text, edited(note.text, file.edits)))
    is_split = "\r" in text and "\r\n" in text[max(start - 1, 0) : start + length + 1] + added
    if not is_split:
        assert bool(shown_diff(file, str)) == (before != after)


def test_a_patch_is_one_that_git_applies(tmp_path: Path) -> None:
    files = {"a b/Öl.md": "cat\r\nend", "A.md": "[[Öl]]\nx", 'odd"name.md': "cat\n"}
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(text.encode())
    plans = [
        *plan([replace("a b/Öl.md", 1, "cat", "dog"), move("a b/Öl.md", "c d/Oil.md")], Vault(files)),
        *plan([replace('odd"name.md', 1, "cat", "dog")], Vault(files)),
    ]
    subprocess.run(
        ["git", "apply", "--unsafe-paths", "-"], input="".join(map(patch, plans)).encode(), cwd=tmp_path, check=True
    )
    assert (tmp_path / "c d/Oil.md").read_bytes() == b"dog\r\nend"
    assert (tmp_path / "A.md").read_bytes() == b"[[Oil]]\nx"
    assert (tmp_path / 'odd"name.md').read_bytes() == b"dog\n"
    assert not (tmp_path / "a b/Öl.md").exists()
