"""The client is light, because every command and every hook waits for it."""

import subprocess
import sys


def test_a_command_that_asks_the_daemon_loads_neither_the_model_s_libraries_nor_the_store() -> None:
    look = (
        "import scrubjay.daemon.client, scrubjay.daemon.cli.notes.search, scrubjay.daemon.cli.notes.context, sys;"
        "import scrubjay.daemon.server.endpoints.status;"
        "heavy = {'numpy', 'apsw', 'litestar', 'onnxruntime', 'scrubjay.credential_filter', 'mcp', 'pydantic'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"


def test_starting_the_daemon_begins_before_anything_that_talks_to_it_is_loaded() -> None:
    look = "import scrubjay.daemon.cli.serve, sys; print(sorted({'httpx', 'keyring', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"


def test_a_daemon_at_rest_holds_no_library_that_only_some_users_need() -> None:
    look = (
        "import scrubjay.daemon.server.daemon_process, sys;"
        "some = {'httpx', 'rich', 'cryptography', 'mcp', 'onnxruntime', 'tokenizers', 'pypdfium2', 'tree_sitter'};"
        "print(sorted(some & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"
