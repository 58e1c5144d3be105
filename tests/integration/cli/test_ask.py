"""`scrubjay ask` and `scrubjay llm`: what a person reads, what is sent, and what is kept where."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import Result

from scrubjay.daemon.cli.connect import reach
from scrubjay.daemon.server.endpoints.ask import ANSWER, ASK, AnswerSentence, QuestionAsk
from tests.helpers.file_keyring import kept_in
from tests.helpers.installation import Installation
from tests.helpers.model_server import ModelServer, model_server

Run = Callable[..., Result]

SECRET = "ghp_" + "x7Q2" * 9
FERRY_LINE = "The ferry to the island leaves at nine each morning."
NOTES = {
    "Ferry.md": f"# Ferry\n\n{FERRY_LINE}\nThe token of the ferry is {SECRET} for now.\n",
    "Plans.md": "# Plans\n\n| plan | price a year |\n| --- | --- |\n| small plan | £90 |\n| heron plan | £180 |\n",
    "Texel.md": "# Texel\n\n**Answer:** The boat to Texel leaves the quay at 9:15.\n\n"
    "- **Price**: The ticket to Texel costs *only* 12 euros.\n"
    "- [ ] __Gate__: The gate to Texel closes at `8:45`, see [[Rules|the rules]].\n",
    "Corer.md": "# Corer\n\nCut a known volume with the box corer, dry it at 105 °C until two weighings agree.\n",
    "Bikes.md": "# Bikes\n\nThe bike of Nora is blue. Nora's bike was stolen on 9 June 2025. Theo has one.\n",
    "Sub/Budget.md": "# Budget\n\nThe budget for the weir is nine thousand.\n",
}
QUESTION = "When does the ferry to the island leave?"


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("cli"))
    made.write(NOTES)
    made.create_profile("notes")
    made.run("index")
    return made


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServer]:
    with model_server(tmp_path_factory.mktemp("models")) as server:
        yield server


@pytest.fixture
def run(installation: Installation, tmp_path: Path) -> Run:
    installation.home.settings.write_text("# mine\nspeed = 'full'  # nobody works beside a test\n")
    return Installation(installation.root, kept_in(tmp_path / "keyring.json")).invoke


def test_without_a_model_the_notes_answer_with_their_sources_and_a_line_says_how_to_name_one(run: Run) -> None:
    done = run("ask", QUESTION)
    assert done.exit_code == 0
    assert FERRY_LINE in done.stdout
    assert "    Ferry.md:3  notes  #" in done.stdout
    assert "verified" not in done.output
    assert done.stderr.count("\n") == 1
    assert "scrubjay llm use http://127.0.0.1:11434/v1" in done.stderr
    reply = json.loads(run("ask", QUESTION, "--json").stdout)
    assert (reply["status"], reply["way"], reply["sent_to"]) == ("answered", "extract", "")
    assert reply["sentences"][0]["quotes"][0]["path"] == "Ferry.md"


def test_a_row_of_a_table_is_told_with_the_heads_of_its_columns_asked_for_by_a_question_or_not(run: Run) -> None:
    for question in ("what is the price of the heron plan each year?", "price of the heron plan"):
        said = run("ask", question).stdout
        assert "plan: heron plan · price a year: £180\n    Plans.md:6  notes  #" in said


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the boat to Texel leave the quay?", "Answer: The boat to Texel leaves the quay at 9:15."),
        ("What does the ticket to Texel cost?", "Price: The ticket to Texel costs only 12 euros."),
        ("When does the gate to Texel close?", "☐ Gate: The gate to Texel closes at 8:45, see the rules."),
    ],
)
def test_an_answer_has_no_marks_of_markdown(run: Run, question: str, answer: str) -> None:
    assert run("ask", question).stdout.splitlines()[0] == answer
    assert json.loads(run("ask", question, "--json").stdout)["sentences"][0]["text"] == answer


def test_the_terminal_answers_a_question_as_the_api_does(
    run: Run, installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRUBJAY_HOME", str(installation.root / "home"))
    with reach() as client:
        for question in (QUESTION, "what is the budget for the weir?", "who is the captain of the ferry?"):
            told = client.ask(ANSWER, QuestionAsk(question=question))
            assert json.loads(run("ask", question, "--json").stdout) == json.loads(msgspec.json.encode(told))
        assert client.ask(ANSWER, QuestionAsk(question="the ferry to the island")).status == "nothing"  # none asks


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("how are quarks confined in hadrons", 1),
        ("how much does the box corer weigh?", 1),  # a number beside what is asked measures something else
        ("When was Nora's bike stolen?", 0),
        ("When was Theo's bike stolen?", 1),  # what is said of one person answers for no other
    ],
)
def test_what_the_notes_don_t_say_is_said_with_status_1(run: Run, question: str, status: int) -> None:
    done = run("ask", question)
    assert done.exit_code == status
    assert ("No sentence in your notes surely answers this.\n" in done.stdout) == bool(status)


def test_a_model_that_was_named_writes_and_what_it_made_up_is_marked(
    run: Run, models: ModelServer, installation: Installation
) -> None:
    named = run("llm", "use", models.url)
    assert "ollama at 127.0.0.1:" in named.stdout
    assert "# mine\nspeed = 'full'  # nobody works beside a test\n" in installation.home.settings.read_text()
    done = run("ask", QUESTION)
    assert done.exit_code == 0
    assert f"The notes say so.\n    ✓ “{FERRY_LINE}”  Ferry.md:3  notes  #" in done.stdout
    assert "And this is made up.  (unverified)\n" in done.stdout
    assert "were sent to 127.0.0.1:" in done.stderr
    sent = json.dumps(models.requests[-1])
    assert "The token of the ferry is" in sent
    assert SECRET not in sent


def test_extract_asks_no_model_though_one_is_named(run: Run, models: ModelServer) -> None:
    run("llm", "use", models.url, "--model", "ollama")
    before = len(models.requests)
    assert FERRY_LINE in run("ask", QUESTION, "--extract").stdout
    assert len(models.requests) == before


def test_a_model_that_fails_leaves_the_notes_answer_and_a_sentence(run: Run, models: ModelServer) -> None:
    run("llm", "use", models.url, "--model", "is-not-loaded")
    done = run("ask", QUESTION)
    assert done.exit_code == 0
    assert FERRY_LINE in done.stdout
    assert "No models loaded." in done.stderr


def test_naming_a_model_sends_nothing_and_taking_it_back_leaves_the_settings_as_they_were(
    run: Run, models: ModelServer, installation: Installation
) -> None:
    before = installation.home.settings.read_text()
    requests = len(models.requests)
    run("llm", "use", models.url, "--model", "ollama")
    assert f"ollama at {models.url}" in run("llm", "show").stdout
    assert run("llm", "off").exit_code == 0
    assert installation.home.settings.read_text() == before
    assert "None is named" in run("llm", "show").stdout
    run("ask", QUESTION)
    assert len(models.requests) == requests


def test_another_computer_is_named_twice_and_what_leaves_is_said(run: Run, installation: Installation) -> None:
    before = installation.home.settings.read_text()
    refused = run("llm", "use", "http://gpu.example/v1", "--model", "big")
    assert (refused.exit_code, "--allow-host gpu.example" in refused.stderr) == (1, True)
    assert installation.home.settings.read_text() == before
    taken = run("llm", "use", "http://gpu.example/v1", "--model", "big", "--allow-host", "gpu.example")
    assert taken.exit_code == 0
    for said in ("is another computer", "passages of your", "not encrypted"):
        assert said in taken.stderr


def test_a_key_is_in_the_keyring_alone_and_sent_to_its_server_alone(
    run: Run, models: ModelServer, installation: Installation, tmp_path: Path
) -> None:
    key = "k-" + "93ab" * 4
    assert run("llm", "use", models.url, "--model", "ollama", "--key", types=f"{key}\n").exit_code == 0
    assert key in (tmp_path / "keyring.json").read_text()
    assert not any(key.encode() in data for data in installation.everything_written().values())
    run("ask", QUESTION)
    assert models.requests[-1]["headers"]["Authorization"] == f"Bearer {key}"
    other = models.url.replace("127.0.0.1", "localhost")
    installation.home.settings.write_text(f'[llm]\nurl = "{other}"\nmodel = "ollama"\nkey = true\n')
    requests = len(models.requests)
    assert "no API key for localhost" in run("ask", QUESTION).stderr
    assert len(models.requests) == requests
    run("llm", "use", models.url, "--model", "ollama", "--key", types=f"{key}\n")
    run("llm", "off")
    assert key not in (tmp_path / "keyring.json").read_text(), "it is forgotten with its server"


def test_what_is_no_question_is_refused(run: Run) -> None:
    for question in ("", "   ", "x" * 2_001):
        done = run("ask", question)
        assert (done.exit_code, "1 to 2,000 characters" in done.stderr) == (1, True)


def test_without_a_daemon_too_a_sentence_comes_while_the_model_still_writes(
    run: Run, models: ModelServer, installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("llm", "use", models.url, "--model", "hangs-in-the-middle", "--seconds", "600")
    monkeypatch.setenv("SCRUBJAY_HOME", str(installation.root / "home"))
    with reach() as client:
        parts = client.parts(ASK, QuestionAsk(question=QUESTION))
        first = next(parts)
        parts.close()
        assert isinstance(first, AnswerSentence)
        assert client.ask(ANSWER, QuestionAsk(question=QUESTION)).status == "answered"
