"""Names, and custom Slurm settings."""

import re
from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ComputeNodeGroup, Fleet, PcsCluster, PcsQueue
from muster.message_text import did_you_mean
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.unknown import UNKNOWN

_FORM = re.compile(r"(?!pcs_)[A-Za-z][A-Za-z0-9-]+")
_LEAST, _MOST, _MOST_OF_CLUSTER = 3, 25, 40


@rule(
    "pcs-names-legal",
    title="Names of clusters, groups and queues have letters, digits and hyphens, with a letter first",
    judges=PcsCluster | ComputeNodeGroup | PcsQueue,
    backends=("pcs",),
    why="PCS rejects other names: 3 to 40 characters for a cluster, 3 to 25 for a group or a queue.",
    source="AWS PCS API, CreateComputeNodeGroup (computeNodeGroupName)",
    remedy="Choose another name.",
    facts=("pcs.md#names",),
)
def pcs_names_legal(thing: PcsCluster | ComputeNodeGroup | PcsQueue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not isinstance(thing.name, str):
        return  # Pulumi gives a name that PCS accepts
    most = _MOST_OF_CLUSTER if isinstance(thing, PcsCluster) else _MOST
    if not _FORM.fullmatch(thing.name) or not _LEAST <= len(thing.name) <= most:
        yield rule.finding(
            thing.place,
            at="name" if isinstance(thing, PcsCluster) else "",
            got=f"'{thing.name}' is not a valid name",
            remedy=f"use {_LEAST} to {most} letters, digits and hyphens, with a letter first",
        )


OF_QUEUES = frozenset(
    {
        "AllowAccounts",
        "AllowQoS",
        "Default",
        "DefaultTime",
        "DenyAccounts",
        "DenyQoS",
        "Exclusive",
        "ExclusiveUser",
        "GraceTime",
        "MaxTime",
        "OverSubscribe",
        "OverTimeLimit",
        "PowerDownOnIdle",
        "PreemptMode",
        "PriorityJobFactor",
        "PriorityTier",
        "QOS",
        "TRESBillingWeights",
    }
)
"""The parameters that the user guide lists for queues. The list grows."""


@rule(
    "pcs-queue-settings-supported",
    title="PCS supports the custom Slurm settings of a queue",
    level=Level.ADVISORY,
    judges=PcsQueue,
    backends=("pcs",),
    why="PCS rejects parameters of a partition that it does not support. Its list grows.",
    source="AWS PCS user guide, Custom Slurm settings for AWS PCS queues",
    remedy="Compare the parameter with the user guide.",
    facts=("pcs.md#settings",),
)
def pcs_queue_settings_supported(queue: PcsQueue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if queue.settings is UNKNOWN:
        yield rule.unjudged(queue.place, "the custom Slurm settings (known only after `pulumi up`)")
        return
    known = {each.lower() for each in OF_QUEUES}
    wrong = [key for key, _ in queue.settings if key.lower() not in known]
    if wrong:
        hint = did_you_mean(wrong[0], sorted(OF_QUEUES))
        yield rule.finding(
            queue.place,
            got=f"the list of PCS's parameters for queues does not have {and_list(wrong)}{hint}",
            remedy=f"if the user guide does not list it either, remove {and_list(wrong)} from slurmCustomSettings",
        )
