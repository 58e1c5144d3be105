"""`/v1/review/map`: clusters of notes and their bridges, of the profiles that a client sees."""

from scrubjay.daemon.review.link_map import MappedNote
from scrubjay.daemon.server.access.caller import chosen
from scrubjay.daemon.server.endpoints.review import REVIEW_MAP, Bridge, Cluster, ClusterLink, MapAsk, MapNote, MapReply
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.named_notes import vault_name
from scrubjay.profiles.store.store import Store

HANDLERS = Handlers()

_PATIENCE = 0.1  # seconds that a request waits for a map that is being made


@HANDLERS.answers(REVIEW_MAP, lane="search")
def review_map(context: Context, request: MapAsk) -> MapReply:
    seen = chosen(context.services, context.client, request.profile)
    stores = context.stores(seen)
    clusters: list[Cluster] = []
    links: list[ClusterLink] = []
    bridges: list[Bridge] = []
    unlinked = waiting = 0
    patience = None if context.services.hurry is None else _PATIENCE  # where nothing runs behind, it is made here
    for profile in seen:
        if profile.name not in stores:
            continue
        store = context.engine.open_profiles.same(profile).store
        found, changed = context.engine.maps.of(store, request.limit, patience)
        waiting += changed
        ids = {cluster.number: len(clusters) + at for at, cluster in enumerate(found.clusters)}
        clusters += [
            Cluster(
                id=ids[cluster.number],
                profile=profile.name,
                name=cluster.name,
                size=cluster.size,
                notes=tuple(_note(store, profile, each) for each in cluster.notes),
            )
            for cluster in found.clusters
        ]
        links += [ClusterLink(one=ids[one], other=ids[other], count=count) for one, other, count in found.links]
        bridges += [
            Bridge(
                note=_note(store, profile, each.note),
                profile=profile.name,
                parts=each.parts,
                joins=tuple(ids[number] for number in each.joins),
            )
            for each in found.bridges
        ]
        unlinked += found.unlinked
    return MapReply(
        clusters=tuple(clusters),
        links=tuple(links),
        bridges=tuple(bridges),
        unlinked=unlinked,
        waiting=waiting,
        unanswered=context.unanswered(seen, stores),
    )


def _note(store: Store, profile: Profile, note: MappedNote) -> MapNote:
    return MapNote(vault=vault_name(store, profile, note.vault), path=note.path, title=note.title, links=note.links)
