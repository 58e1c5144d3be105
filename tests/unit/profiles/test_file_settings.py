"""What a profile reads beside notes, as commands change it."""

import msgspec
import pytest

from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.kinds import TEXT_KINDS
from scrubjay.profiles.registry.profile_settings import FileSettings, with_code, with_kinds


def test_all_documents_are_read_and_no_code_unless_it_is_said() -> None:
    settings = FileSettings()
    assert (settings.kinds, settings.code, settings.attachments, settings.ocr) == (TEXT_KINDS, (), True, False)


def test_kinds_are_taken_out_and_put_back_in_their_order() -> None:
    fewer = with_kinds(FileSettings(), ["sheet", "pdf"], are_read=False)
    assert fewer.kinds == tuple(kind for kind in TEXT_KINDS if kind not in ("pdf", "sheet"))
    assert with_kinds(fewer, ["sheet", "pdf"], are_read=True) == FileSettings()


@pytest.mark.parametrize("kind", ["image", "code", "films"])
def test_a_kind_without_text_of_its_own_is_refused(kind: str) -> None:
    with pytest.raises(InvalidProfile, match=kind):
        with_kinds(FileSettings(), [kind], are_read=True)


@pytest.mark.parametrize(
    ("add", "remove", "left"),
    [
        (["py", ".TS"], [], (".go", ".py", ".ts")),
        ([], ["go"], ()),
        ([], ["all"], ()),
        ([".rs"], ["all"], (".rs",)),
        ([".go"], [], (".go",)),
    ],
)
def test_code_is_chosen_by_its_extensions(add: list[str], remove: list[str], left: tuple[str, ...]) -> None:
    assert with_code(FileSettings(code=(".go",)), add=add, remove=remove).code == left


@pytest.mark.parametrize("extension", ["*.py", "a b", "", "../x"])
def test_what_is_no_extension_is_refused(extension: str) -> None:
    with pytest.raises(InvalidProfile):
        with_code(FileSettings(), add=[extension])


@pytest.mark.parametrize("values", [{"kinds": ["films"]}, {"code": ["py"]}, {"atachments": False}])
def test_a_misspelt_setting_is_refused_when_it_is_read(values: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(values, FileSettings)
