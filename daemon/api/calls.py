"""Every call of the HTTP API as a value: method, path, body, type of the reply. `daemon/client.py` sends them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Generic, Literal, TypeAlias, TypeVar

import msgspec

from daemon.api import schemas, schemas_graph, schemas_journal, schemas_manage, schemas_upkeep
from daemon.errors import UsageError
from daemon.search.types import NoteExplanation, SearchResponse

T = TypeVar("T")

SuggestKind: TypeAlias = Literal["tag", "folder", "property", "title"]

_JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request, and what its answer is decoded as."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    reply: type[T]
    body: msgspec.Struct | None = None
    params: Mapping[str, str | int] = field(default_factory=dict[str, str | int])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def _id(value: str) -> str:
    """An id as a part of a path. Ids come from people and agents, and none may lead a call to another route.

    Raises UsageError for what is no id.
    """
    if re.fullmatch("[A-Za-z0-9_-]+", value) is None:
        raise UsageError("An id holds letters and digits alone.")
    return value


def _get(path: str, reply: type[T], /, **params: str | int) -> Call[T]:
    return Call("GET", path, reply, params=params)


def _post(path: str, reply: type[T], body: msgspec.Struct | None = None) -> Call[T]:
    return Call("POST", path, reply, body, headers=_JSON)


def search(ask: schemas.SearchAsk, typing_stream: str | None = None) -> Call[SearchResponse]:
    """Search. In a `typing_stream` a newer search ends the older, which then raises ApiError `superseded`."""
    headers = _JSON if typing_stream is None else {**_JSON, "X-Scrubjay-Typing": typing_stream}
    return Call("POST", "/v1/search", SearchResponse, ask, headers=headers)


def explain(ask: schemas_graph.ExplainAsk) -> Call[NoteExplanation]:
    """Why a note is, or is not, among the results of a search."""
    return _post("/v1/explain", NoteExplanation, ask)


def context(ask: schemas.ContextAsk) -> Call[schemas.ContextReply]:
    """What the notes say about a prompt."""
    return _post("/v1/context", schemas.ContextReply, ask)


def chunks(ids: tuple[str, ...]) -> Call[schemas.ChunksReply]:
    """Passages by id or short id."""
    return _get("/v1/chunks", schemas.ChunksReply, ids=",".join(ids))


def note(chunk_id: str) -> Call[schemas.NoteReply]:
    """The note that holds a chunk."""
    return _get(f"/v1/notes/{_id(chunk_id)}", schemas.NoteReply)


def recent(limit: int) -> Call[schemas.NotesReply]:
    """The notes modified last."""
    return _get("/v1/recent", schemas.NotesReply, limit=limit)


def related(vault: str, path: str, limit: int = 10) -> Call[schemas.RelatedReply]:
    """Notes related to the note at a path of the vault with this name."""
    return _get("/v1/related", schemas.RelatedReply, vault=vault, path=path, limit=limit)


def traverse(
    chunk_id: str, about: str | None = None, *, depth: int = 2, deep: bool = False, limit: int = 200
) -> Call[schemas_graph.WalkReply]:
    """Walk along links from the note that holds a chunk."""
    subject = {} if about is None else {"about": about}
    reach = {"depth": depth, "deep": str(deep).lower(), "limit": limit}
    return _get("/v1/traverse", schemas_graph.WalkReply, id=chunk_id, **subject, **reach)


def traverse_from(
    path: str, vault: str | None = None, about: str | None = None, *, depth: int = 2, deep: bool = False
) -> Call[schemas_graph.WalkReply]:
    """Walk along links from the note at a path. vault: its name, where several have such a note."""
    given = {name: value for name, value in (("vault", vault), ("about", about)) if value is not None}
    reach = {"depth": depth, "deep": str(deep).lower()}
    return _get("/v1/traverse", schemas_graph.WalkReply, path=path, **given, **reach)


def excerpt(ask: schemas_graph.ExcerptAsk) -> Call[schemas_graph.ExcerptReply]:
    """The two sentences of a passage that answer a query best."""
    return _post("/v1/excerpt", schemas_graph.ExcerptReply, ask)


def timeline(
    since: date | None = None, until: date | None = None, profile: str | None = None
) -> Call[schemas_graph.TimelineReply]:
    """Notes by day, of the days from `since` to `until`, newest first."""
    bounds = {"since": since and since.isoformat(), "until": until and until.isoformat(), "profile": profile}
    given = {name: value for name, value in bounds.items() if value is not None}
    return _get("/v1/timeline", schemas_graph.TimelineReply, **given)


def verify(ask: schemas_graph.VerifyAsk) -> Call[schemas_graph.VerifyReply]:
    """Whether a quotation really is in the note that it cites."""
    return _post("/v1/verify", schemas_graph.VerifyReply, ask)


def notes(filter: str = "", limit: int = 50, profile: str | None = None) -> Call[schemas.NotesReply]:
    """Notes that pass a filter of the query language, newest first."""
    where = {} if profile is None else {"profile": profile}
    return _get("/v1/notes", schemas.NotesReply, filter=filter, limit=limit, **where)


def remember(ask: schemas_journal.JournalAsk) -> Call[schemas_journal.EntryReply]:
    """Save a text in a journal."""
    return _post("/v1/journal", schemas_journal.EntryReply, ask)


def recall(ask: schemas_journal.RecallAsk) -> Call[schemas_journal.RecallReply]:
    """The journal's entries that fit a query best."""
    return _post("/v1/journal/recall", schemas_journal.RecallReply, ask)


def journal(
    limit: int = 100, *, profile: str | None = None, since: datetime | None = None, until: datetime | None = None
) -> Call[schemas_journal.JournalReply]:
    """The journal's entries by time, newest first. Times are aware."""
    bounds = {"since": since and since.isoformat(), "until": until and until.isoformat(), "profile": profile}
    given = {name: value for name, value in bounds.items() if value is not None}
    return _get("/v1/journal", schemas_journal.JournalReply, limit=limit, **given)


def forget(entry_id: str) -> Call[schemas_manage.Done]:
    """Delete an entry of the journal for good."""
    return Call("DELETE", f"/v1/journal/{_id(entry_id)}", schemas_manage.Done)


def prune(ask: schemas_journal.PruneAsk) -> Call[schemas_journal.PruneReply]:
    """Delete for good what was saved before a time."""
    return _post("/v1/journal/prune", schemas_journal.PruneReply, ask)


def suggest(kind: SuggestKind, prefix: str) -> Call[schemas.SuggestReply]:
    """Completions for a filter."""
    return _get("/v1/suggest", schemas.SuggestReply, kind=kind, prefix=prefix)


def credentials() -> Call[schemas.CredentialsReply]:
    """Where credentials sit."""
    return _get("/v1/credentials", schemas.CredentialsReply)


def status() -> Call[schemas.Status]:
    """How the daemon does."""
    return _get("/v1/status", schemas.Status)


def index(profile: str | None, *, full: bool) -> Call[schemas_manage.Accepted]:
    """Look at vaults again."""
    return _post("/v1/index", schemas_manage.Accepted, schemas_manage.IndexAsk(profile=profile, full=full))


def profiles() -> Call[schemas_manage.ProfilesReply]:
    """What this client may see."""
    return _get("/v1/profiles", schemas_manage.ProfilesReply)


def create_profile(ask: schemas_manage.ProfileAsk) -> Call[schemas_manage.ProfileReply]:
    """A new profile."""
    return _post("/v1/profiles", schemas_manage.ProfileReply, ask)


def change_profile(profile_id: str, change: schemas_manage.ProfileChange) -> Call[schemas_manage.ProfileReply]:
    """Another name, other folders or options."""
    return _post(f"/v1/profiles/{_id(profile_id)}", schemas_manage.ProfileReply, change)


def remove_profile(profile_id: str) -> Call[schemas_manage.Done]:
    """Remove a profile and its index."""
    return Call("DELETE", f"/v1/profiles/{_id(profile_id)}", schemas_manage.Done)


def lock_profile(profile_id: str) -> Call[schemas_manage.ProfileReply]:
    """Close a profile until it is unlocked."""
    return _post(f"/v1/profiles/{_id(profile_id)}/lock", schemas_manage.ProfileReply)


def unlock_profile(profile_id: str, passphrase: str | None) -> Call[schemas_manage.ProfileReply]:
    """Open a locked profile."""
    body = schemas_manage.UnlockAsk(passphrase=passphrase)
    return _post(f"/v1/profiles/{_id(profile_id)}/unlock", schemas_manage.ProfileReply, body)


def refresh_profiles() -> Call[schemas_manage.Done]:
    """Have the daemon look at the profiles' folders now."""
    return _post("/v1/profiles/refresh", schemas_manage.Done)


def clients() -> Call[schemas_manage.ClientsReply]:
    """Who may ask."""
    return _get("/v1/clients", schemas_manage.ClientsReply)


def create_client(ask: schemas_manage.ClientAsk) -> Call[schemas_manage.TokenReply]:
    """A new client."""
    return _post("/v1/clients", schemas_manage.TokenReply, ask)


def change_client(client_id: str, change: schemas_manage.ClientChange) -> Call[schemas_manage.ClientReply]:
    """Another name, other scopes or profiles."""
    return _post(f"/v1/clients/{_id(client_id)}", schemas_manage.ClientReply, change)


def rotate_token(client_id: str) -> Call[schemas_manage.TokenReply]:
    """A new token."""
    return _post(f"/v1/clients/{_id(client_id)}/rotate", schemas_manage.TokenReply)


def revoke_client(client_id: str) -> Call[schemas_manage.Done]:
    """Shut a client out."""
    return Call("DELETE", f"/v1/clients/{_id(client_id)}", schemas_manage.Done)


def pairings() -> Call[schemas_manage.PairingsReply]:
    """Requests that wait for the user."""
    return _get("/v1/pairing", schemas_manage.PairingsReply)


def decide_pairing(id_or_code: str, decision: schemas_manage.PairingDecision) -> Call[schemas_manage.PairingState]:
    """The user's word."""
    return _post(f"/v1/pairing/{_id(id_or_code)}", schemas_manage.PairingState, decision)


def ask_pairing(ask: schemas_manage.PairingAsk) -> Call[schemas_manage.PairingBegun]:
    """Ask to be let in; needs no token."""
    return _post("/v1/pairing", schemas_manage.PairingBegun, ask)


def prove_pairing(request_id: str, proof: str) -> Call[schemas_manage.PairingState]:
    """Approve one's own request by proof of reading `pairing.key`."""
    body = schemas_manage.PairingProof(proof=proof)
    return _post(f"/v1/pairing/{_id(request_id)}/proof", schemas_manage.PairingState, body)


def collect_pairing(request_id: str, secret: str) -> Call[schemas_manage.PairingState]:
    """How one's own request stands."""
    body = schemas_manage.PairingSecret(secret=secret)
    return _post(f"/v1/pairing/{_id(request_id)}/collect", schemas_manage.PairingState, body)


def pause(profile: str | None) -> Call[schemas_manage.Accepted]:
    """Hold background work."""
    return _post("/v1/pause", schemas_manage.Accepted, schemas_upkeep.ProfileChoice(profile=profile))


def resume(profile: str | None) -> Call[schemas_manage.Accepted]:
    """Let background work go on."""
    return _post("/v1/resume", schemas_manage.Accepted, schemas_upkeep.ProfileChoice(profile=profile))


def retry(profile: str | None) -> Call[schemas_manage.Accepted]:
    """Read again what could not be indexed."""
    return _post("/v1/retry", schemas_manage.Accepted, schemas_upkeep.ProfileChoice(profile=profile))


def hurry() -> Call[schemas_manage.Done]:
    """Index at full speed until nothing waits."""
    return _post("/v1/hurry", schemas_manage.Done)


def history(profile: str | None, *, limit: int, slow: bool) -> Call[schemas_upkeep.HistoryReply]:
    """Remembered searches."""
    chosen = {} if profile is None else {"profile": profile}
    return _get("/v1/history", schemas_upkeep.HistoryReply, **chosen, limit=limit, slow=str(slow).lower())


def clear_history(profile: str | None) -> Call[schemas_upkeep.Cleared]:
    """Forget remembered searches."""
    chosen = {} if profile is None else {"profile": profile}
    return Call("DELETE", "/v1/history", schemas_upkeep.Cleared, params=chosen)


def opened(profile: str, query: str, path: str) -> Call[schemas_manage.Done]:
    """A result was opened."""
    body = schemas_upkeep.OpenedAsk(profile=profile, query=query, path=path)
    return _post("/v1/opened", schemas_manage.Done, body)


def ticket() -> Call[schemas.TicketReply]:
    """A one-time ticket for the search page."""
    return _post("/v1/tickets", schemas.TicketReply)
