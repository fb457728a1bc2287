"""Jobs that ask for no pods: none at all, or none until somebody resumes them."""

from copy import deepcopy

from muster.jobs.shape import Shape
from muster.rehearsal.client import Json
from muster.rehearsal.outcome import Cause

_PLACES = (("spec", "suspend"), ("spec", "runPolicy", "suspend"))


def resumed(job: Json, shape: Shape) -> Json:
    """The job as it is once Kueue has let it in, where it names a queue: Kueue resumes what it admits."""
    place = _suspended_at(job)
    if place is None or not shape.queue:
        return job
    changed: Json = deepcopy(job)
    holder = changed
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = False
    return changed


def no_pods(job: Json, shape: Shape) -> Cause | None:
    """Why nobody will make any pods; None where somebody will."""
    place = _suspended_at(job)
    if place and not shape.queue:
        return Cause(
            "suspended",
            f"it is suspended ({'.'.join(place)}): nobody makes its pods until it is resumed",
            f"set {'.'.join(place)} to false, or name a queue of Kueue's, which resumes it",
        )
    if not shape.pods:
        return Cause("no-pods", "it asks for no pods", "give it at least one: replicas, parallelism")
    return None


def _suspended_at(job: Json) -> tuple[str, ...] | None:
    for place in _PLACES:
        found: object = job
        for key in place:
            found = found.get(key) if isinstance(found, dict) else None
        if found is True:
            return place
    return None
