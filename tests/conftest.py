"""No law fails because a machine is slow."""

from hypothesis import settings

settings.register_profile("muster", deadline=None)
settings.load_profile("muster")
