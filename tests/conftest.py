"""Nothing here is timed: a test that a busy machine makes slow must not fail for it."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
