"""Pods of any program: devices, huge pages, host paths, images."""

from base64 import b64encode
from typing import Any

from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup, PodOwner, PodTemplate
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, a_group, a_template
from tests.policies.case import case, cases
from tests.policies.pods import a_pod, asking

GPU, EFA, NEURON, PAGES = "nvidia.com/gpu", "vpc.amazonaws.com/efa", "aws.amazon.com/neuron", "hugepages-2Mi"
HOST, IMAGE = "infiniband-not-from-host", "p5-image-new-enough"
NCCL = "public.ecr.aws/hpc-cloud/nccl-tests"


# devices-within-instance, whole-node-asks-all-efa, part-of-node-asks-part-of-efa


def beside(one: str, other: str, *containers: Any) -> Fleet:
    """A pod beside nodes of two types; of one pod alone nobody asks for EFA."""
    groups = tuple(each for name in (one, other) for each in (a_template(name, name), a_group(name)))
    return a_fleet(a_pod(*containers, kind="Pod"), *groups, without=[NodeGroup, LaunchTemplate])


@case
def a_pod_not_yet_known() -> Fleet:
    pod = a_pod()
    return a_fleet(PodOwner(pod.ref, pod.kind, (PodTemplate("spec", UNKNOWN),), pod.place))


cases(
    interfaces_not_yet_known=lambda: a_fleet(a_template(interfaces=UNKNOWN), a_pod(asking({GPU: 8, EFA: 8}))),
)


# huge-pages-whole, huge-pages-within-node


def setting_aside(pages: int | None, *containers: Any) -> Fleet:
    """A pod beside nodes whose user data sets pages aside, or says nothing of them."""
    said = "#!/bin/bash\n" if pages is None else f"sysctl -w vm.nr_hugepages={pages}\n"
    return a_fleet(a_template(user_data=b64encode(said.encode()).decode()), a_pod(*containers))


cases(
    huge_pages_without_a_unit=lambda: setting_aside(5128, asking({PAGES: "256"})),
    one_huge_page_more_than_set_aside=lambda: setting_aside(5128, asking({PAGES: "5130Mi"}), asking({PAGES: "5128Mi"})),
)


# neuron-devices-connected


def on_trn1(devices: int, **more: Any) -> Fleet:
    return a_fleet(a_template(instance="trn1.32xlarge"), a_pod(asking({NEURON: devices}), kind="Pod", **more))


cases(
    two_devices_of_a_torus=lambda: on_trn1(2),
)


# p5-image-new-enough


def running(image: Any, instance: str = "p5.48xlarge") -> Fleet:
    container = asking({GPU: 8}, image=image)
    return a_fleet(a_template(instance=instance), a_pod(container, kind="Pod"))


cases(
    an_image_not_yet_known_on_p5=lambda: running(UNKNOWN),
)


# p6-image-new-enough


cases(
    an_image_not_yet_known_on_p6_b200=lambda: running(UNKNOWN, "p6-b200.48xlarge"),
)
