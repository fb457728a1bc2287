"""Where a job lives: its namespace, which follows from its queue and its claim, and the label that names the queue."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from muster.jobs.fit import DoesNotFit
from muster.jobs.shape import QUEUE_LABEL

DEFAULT = "default"
"""The namespace of jobs that name none, if kubectl says nothing else."""


class Queue(NamedTuple):
    """A LocalQueue of Kueue's."""

    name: str
    namespace: str = DEFAULT


class Claim(NamedTuple):
    """A claim on a file system."""

    name: str
    namespace: str = DEFAULT


def namespace_of(queue: Queue | None, claim: Claim | None, home: str = DEFAULT) -> str:
    """The namespace that a job with this queue and this claim must be in; `home` where neither binds it.

    Raises:
        DoesNotFit: there is none.
    """
    if queue and claim and queue.namespace != claim.namespace:
        raise DoesNotFit(
            f"the queue '{queue.name}' takes jobs of the namespace '{queue.namespace}', the claim '{claim.name}' is in "
            f"'{claim.namespace}'; choose another --queue, or give both the same namespace below addons:"
        )
    return next((each.namespace for each in (queue, claim) if each), home)


def metadata(
    name: str,
    queue: Queue | None = None,
    claim: Claim | None = None,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    home: str = DEFAULT,
) -> dict[str, Any]:
    """A job's metadata; what is empty is left out. `home` is its namespace where nothing binds it to another.

    Raises:
        DoesNotFit: the queue and the claim are in two namespaces.
    """
    namespace = namespace_of(queue, claim, home)
    every = {**(labels or {}), **({QUEUE_LABEL: queue.name} if queue else {})}
    said = {
        "namespace": "" if namespace == DEFAULT else namespace,
        "labels": every,
        "annotations": dict(annotations or {}),
    }
    return {"name": name, **{key: value for key, value in said.items() if value}}
