"""Queues of Volcano and of Kueue, and what may be said of each."""

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt

from muster.fleet.description.identifiers import GroupName, Namespace
from muster.fleet.description.part import Change, Part, field
from muster.fleet.kubernetes_quantity import Quantity

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")

VOLCANOS_DEFAULT, VOLCANOS_ROOT = "default", "root"
"""The Queues that Volcano makes by itself, of jobs that name none and of all others, and lets nobody delete
(`pkg/webhooks/admission/queues/validate` at v1.15.0)."""


def is_queue_name(value: object) -> bool:
    """Whether it could be a queue's name."""
    return isinstance(value, str) and bool(_NAME.fullmatch(value))


def _name(value: str) -> str:
    if not is_queue_name(value):
        raise ValueError(f"'{value}' is not a queue's name; use lower-case letters, digits and dashes, 63 at most")
    return value


def _not_volcanos_own(value: str) -> str:
    if value in {VOLCANOS_DEFAULT, VOLCANOS_ROOT}:
        raise ValueError(f"Volcano makes the queue '{value}' itself; take another name")
    return value


QueueName = Annotated[str, AfterValidator(_name), Field(json_schema_extra={"pattern": f"^{_NAME.pattern}$"})]
"""A label's value, too: jobs name their queue in a label."""

VolcanoQueueName = Annotated[QueueName, AfterValidator(_not_volcanos_own)]


def _amount(value: Any) -> Any:
    """As text, once it is an amount that Kubernetes reads."""
    if Quantity.parse(value).nano < 0:
        raise ValueError(f"'{value}' is less than nothing; write 0 or more")
    return str(value)


Amount = Annotated[str, BeforeValidator(_amount, json_schema_input_type=StrictInt | str)]
"""``8``, ``500m``, ``320Gi``."""

_RESOURCE = re.compile(r"([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")


def _resource(value: str) -> str:
    if not _RESOURCE.fullmatch(value):
        raise ValueError(f"'{value}' is not a resource; write one like cpu or nvidia.com/gpu")
    return value


ResourceName = Annotated[str, AfterValidator(_resource)]
"""``cpu``, ``aws.amazon.com/neuron``."""


class VolcanoQueue(Part):
    """A Queue of Volcano's: jobs name it (`torchx run -cfg queue=NAME`)."""

    weight: StrictInt = field(
        "Its part of the cluster, beside the other queues' weights.", Change.IN_PLACE, default=1, ge=1, le=65535
    )
    capability: dict[ResourceName, Amount] = field(
        "The most that its jobs have together, by resource.", Change.IN_PLACE, default={}
    )
    reclaimable: StrictBool = field(
        "Whether others get back what it takes beyond its part.", Change.IN_PLACE, default=True
    )
    parent: QueueName | None = field(
        "The queue it is a part of. Volcano's scheduler heeds it where its capacity plugin does (`enableHierarchy`).",
        Change.IN_PLACE,
        default=None,
    )


WHOLE = 100


class KueueQueue(Part):
    """A ClusterQueue of Kueue's and a LocalQueue of the same name, which jobs name in a label.

    Without `share` and `nodes` it has an equal part of what the others leave.
    """

    namespace: Namespace = field("Whose jobs it takes; made if it is not there.", Change.REPLACES, default="default")
    share: StrictInt | None = field(
        "So many of a hundred of every group.", Change.IN_PLACE, default=None, ge=1, le=WHOLE
    )
    nodes: dict[GroupName, StrictInt] = field(
        "So many nodes of a group, whatever its share.", Change.IN_PLACE, default={}
    )
    borrow: StrictBool = field(
        "Whether its jobs may have what the other queues leave idle. Those get it back as soon as they need it: jobs "
        "that borrowed are stopped, and wait again.",
        Change.IN_PLACE,
        default=True,
    )


ONLY_QUEUE = "main"
"""The queue there is where nobody divides a cluster."""
