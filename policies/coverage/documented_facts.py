"""The documented facts by number, which of them no rule judges and why, and what prevents a failure in place of a
rule."""

from collections.abc import Mapping
from dataclasses import dataclass

from muster.fleet.resources.fleet import EKS, HYPERPOD, PARALLELCLUSTER

_TAGS = {"E": EKS, "H": HYPERPOD, "P": PARALLELCLUSTER}

_ALL = (*range(1, 3), 4, 5, *range(7, 10), 11, 13, *range(19, 22), *range(23, 28), *range(31, 34), 35, 37)
_TAGGED: Mapping[str, tuple[int, ...]] = {
    "EHP": (*_ALL, 50, *range(51, 56)),
    "E": (3, 14, *range(16, 19), 22, 36, *range(38, 43), 45),
    "EH": (10, 15, 43, 44, 46, 47, 48),
    "EP": (6,),
    "H": (49, *range(57, 61)),
    "P": (12, *range(28, 31), 34, 56, 61, 62),
}
"""Whose clusters -> the numbers of the documented rules about them."""

TRAPS = tuple(f"rules.md#trap-{number}" for number in range(1, 4))
"""1: a file system's zone is the Region's first where none is set, and the nodes' another. 2: pods with some of a
node's GPUs that ask for all its EFA. 3: a zone without the type shows as a type that does not exist."""

BACKENDS_OF: Mapping[str, frozenset[str]] = {
    **{
        f"rules.md#{number}": frozenset(_TAGS[letter] for letter in tags)
        for tags, numbers in _TAGGED.items()
        for number in numbers
    },
    TRAPS[0]: frozenset(_TAGS.values()),
    TRAPS[1]: frozenset({EKS, HYPERPOD}),
    TRAPS[2]: frozenset(_TAGS.values()),
}
"""Documented rule -> the backends that it is true of."""

OF_THE_CATALOGUE = tuple(f"hardware.md#R{number}" for number in range(1, 26))

PAINS = (
    *(f"pains.md#{number}" for number in range(1, 23)),
    "pains.md#trap-1",  # a rule that touches what a preview does not know is skipped with a notice
    "pains.md#trap-2",  # a Capacity Block that a program bought no destroy gives back
)

EVERY = (*BACKENDS_OF, *OF_THE_CATALOGUE, *PAINS)
"""Every documented fact."""


# Documented facts that no rule of the pack judges, or only in part, or not on every backend, and why; and the failures
# that something other than a rule prevents. The generated pages print all four.
#
# Numbers as in a rule's `facts` (`policies.coverage.documented_facts` has them all, `docs/facts` says what they are).
# A fact that is not judged is here and in no rule's facts, one that is judged in part in both: tests see to it.

UNJUDGEABLE = {
    "rules.md#6": "names one of several full-bandwidth layouts of p5 (efa on every fourth card, efa-only elsewhere): "
    "AWS's page has another today, and both reach the same bandwidth, so neither is wrong",
    "rules.md#36": "is about Karpenter: its node classes and pools are Kubernetes objects that it reads while it runs",
    "pains.md#17": "is about Karpenter's node classes, as rules.md#36; of Muster's own groups each names one block",
}
"""Fact -> why: a clause whose subject is the documented fact."""

IN_PART = {
    "rules.md#16": "keeps EFA's DRA driver off EKS Auto Mode, too: its nodes are neither groups nor templates, so no "
    "rule sees them",
    "rules.md#20": "limits what an organisation holds on one day to 256 instances: no plan of one account shows the "
    "others; and that a block is neither cancelled nor moved is why buying one must be approved",
    "rules.md#23": "lists the Regions of each type, too: AWS adds to them all the time, and a table that ages must not "
    "refuse what is sold, so only types are judged",
    "rules.md#33": "says that a placement group with reservations in it cannot be deleted: that is a matter of "
    "`destroy`, whose order the engine keeps",
    "rules.md#40": "wants a group on a block at 0 nodes for an upgrade: an upgrade is a difference between two plans, "
    "and how many nodes run then only the account knows",
    "rules.md#41": "says when repair stops by itself (more than five nodes, of which a fifth is unhealthy): that "
    "happens while it runs",
    "rules.md#50": "is judged of AWS's NCCL test images, whose tags say what is in them: of any other image nothing "
    "that a plan shows does, so it passes",
    "rules.md#54": "says that EFA on a file system is for good: a change of it replaces the file system, and "
    "`muster plan` says so of the field",
    "rules.md#57": "rolls a cluster back whose minimum is not there after three hours: whether it is there only AWS "
    "knows then",
    "rules.md#59": "has continuous provisioning as EKS's alone: AWS announced it for Slurm in May 2026, so no rule "
    "refuses that",
    "rules.md#60": "wants the bucket encrypted, too: S3 encrypts every object since January 2023, whatever a program "
    "says",
}
"""Fact that a rule judges -> what of it no rule can: a clause as above."""

_NO_TEMPLATE = {
    HYPERPOD: "SageMaker attaches the interfaces of HyperPod's instances itself: no program lists them",
    PARALLELCLUSTER: "ParallelCluster lays the interfaces of its nodes out itself: no configuration lists them",
}
_TRAINING_PLANS = {HYPERPOD: "HyperPod takes training plans, which have rules of their own, and no reservations of EC2"}
_NO_PLACEMENT = {HYPERPOD: "SageMaker places HyperPod's instances itself: no program names a placement group"}

NOT_ON: Mapping[str, Mapping[str, str]] = {
    "rules.md#1": _NO_TEMPLATE,
    "rules.md#2": _NO_TEMPLATE,
    "rules.md#4": _NO_TEMPLATE,
    "rules.md#11": {HYPERPOD: "HyperPod's instances are in SageMaker's account: nobody else attaches anything to them"},
    "rules.md#19": _TRAINING_PLANS,
    "rules.md#20": _TRAINING_PLANS,
    "rules.md#21": {
        **_TRAINING_PLANS,
        PARALLELCLUSTER: "ParallelCluster follows the state of a block itself: it holds back the nodes of one that "
        "does not run, and takes no dates",
    },
    "rules.md#23": _TRAINING_PLANS,
    "rules.md#27": _TRAINING_PLANS,
    "rules.md#31": _NO_PLACEMENT,
    "rules.md#32": _NO_PLACEMENT,
    "rules.md#33": _NO_PLACEMENT,
    "rules.md#35": _TRAINING_PLANS,
    "rules.md#50": {PARALLELCLUSTER: "images of Slurm jobs stand in batch scripts, which no plan registers"},
}
"""Fact -> backend that it is true of, and whose clusters no rule judges by it -> why."""


@dataclass(frozen=True, slots=True)
class Prevention:
    """What prevents a failure in a rule's place, or beside one."""

    how: str
    """A clause, as above, whose subject is what the project has."""
    test: str
    """Where that is proven: ``tests/fleet/test_shape.py::test_...``."""


PREVENTED: Mapping[str, Prevention] = {
    "hardware.md#R24": Prevention(
        "the catalogue has one column for a type's bandwidth (`network_gbps`) and none for a card's, so nothing sums "
        "them",
        "tests/fleet/test_hardware.py::test_plain_numbers",
    ),
    "pains.md#2": Prevention(
        "the description's `placement-group` is a key of its own that nothing implies: a reservation that AWS provided "
        "gets no group, whatever EFA its nodes have",
        "tests/infra/test_graph.py::test_placement_follows_provenance",
    ),
    "pains.md#3": Prevention(
        "typed configuration refuses a key in another case, and names the one that is meant",
        "tests/fleet/test_shape.py::test_all_faults_at_once_each_at_its_own_place",
    ),
    "pains.md#9": Prevention(
        "jobs are sized by the instance's row of the catalogue: a whole node's GPUs come with all its EFA interfaces",
        "tests/jobs/test_efa_check.py::test_one_pod_a_node_takes_it_whole",
    ),
    "pains.md#12": Prevention(
        "interfaces are derived, and the laws of their layouts hold for every type and layout",
        "tests/fleet/test_interfaces.py::test_as_many_efa_interfaces_as_the_type_takes",
    ),
    "pains.md#15": Prevention(
        "Lustre's sizes are a pure function of type and disks, compared with AWS's matrix",
        "tests/fleet/test_lustre.py::test_exactly_aws_matrix_is_accepted",
    ),
    "pains.md#18": Prevention(
        "a reservation, a Capacity Block and storage name their zone, and the components are a library",
        "tests/infra/test_graph.py::test_type_tokens_are_frozen",
    ),
    "pains.md#20": Prevention(
        "sizes in a description have units, and nodes set their huge pages aside themselves, whatever their image does",
        "tests/infra/test_graph.py::test_user_data_sets_pages_and_pods_before_the_kubelet",
    ),
    "pains.md#22": Prevention(
        "the job `efa-check` counts the EFA interfaces and GPUs of every node after the deployment; before it, the "
        "rules that name this row are one report",
        "tests/jobs/test_efa_check.py::test_it_counts_what_the_node_has",
    ),
    "pains.md#trap-1": Prevention(
        "the pack serves the engine's analyzer itself and judges what a preview knows: each rule is seen to find its "
        "fault in a preview with unknown ids",
        "tests/policies/test_programs.py::test_a_program_that_breaks_a_rule",
    ),
}
"""Fact -> what prevents it."""
