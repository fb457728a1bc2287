"""HyperPod's task governance: the quotas of teams, and the priority classes of jobs.

The forms and limits are those of the API (botocore `sagemaker`, CreateComputeQuota and CreateClusterSchedulerConfig).
Where the API accepts names that Kubernetes refuses, Kubernetes decides: a team is a namespace and a part of a label.
"""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, Field, StrictBool, StrictInt, model_validator

from muster.config.description.base import Change, Form, StrictModel, key, optional
from muster.config.description.node_group import InstanceType
from muster.size import Size, whole_gib_within

_LONGEST_LABEL = 63
MOST_TYPES = 15
"""Entries of a team's quota (`ComputeQuotaResourceConfigList`)."""
MOST_PRIORITIES = 10
"""Priority classes of a cluster policy (`PriorityClassList`)."""
MOST_BORROWED = 10_000
"""Percent of its own quota that a team may borrow (SageMaker guide, "Policies")."""
MOST_AMOUNT = 10_000_000
"""The maximum of every amount in the API."""
HIGHEST_WEIGHT = 100
PROFILES = (
    *("mig-1g.5gb", "mig-1g.10gb", "mig-1g.18gb", "mig-1g.20gb", "mig-1g.23gb", "mig-1g.35gb", "mig-1g.45gb"),
    *("mig-1g.47gb", "mig-2g.10gb", "mig-2g.20gb", "mig-2g.35gb", "mig-2g.45gb", "mig-2g.47gb", "mig-3g.20gb"),
    *("mig-3g.40gb", "mig-3g.71gb", "mig-3g.90gb", "mig-3g.93gb", "mig-4g.20gb", "mig-4g.40gb", "mig-4g.71gb"),
    *("mig-4g.90gb", "mig-4g.93gb", "mig-7g.40gb", "mig-7g.80gb", "mig-7g.141gb", "mig-7g.180gb", "mig-7g.186gb"),
)
"""The API's names of MIG partitions (`MIGProfileType`)."""


def _name(what: str, added: str) -> Form:
    """A name that is part of a label, with what HyperPod adds to it."""
    longest = _LONGEST_LABEL - len(added)
    example = f"research, with lower-case letters, digits and dashes between them, at most {longest} characters"
    return Form("[a-z0-9]([-a-z0-9]*[a-z0-9])?", f"a valid name of a {what}", example, longest)


def _no_priority(value: str) -> str:
    if value.endswith("-priority"):
        raise ValueError(
            f"'{value}' ends in -priority, which HyperPod adds itself; write '{value.removesuffix('-priority')}'"
        )
    return value


def _profile(value: str) -> str:
    if value in PROFILES:
        return value
    hint = f"mig-{value}" if f"mig-{value}" in PROFILES else "a profile like mig-1g.10gb"
    raise ValueError(f"SageMaker has no MIG profile '{value}'; write {hint}")


TeamName = Annotated[str, _name("team", "hyperpod-ns--localqueue")]
PriorityName = Annotated[str, _name("priority class", "-priority"), AfterValidator(_no_priority)]
Memory = Annotated[Size, AfterValidator(whole_gib_within(Size(1024), Size(MOST_AMOUNT * 1024), "a quota of memory"))]
Weight = Annotated[StrictInt, Field(ge=0, le=HIGHEST_WEIGHT)]


class Partitions(StrictModel):
    """Parts of GPUs (MIG)."""

    profile: Annotated[str, AfterValidator(_profile), Field(json_schema_extra={"enum": list(PROFILES)})] = key(
        "MIG profile, as in mig-1g.10gb.", Change.IN_PLACE
    )
    count: StrictInt = key("Number of partitions.", Change.IN_PLACE, ge=1, le=MOST_AMOUNT)


class Quota(StrictModel):
    """An amount of one instance type: whole instances, or individual resources.

    If only some individual resources are set, SageMaker calculates the others by their ratio in the instance.
    """

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        own = {"accelerators": self.accelerators, "vcpus": self.vcpus, "memory": self.memory}
        parts = [
            *(key for key, value in own.items() if value is not None),
            *(["partitions"] if self.partitions else []),
        ]
        if self.instances is None and not parts:
            raise ValueError("the quota is empty; write instances, or accelerators, vcpus, memory or partitions")
        if self.instances is not None and parts:
            raise ValueError(
                f"instances and {parts[0]} are both set; write instances for whole instances, or {parts[0]} for a part "
                "of them"
            )
        if self.partitions and self.accelerators is not None:
            raise ValueError("accelerators and partitions are both set; remove one of them")
        return self

    instances: StrictInt | None = optional("Number of instances.", Change.IN_PLACE, ge=0, le=MOST_AMOUNT)
    accelerators: StrictInt | None = optional(
        "Number of accelerators: GPUs, or Neuron devices. Default: none; with `instances`, those of the instances.",
        Change.IN_PLACE,
        ge=0,
        le=MOST_AMOUNT,
    )
    vcpus: StrictInt | None = optional(
        "Number of vCPUs. Default: the same share of the instance as the accelerators, partitions or memory.",
        Change.IN_PLACE,
        ge=0,
        le=MOST_AMOUNT,
    )
    memory: Memory | None = optional(
        "Memory, in whole GiB. Default: the same share of the instance as the accelerators, partitions or vCPUs.",
        Change.IN_PLACE,
    )
    partitions: Partitions | None = optional(
        "Parts of GPUs (MIG), instead of `accelerators`. Default: none.", Change.IN_PLACE
    )


Quotas = Annotated[dict[InstanceType, Quota], Field(max_length=MOST_TYPES)]


class Sharing(StrEnum):
    """What a team does with idle compute."""

    LEND_AND_BORROW = "lend-and-borrow"
    LEND = "lend"
    NONE = "none"

    @property
    def aws(self) -> str:
        """The value in the API: ``LendAndBorrow``."""
        return {"lend-and-borrow": "LendAndBorrow", "lend": "Lend", "none": "DontLend"}[self.value]


class Team(StrictModel):
    """A team and its quota (`ComputeQuota`). HyperPod creates the namespace `hyperpod-ns-TEAM` and its queue."""

    @model_validator(mode="after")
    def _borrows(self) -> Self:
        given = [
            key
            for key, value in (("borrow-percent", self.borrow_percent), ("borrow-limits", self.borrow_limits or None))
            if value is not None
        ]
        if given and self.sharing is not Sharing.LEND_AND_BORROW:
            raise ValueError(
                f"{given[0]} is set, but the team borrows nothing with sharing: {self.sharing.value}; write sharing: "
                f"lend-and-borrow, or remove {given[0]}"
            )
        return self

    quota: Quotas = key(
        "What the team always gets, by EC2 instance type without `ml.`: {p5.48xlarge: {instances: 2}}.",
        Change.IN_PLACE,
        min_length=1,
    )
    sharing: Sharing = key(
        "Idle compute: lend-and-borrow, lend, or none, which neither lends nor borrows. Default: lend-and-borrow.",
        Change.IN_PLACE,
        default=Sharing.LEND_AND_BORROW,
    )
    borrow_percent: StrictInt | None = optional(
        "What the team may borrow of each resource, in percent of its own quota. Default: 50, which SageMaker sets.",
        Change.IN_PLACE,
        ge=0,
        le=MOST_BORROWED,
    )
    borrow_limits: Quotas = key(
        "What the team may borrow at most, by instance type, as in `quota`. Default: only the percentage limits it.",
        Change.IN_PLACE,
        default={},
    )
    weight: Weight = key(
        "Weight among teams that borrow, 0 (last) to 100, with `fair-share`. Default: 0.",
        Change.IN_PLACE,
        default=0,
    )
    preempt_own_jobs: StrictBool = key(
        "Whether the team's jobs of higher priority stop its jobs of lower priority. Default: true.",
        Change.IN_PLACE,
        default=True,
    )


class TaskGovernance(StrictModel):
    """Quotas of teams, and the cluster policy. They need the add-on `hyperpod-task-governance`.

    `pulumi up` creates the quotas. No Pulumi provider has the cluster policy (`priorities`, `fair-share`,
    `share-unallocated`): `muster config --cluster-policy` prints its request for the AWS CLI.
    """

    teams: dict[TeamName, Team] = key(
        "Teams by name. HyperPod creates the namespace `hyperpod-ns-TEAM` for each. If you rename a team, Muster "
        "creates a new one. Default: none.",
        Change.REPLACES,
        default={},
    )
    priorities: Annotated[dict[PriorityName, Weight], Field(max_length=MOST_PRIORITIES)] = key(
        "Priority classes of jobs with their weights, 0 (lowest) to 100: {training: 70, inference: 90}. Jobs set the "
        "label `kueue.x-k8s.io/priority-class` to the name with `-priority`. Not created by `pulumi up`. Default: "
        "none, so that jobs start in the order in which they are submitted.",
        Change.NOTHING,
        default={},
    )
    fair_share: StrictBool = key(
        "Whether teams borrow by their `weight`, instead of first come, first served. Not created by `pulumi up`. "
        "Default: true.",
        Change.NOTHING,
        default=True,
    )
    share_unallocated: StrictBool = key(
        "Whether teams may borrow what is in no team's quota. Not created by `pulumi up`. Default: false.",
        Change.NOTHING,
        default=False,
    )
