"""What a profile reads beside notes, as commands change it."""

import msgspec
import pytest

from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.kinds import TEXT_KINDS
from scrubjay.profiles.registry.profile_settings import FileSettings, with_code, with_kinds


def test_all_documents_are_read_and_no_code_unless_it_is_said() -> None:
    settings = FileSettings()
    assert (settings.kinds, settings.code, settings.attachments, settings.ocr) == (TEXT_KINDS, (), True, False)


def test_kinds_with_text_of_their_own_are_taken_out_and_put_back_in_their_order() -> None:
    fewer = with_kinds(FileSettings(), ["sheet", "pdf"], are_read=False)
    assert fewer.kinds == tuple(kind for kind in TEXT_KINDS if kind not in ("pdf", "sheet"))
    assert with_kinds(fewer, ["sheet", "pdf"], are_read=True) == FileSettings()
    for kind in ("image", "code", "films"):
        with pytest.raises(InvalidProfile, match=kind):
            with_kinds(FileSettings(), [kind], are_read=True)


def test_code_is_chosen_by_its_extensions() -> None:
    before = FileSettings(code=(".go",))
    for add, remove, left in (
        (["py", ".TS"], [], (".go", ".py", ".ts")),
        ([], ["go"], ()),
        ([], ["all"], ()),
        ([".rs"], ["all"], (".rs",)),
        ([".go"], [], (".go",)),
    ):
        assert with_code(before, add=add, remove=remove).code == left
    for extension in ("*.py", "a b", "", "../x"):
        with pytest.raises(InvalidProfile):
            with_code(before, add=[extension])


@pytest.mark.parametrize("values", [{"kinds": ["films"]}, {"code": ["py"]}, {"atachments": False}])
def test_a_misspelt_setting_is_refused_when_it_is_read(values: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(values, FileSettings)
