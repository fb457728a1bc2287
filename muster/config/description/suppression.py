"""A finding that a user accepts."""

from datetime import date

from muster.config.description.base import Change, StrictModel, key


class Suppression(StrictModel):
    """A finding that you have reviewed and accept."""

    rule: str = key("Id of the rule.", Change.NOTHING)
    at: str = key("Place of the finding: groups.workers, or a path below it.", Change.NOTHING)
    reason: str = key("Why the finding is acceptable here. At least 10 characters.", Change.NOTHING, min_length=10)
    until: date = key(
        'Last day of the suppression, in quotes: "2026-12-31". After it, Muster reports the finding again.',
        Change.NOTHING,
    )
