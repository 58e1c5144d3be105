"""`/v1/check`: whether the indexes are whole and hold what is on disk, and mending them."""

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.repair import problems_of, repair_profile
from scrubjay.daemon.server.access.caller import chosen
from scrubjay.daemon.server.endpoints.check import CHECK, CheckAsk, CheckedProfile, CheckReply, FoundProblem
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.registry.registry import Profile

HANDLERS = Handlers()


@HANDLERS.answers(CHECK)
def check(context: Context, request: CheckAsk) -> CheckReply:
    profiles, engine = chosen(context.services, context.client, request.profile), context.engine
    return CheckReply(
        profiles=tuple(_checked(engine, profile, repair=request.repair) for profile in profiles),
        warnings=engine.warnings({profile.id for profile in profiles}),
    )


def _checked(engine: Engine, profile: Profile, *, repair: bool) -> CheckedProfile:
    try:
        opened = engine.open_profiles.same(profile)
        mended = repair_profile(engine, opened) if repair else None
        if mended and mended.must_read:
            engine.supervisor.request(profile.id, retry=True)
            engine.files.request(profile.id, retry=True)
        problems = mended.left if mended else problems_of(engine, opened)
    except ProfileError as error:
        return CheckedProfile(profile=profile.name, closed=str(error))
    return CheckedProfile(
        profile=profile.name,
        problems=tuple(FoundProblem(code=problem.code, about=problem.about) for problem in problems),
        did=mended.did if mended else (),
    )
