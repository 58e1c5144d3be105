"""`/v1/status`, `/v1/index`: what the daemon does."""

from typing import Literal, TypeAlias

from scrubjay.daemon.documents.sandbox.confinement import in_words
from scrubjay.daemon.indexing.progress import ProgressReport
from scrubjay.daemon.server.endpoint import Ask, Endpoint, Nothing, Reply
from scrubjay.daemon.server.endpoints.common import Accepted, Name


class IndexAsk(Ask, frozen=True):
    """Look at the vaults again: of one profile, or of all open ones that this client may see.

    full: read every note anew. forget_missing: forget notes that stay in the index because so many vanished at once.
    """

    profile: Name | None = None
    full: bool = False
    forget_missing: bool = False


class Failure(Reply, frozen=True):
    """A file that was left out, and why."""

    vault: str
    path: str
    code: str
    reason: str


class OnDisk(Reply, frozen=True):
    """What the last look at the whole vaults found: what may be read, and what became of it."""

    notes: int  # on disk and allowed
    indexed: int  # of them
    left_out: int  # of them; `failures` says why
    missing: int  # neither: there should be none
    missing_paths: tuple[str, ...]  # the first of them
    differing: int = 0  # of a team's that others look after, those whose files here say something else
    differing_paths: tuple[str, ...] = ()  # the first of them


class KindStatus(Reply, frozen=True):
    """How much is indexed of the files of one kind, notes aside."""

    kind: str
    files: int  # found by their names at least
    parts: int  # pages, slides, sheets or chapters
    passages: int
    bytes: int  # on disk, of the files themselves
    unread: int  # files of which some or all could not be read; `failures` says why
    scans: int  # pages, or pictures, whose text has not been recognised


class Recognising(Reply, frozen=True):
    """How far the text in pictures and scans of a profile is recognised."""

    left: int  # pages and pictures
    pages_per_hour: float | None = None  # None while it is not known
    eta_seconds: float | None = None
    problem: str = ""  # a sentence: why nothing is recognised


class ModelSuggestion(Reply, frozen=True):
    """A model that would read a profile's notes better than its own."""

    languages: tuple[str, ...]  # ISO 639-1: what its own reads badly, the commonest first
    share: float  # of the passages, 0 to 1
    model: str
    megabytes: int  # on disk
    memory: int  # megabytes that it takes while it works
    licence: str
    seconds: float | None  # that embedding all passages anew takes on this machine; None where that is not known
    is_here: bool  # on this machine, so that nothing is downloaded
    command: str  # that downloads it, if need be, and has the profile read by it
    text: str  # all of that in English sentences


State: TypeAlias = Literal["idle", "scanning", "reading", "embedding", "paused", "locked", "failed", "away"]


class ProfileStatus(Reply, frozen=True):
    """What the daemon does for one profile, and how much it holds."""

    id: str
    name: str
    colour: str
    vaults: tuple[str, ...]
    state: State
    done: int  # of `total`, in the unit of the state: notes while reading, chunks while embedding
    total: int
    eta_seconds: float | None
    notes: int
    chunks: int
    pending_embeddings: int
    redactions: int  # credentials that are hidden in notes
    bytes_on_disk: int
    failures: tuple[Failure, ...]
    reason: str = ""  # why it is locked or failed, its server away, or all work paused; "" where the user paused it
    progress: ProgressReport = ProgressReport()  # since the last look at the vaults began
    on_disk: OnDisk | None = None  # None before the first look
    redactions_done: int = 0  # of `redactions`, how many the user is done with
    payloads: int = 0  # notes with data that only programs read, such as a drawing's, which are not indexed
    kinds: tuple[KindStatus, ...] = ()  # files beside notes, which are read after all notes
    files_waiting: int | None = 0  # that are still to be read; None: it is being found out
    recognising: Recognising | None = None  # None where the profile has it switched off
    suggestion: ModelSuggestion | None = None  # where much of it is in languages that its model reads badly

    @property
    def open_credentials(self) -> int:
        """How many hidden credentials wait for the user to do something about them."""
        return self.redactions - self.redactions_done


class BoxStatus(Reply, frozen=True):
    """By what the processes that read files beside notes are closed to the world.

    Measures are `landlock`, `seccomp`, `resource-limits`, `job-object`, and `file-ban` (on files and network), which is
    missing where a system has none that is used here.
    """

    measures: tuple[str, ...]  # that hold
    missing: tuple[str, ...]  # that should, and don't
    required: bool  # whether files are left out where one is missing (`require_box`)

    @property
    def sentence(self) -> str:
        """All of that for a person."""
        said = f"Files beside notes are read in a process that is closed to the world by {in_words(self.measures)}."
        if not self.missing:
            return said
        lacks = f"{said} Missing here: {in_words(self.missing)}."
        if self.required:
            return f"{lacks} So no file is read, as `require_box` demands."
        return f"{lacks} A file that means harm could do more; `require_box = true` in settings.toml leaves files out."


class TakenPort(Reply, frozen=True):
    """Another person's program listens where the user's language model should, and is sent nothing."""

    address: str  # of the server that the settings name, on this computer
    user: int  # the id of that person

    @property
    def sentence(self) -> str:
        """That, and what helps, for a person."""
        return (
            f"At {self.address}, where your language model should answer, listens a program of another user of this"
            f" computer (user id {self.user}). It is sent nothing, and would read what your notes say. Start your own"
            " model server at another port, and name that: `scrubjay llm use`."
        )


class Status(Reply, frozen=True):
    """How the daemon does."""

    version: str
    instance: str
    model: str
    uptime_seconds: float
    memory_bytes: int
    pending_embeddings: int
    profiles: tuple[ProfileStatus, ...]
    warnings: tuple[str, ...] = ()
    box: BoxStatus | None = None  # None before the first file that is no note was read
    taken_port: TakenPort | None = None  # where another user has the port of the language model's server
    command: str = ""  # what a person types here for `scrubjay`; "" for clients that do not manage

    @property
    def idle(self) -> bool:
        """Whether nothing waits to be read or embedded."""
        return self.pending_embeddings == 0 and all(
            profile.state in ("idle", "locked", "failed", "away") for profile in self.profiles
        )


class HeldMemory(Reply, frozen=True):
    """Bytes in memory, and what holds them. profile: whose they are; "" where they are no profile's."""

    what: str
    bytes: int
    profile: str = ""


class MemoryReply(Reply, frozen=True):
    """What holds the daemon's memory, which is the sum of it, and what its processes have, which end when idle."""

    held: tuple[HeldMemory, ...]
    processes: tuple[HeldMemory, ...]


STATUS = Endpoint(
    "GET", "/v1/status", "search", Nothing, Status, "How the daemon does, and how much each visible profile holds."
)
MEMORY = Endpoint(
    "GET",
    "/v1/memory",
    "manage",
    Nothing,
    MemoryReply,
    "What holds the daemon's memory, and what the processes that work for it have in memory.",
)
INDEX = Endpoint(
    "POST",
    "/v1/index",
    "manage",
    IndexAsk,
    Accepted,
    "Look at the vaults again, of one profile or of all visible open ones. The work goes on in the background.",
    example={"profile": "work", "full": False},
    status=202,
)
