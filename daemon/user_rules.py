"""The user's own credential rules, `rules.toml` in the configuration folder."""

from pathlib import Path

from scrubjay.credential_filter import BUILT_IN, RuleError, Rules, load_rules


def read_user_rules(path: Path) -> tuple[Rules, tuple[RuleError, ...]]:
    """The built-in rules with those in the file, if there is one, and what was refused. Never raises."""
    if not path.is_file():
        return BUILT_IN, ()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error.strerror
        return BUILT_IN, (RuleError("(file)", "toml", f"{path.name} can't be read: {reason}. None of it is used"),)
    return load_rules(text)
