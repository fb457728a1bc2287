"""A compute resource of ParallelCluster: a group of equal nodes in a queue."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, StrictBool, StrictInt, model_validator
from pydantic_core import PydanticCustomError

from muster.fleet.description.capacity import Capacity
from muster.fleet.description.group_core import GroupCore, InstanceType, Purpose
from muster.fleet.description.part import WHOLE, Change, Nothing, Part, field
from muster.fleet.hardware import hardware
from muster.fleet.interfaces import Layout
from muster.fleet.quantity import Size

MOST_NODES = 5000


class NodeRange(Part):
    """How many nodes: always, and at most. A single number keeps that many running."""

    min: StrictInt = field(
        "Nodes that run always (static). More start in place; fewer want the fleet stopped, or `on-update: terminate`.",
        Change.FLEET_STOP,
        ge=0,
        le=MOST_NODES,
    )
    max: StrictInt = field(
        "Nodes at most: those beyond `min` start for jobs and go when idle (dynamic). Fewer cost what fewer `min` do.",
        Change.FLEET_STOP,
        ge=1,
        le=MOST_NODES,
    )

    @model_validator(mode="after")
    def _ordered(self) -> "NodeRange":
        if self.min > self.max:
            raise ValueError(
                f"min is {self.min} and max {self.max}; raise max to {self.min}, or lower min to {self.max}"
            )
        return self

    @property
    def start(self) -> int:
        """How many run at first."""
        return self.min

    @property
    def fixed(self) -> bool:
        """Whether the number is one for good."""
        return self.min == self.max


def node_range(value: Any) -> Any:
    """A single number as the block it stands for."""
    if isinstance(value, dict | NodeRange):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_NODES:
        raise PydanticCustomError(
            "choice",
            "'{found}' is not a number of nodes; write one from 1 to {most}, as in 4, or {form}",
            {
                "found": value if not isinstance(value, bool) else str(value).lower(),
                "most": MOST_NODES,
                "form": "{min, max}",
            },
        )
    return {"min": value, "max": value}


class ComputeResource(GroupCore):
    """One compute resource: nodes of one type, from one kind of capacity."""

    self_managed: ClassVar[bool] = False

    purpose: Purpose = field(
        "training, inference or system (CPU nodes). Training nodes have EFA and a placement group.",
        Change.FLEET_STOP,
        alias="for",
    )
    instance: InstanceType = field("An EC2 instance type.", Change.FLEET_STOP)
    nodes: Annotated[
        NodeRange,
        BeforeValidator(node_range, json_schema_input_type=NodeRange | Annotated[int, Field(ge=1, le=MOST_NODES)]),
    ] = field("A number, or {min, max}.", Change.FLEET_STOP)
    capacity: Capacity = field(
        "Where instances come from; on-demand without it. One kind in a queue.",
        Change.DRAINS,
        default=Capacity(**{"on-demand": Nothing()}),
    )
    efa: StrictBool | None = field(
        "Whether its nodes have EFA. Without it: on for training, on types that have it.",
        Change.FLEET_STOP,
        default=None,
    )
    threads_per_core: Annotated[Literal[1, 2], WHOLE] = field(
        "1 turns hyper-threading off.", Change.FLEET_STOP, default=2
    )
    memory: Size | None = field(
        "Memory that jobs may have on a node (`SchedulableMemory`); 95 of a hundred of the type's without it.",
        Change.DRAINS,
        default=None,
    )

    @property
    def instance_type(self) -> str:
        """Its type."""
        return self.instance

    @property
    def nodes_now(self) -> NodeRange:
        """The numbers as AWS is told them. A Capacity Block that has not begun keeps its nodes: ParallelCluster holds
        them back by a reservation of Slurm's until it begins."""
        return self.nodes

    @property
    def has_efa(self) -> bool:
        """Whether its nodes have EFA: what was said, or whether it trains on a type that has it."""
        if self.efa is not None:
            return self.efa
        return self.purpose is Purpose.TRAINING and hardware(self.instance).max_efa > 0

    @property
    def layout(self) -> Layout:
        """ParallelCluster's layout of network interfaces."""
        return Layout.AWS if self.has_efa else Layout.PLAIN
