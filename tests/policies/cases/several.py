"""Several things that one rule judges: what is fine, or unknown, about the first hides nothing about the next."""

from base64 import b64encode
from dataclasses import replace
from typing import Any

from muster.blueprint.logical_names import CLUSTER_REF, EFA_GROUP_REF
from muster.fleet.resources import (
    Fleet,
    LaunchTemplate,
    NodeGroup,
    PodOwner,
    PodTemplate,
    Ref,
)
from muster.unknown import UNKNOWN
from tests.factories import (
    LUSTRE_GROUP_REF,
    a_fleet,
    a_lustre_group,
    a_stored_fleet,
    a_template,
    an_interface,
    described,
)
from tests.policies.case import cases
from tests.policies.cases.pods import EFA, GPU, NEURON, PAGES
from tests.policies.pods import a_pod, asking
from tests.slurms import a_resource, a_slurm_fleet

# pods


def of_specs(owner: PodOwner, *specs: Any) -> Fleet:
    """An object with a pod template for each of some specs, beside nodes with 8 huge pages."""
    pages = b64encode(b"sysctl -w vm.nr_hugepages=8\n").decode()
    templates = tuple(PodTemplate(f"spec[{index}]", spec) for index, spec in enumerate(specs))
    return a_fleet(a_template(user_data=pages), replace(owner, templates=templates))


def after(first: Any) -> Fleet:
    """Pods that request too many huge pages, after other pods of the same object."""
    return of_specs(a_pod(), first, {"containers": [asking({PAGES: "18Mi"})]})


def sharing(instance: str, **requests: int) -> Fleet:
    """A pod with part of a node."""
    named = {"gpu": GPU, "neuron": NEURON, "efa": EFA}
    pod = asking({named[key]: value for key, value in requests.items()})
    selector = {"node.kubernetes.io/instance-type": instance}
    return a_fleet(a_pod(pod, kind="Pod", nodeSelector=selector), without=[NodeGroup, LaunchTemplate])


cases(
    "part-of-node-asks-part-of-efa",
    half_of_the_gpus_and_all_efa_but_one=lambda: sharing("p5.48xlarge", gpu=4, efa=31),
)


# add-ons


cases(
    "group-has-its-device-plugin",
    two_devices_that_an_unreadable_stack_may_offer=lambda: replace(
        described({"addons": {}}), absent=("stack platform: its outputs cannot be read",)
    ),
)


# instance types


def on_a_block(*types: str) -> Fleet:
    return a_slurm_fleet(a_resource(capacity_type="CAPACITY_BLOCK", instances=types))


cases(
    "capacity-block-instance-type",
    types_of_a_block_in_one_order=lambda: on_a_block("a9.huge", "g5.12xlarge", "p5.48xlarge", "z9.huge"),
)


# storage


def open_to(*peers: Ref) -> Fleet:
    """A file system beside nodes whose interfaces carry one of two security groups, not yet known which."""
    unknown = an_interface(groups=UNKNOWN)
    template = a_template(interfaces=(unknown,), depends_on=frozenset({CLUSTER_REF, EFA_GROUP_REF}))
    return a_stored_fleet(a_lustre_group(LUSTRE_GROUP_REF, *peers), template)


cases(
    "lustre-ports-open",
    a_file_system_open_to_all_groups_that_nodes_may_carry=lambda: open_to(CLUSTER_REF, EFA_GROUP_REF),
)
