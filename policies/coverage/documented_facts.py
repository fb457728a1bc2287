"""The documented facts by number, the facts that no rule judges and why, and what prevents a failure instead of a
rule."""

from collections.abc import Mapping
from dataclasses import dataclass

from muster.fleet.backend_sets import EKS, HYPERPOD, PARALLELCLUSTER, PCS

_TAGS = {"E": EKS, "H": HYPERPOD, "P": PARALLELCLUSTER, "S": PCS}

_ALL = (*range(1, 3), 4, 5, *range(7, 10), 11, 13, *range(19, 22), *range(23, 28), *range(31, 34), 35, 37)
_TAGGED: Mapping[str, tuple[int, ...]] = {
    "EHPS": (*_ALL, 50, *range(51, 56)),
    "E": (3, 14, *range(16, 19), 22, 36, *range(38, 43), 45),
    "EH": (10, 15, 43, 44, 46, 47, 48),
    "EP": (6,),
    "H": (49, *range(57, 61)),
    "P": (12, *range(28, 31), 34, 56, 61, 62),
}
"""Backends, by their letters -> the numbers of the documented rules about their clusters."""

TRAPS = tuple(f"rules.md#trap-{number}" for number in range(1, 4))
"""1: a file system without a zone is in the Region's first zone, and the nodes are in another. 2: pods with some of a
node's GPUs request all its EFA interfaces. 3: EC2 reports a type that a zone does not offer as one that does not
exist."""

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
"""Documented rule -> the backends for which it is true."""

OF_THE_CATALOGUE = tuple(f"hardware.md#R{number}" for number in range(1, 26))

PAINS = (
    *(f"pains.md#{number}" for number in range(1, 23)),
    "pains.md#trap-1",  # a rule that touches what a preview does not know is skipped with a notice
    "pains.md#trap-2",  # `destroy` does not return a Capacity Block that a program bought
)

EVERY = (*BACKENDS_OF, *OF_THE_CATALOGUE, *PAINS)
"""Every documented fact."""


# Documented facts that no rule of the pack judges, or only in part, or not on every backend, and why; and the failures
# that something other than a rule prevents. The generated pages print all four.
#
# The numbers are those of a rule's `facts` (`docs/facts` has the facts).
# A fact that no rule judges is here and in no rule's facts; one that is judged in part is in both. Tests check this.

UNJUDGEABLE = {
    "rules.md#6": "describes one of several full-bandwidth layouts of p5 (efa on every fourth card, efa-only on the "
    "others). AWS's page now shows another layout. Both reach the same bandwidth, so neither is wrong",
    "pains.md#17": "is about Karpenter before its pull request 8508 of September 2025. Since then it uses all blocks",
}
"""Fact -> why: a clause whose subject is the documented fact. The next table has the same."""

IN_PART = {
    "rules.md#16": "also excludes EFA's DRA driver on EKS Auto Mode. Nodes of Auto Mode are neither groups nor "
    "templates, so rules cannot evaluate them",
    "rules.md#20": "limits an organization to 256 instances on one day, but the plan of one account does not show the "
    "other accounts. It also states that a block cannot be canceled or moved: this is why a purchase needs an approval",
    "rules.md#23": "also lists the Regions of each type. AWS adds Regions often, and an outdated table must not refuse "
    "what AWS sells, so the rules judge only types",
    "rules.md#33": "states that a placement group with reservations in it cannot be deleted. This concerns `destroy`, "
    "and the engine deletes resources in the right order",
    "rules.md#40": "requires 0 nodes in a group on a block for an upgrade. An upgrade is a difference between two "
    "plans, and only the account shows how many nodes then run",
    "rules.md#41": "states when node repair stops by itself (more than five nodes, of which a fifth is unhealthy). "
    "That happens at run time",
    "rules.md#50": "is judged for AWS's NCCL test images, whose tags state their contents. A plan does not show the "
    "contents of any other image, so other images pass",
    "rules.md#54": "states that EFA on a file system cannot be changed. A change replaces the file system, and "
    "`muster plan` reports this for the field",
    "rules.md#57": "states that HyperPod rolls a cluster back if its minimum does not run after three hours. Only AWS "
    "knows whether it runs",
    "rules.md#59": "states that continuous provisioning is only for EKS. AWS announced it for Slurm in May 2026, so no "
    "rule refuses it",
    "rules.md#60": "also requires an encrypted bucket. Since January 2023, S3 encrypts every object, whatever a "
    "program sets",
}
"""Fact that a rule judges -> the part that no rule can judge: a clause as above."""

_NO_TEMPLATE = {
    HYPERPOD: "SageMaker attaches the interfaces of HyperPod's instances, so no program lists them",
    PARALLELCLUSTER: "ParallelCluster chooses the interfaces of its nodes, so no configuration lists them",
}
_TRAINING_PLANS = {HYPERPOD: "HyperPod uses training plans, which have their own rules, and no EC2 reservations"}
_NO_PLACEMENT = {HYPERPOD: "SageMaker places HyperPod's instances, so no program names a placement group"}

NOT_ON: Mapping[str, Mapping[str, str]] = {
    "rules.md#1": _NO_TEMPLATE,
    "rules.md#2": _NO_TEMPLATE,
    "rules.md#4": _NO_TEMPLATE,
    "rules.md#11": {
        HYPERPOD: "HyperPod's instances are in SageMaker's account, so a program cannot attach anything to them"
    },
    "rules.md#19": _TRAINING_PLANS,
    "rules.md#20": _TRAINING_PLANS,
    "rules.md#21": {
        **_TRAINING_PLANS,
        PARALLELCLUSTER: "ParallelCluster monitors the state of a block, holds back the nodes of a block that is not "
        "active, and has no setting for dates",
        PCS: "a group on PCS has no `active`, and no schedule that scales it to 0 before the block ends",
    },
    "rules.md#23": _TRAINING_PLANS,
    "rules.md#27": _TRAINING_PLANS,
    "rules.md#31": _NO_PLACEMENT,
    "rules.md#32": _NO_PLACEMENT,
    "rules.md#33": _NO_PLACEMENT,
    "rules.md#35": _TRAINING_PLANS,
    "rules.md#50": dict.fromkeys(
        (PARALLELCLUSTER, PCS), "images of Slurm jobs are in batch scripts, which no plan registers"
    ),
}
"""Fact -> backend for which it is true, but on which no rule judges it -> why."""


@dataclass(frozen=True, slots=True)
class Prevention:
    """What prevents a failure instead of a rule, or in addition to one."""

    how: str
    """A clause about the part of the project that prevents it."""
    test: str
    """The test of it: ``tests/fleet/test_shape.py::test_...``."""


PREVENTED: Mapping[str, Prevention] = {
    "hardware.md#R24": Prevention(
        "the hardware table has one column for the bandwidth of a type (`network_gbps`) and none for a card, so no "
        "code adds the cards up",
        "tests/fleet/test_hardware.py::test_plain_numbers",
    ),
    "pains.md#2": Prevention(
        "`placement-group` is a separate key of the description, which no other key implies. Nodes on a reservation "
        "that AWS provided get no placement group, with or without EFA",
        "tests/infra/test_graph.py::test_placement_follows_provenance",
    ),
    "pains.md#3": Prevention(
        "typed configuration refuses a key in another case, and suggests the right key",
        "tests/fleet/test_shape.py::test_all_faults_at_once_each_at_its_own_place",
    ),
    "pains.md#9": Prevention(
        "the hardware table of the instance type sizes jobs: all GPUs of a node come with all its EFA interfaces",
        "tests/jobs/test_efa_check.py::test_one_pod_a_node_takes_it_whole",
    ),
    "pains.md#12": Prevention(
        "Muster derives interfaces, and tests check the layouts of every instance type",
        "tests/fleet/test_interfaces.py::test_as_many_efa_interfaces_as_the_type_takes",
    ),
    "pains.md#15": Prevention(
        "a function of type and disks gives Lustre's sizes, and a test compares it with AWS's table",
        "tests/fleet/test_lustre.py::test_exactly_aws_matrix_is_accepted",
    ),
    "pains.md#18": Prevention(
        "reservations, Capacity Blocks and storage state their zone, and the components are a library",
        "tests/infra/test_graph.py::test_type_tokens_are_frozen",
    ),
    "pains.md#20": Prevention(
        "sizes in a description have units, and nodes reserve their huge pages themselves, with any image",
        "tests/infra/test_graph.py::test_user_data_sets_pages_and_pods_before_the_kubelet",
    ),
    "pains.md#22": Prevention(
        "the job `efa-check` counts the EFA interfaces and GPUs of every node after the deployment. Before the "
        "deployment, the rules of this row report the faults together",
        "tests/jobs/test_efa_check.py::test_it_counts_what_the_node_has",
    ),
    "pains.md#trap-1": Prevention(
        "the pack implements the engine's analyzer and judges what a preview knows. Tests show that each rule finds "
        "its fault in a preview with unknown ids",
        "tests/policies/test_programs.py::test_a_program_that_breaks_a_rule",
    ),
}
"""Fact -> what prevents it."""
