"""The manual page scrubjay(1), from the commands themselves, in man(7)."""

from commands import Described


def as_man(commands: tuple[Described, ...], version: str) -> str:
    """The page. It bears no date, so that two builds are equal."""
    lines = [
        f'.TH SCRUBJAY 1 "" "Scrubjay {version}" "User Commands"',
        ".SH NAME",
        "scrubjay \\- private search for Obsidian vaults",
        ".SH SYNOPSIS",
        ".B scrubjay",
        "[\\-\\-help] [\\-\\-version] COMMAND [ARGUMENTS]",
        ".SH DESCRIPTION",
        _text(
            "A background daemon indexes the folders of your vaults that you allow, redacts credentials first, and"
            " answers searches by word and by meaning, on this machine alone. Begin with `scrubjay setup`."
        ),
        ".SH COMMANDS",
    ]
    for command in commands[1:]:
        lines += [".SS", f"\\fB{_text(command.usage)}\\fR"]
        lines += [_paragraph(paragraph) for paragraph in command.about.split("\n\n") if paragraph]
        for name, about in command.options:
            lines += [".TP", f"\\fB{_breakable(_text(name))}\\fR", _text(about)]
    lines += [
        ".SH EXIT STATUS",
        "0 done; 1 found something wrong, or failed; 2 the command could not be understood.",
        ".SH FILES",
        ".TP",
        "\\fI~/.config/scrubjay\\fR",
        "settings.toml and your own rules for credentials",
        ".TP",
        "\\fI~/.local/share/scrubjay\\fR",
        "profiles with their indexes, and who may ask",
        ".TP",
        "\\fI~/.local/state/scrubjay\\fR",
        "the address of the running daemon, and logs",
        ".SH ENVIRONMENT",
        ".TP",
        "SCRUBJAY_HOME",
        "keeps all of these below one folder",
    ]
    return "\n".join(lines) + "\n"


def _paragraph(text: str) -> str:
    if not text.startswith("    "):
        return f".PP\n{_text(text)}"
    return "\n".join([".PP", ".nf", *(_text(line.strip()) for line in text.splitlines()), ".fi"])


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def _breakable(text: str) -> str:
    """A long choice may go on in the next line after each `|` (groff(7), `\\:`)."""
    return text.replace("|", "|\\:")
