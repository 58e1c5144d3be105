"""Writes `obsidian-plugin/src/words/keys.ts` from `daemon/sentences/`: the languages, and what each sentence is given.

TypeScript reads a JSON file's strings as `string`: without this, nothing would check what a sentence's braces are
given where it is said. `make wire` writes the file; a test fails where it is stale.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parents[1]
SENTENCES = _ROOT / "daemon" / "sentences"
KEYS = _ROOT / "obsidian-plugin" / "src" / "words" / "keys.ts"
NOT_THE_PANEL_S = ("tray", "setup")  # only Python reads these; esbuild.plugin.mjs leaves them out, too

_PLACE = re.compile(r"\{(\w+)\}")
_HEAD = """/**
 * The languages that there are sentences in, and what each sentence of the panel is given. Written by `make wire` from
 * daemon/sentences; not to be edited.
 */
"""


def as_typescript() -> str:
    """The whole file."""
    languages = ", ".join(f'"{file.stem}"' for file in sorted(SENTENCES.glob("*.json")))
    english: dict[str, dict[str, Any]] = json.loads((SENTENCES / "en.json").read_text(encoding="utf-8"))
    lines = [
        f"\t{json.dumps(key)}: {_given(sentence)};"
        for section, sentences in english.items()
        if section not in NOT_THE_PANEL_S
        for key, sentence in sentences.items()
    ]
    return "\n".join(
        [
            f"{_HEAD}export const LANGUAGES = [{languages}] as const;",
            "",
            "/** For each key the arguments that `say` takes beside it; a `Value` is what may stand in a sentence. */",
            "export interface Sentences<Value> {",
            *lines,
            "}\n",
        ]
    )


def _given(sentence: str | dict[str, str]) -> str:
    """The arguments of one sentence, as a tuple's type: at most one object."""
    forms = [sentence] if isinstance(sentence, str) else ["{count}", *sentence.values()]
    names = dict.fromkeys(name for form in forms for name in _PLACE.findall(form))
    fields = "; ".join(f"{name}: {'number' if name == 'count' else 'Value'}" for name in names)
    return f"[values: {{ {fields} }}]" if fields else "[]"


if __name__ == "__main__":
    KEYS.write_text(as_typescript(), encoding="utf-8")
    sys.stdout.write(f"{KEYS}\n")
