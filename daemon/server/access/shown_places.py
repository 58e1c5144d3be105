"""Where files of this installation lie is for those who manage it; a client that only searches is not told."""

import re
from pathlib import Path

_PLACE_SHOWN_AS = "(a file of Scrubjay's)"


class InstallationFolders:
    """The folders of an installation."""

    def __init__(self, *folders: Path) -> None:
        names = "|".join(re.escape(str(folder)) for folder in folders)
        self._below = re.compile(rf"(?:{names})[^\s,;:'\"]*")

    def left_out_of(self, message: str) -> str:
        """The message with every path below these folders left out."""
        return self._below.sub(_PLACE_SHOWN_AS, message)
