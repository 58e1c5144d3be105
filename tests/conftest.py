"""No test depends on luck: not on how busy the machine is, nor on which examples hypothesis happens to draw."""

from hypothesis import HealthCheck, settings

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# `make test` draws the same examples each time, so what passed passes again; `make test-slow` looks for new ones.
settings.register_profile("same", settings.get_profile("untimed"), derandomize=True)
settings.register_profile("exploring", settings.get_profile("untimed"), max_examples=500)
settings.load_profile("same")
