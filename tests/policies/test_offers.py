"""The devices that the nodes of a group offer, or that this is unknown."""

from typing import Any

import pytest

from muster.policies.lookups.device_plugins import group_offers, offers
from muster.unknown import UNKNOWN, if_known, known
from tests.factories import a_fleet, a_group, a_template, an_interface, with_changed
from tests.factories.hyperpod import a_hyperpod_fleet

GPU, EFA, NEURON = "nvidia.com/gpu", "vpc.amazonaws.com/efa", "aws.amazon.com/neuron"
PLAIN, OF_EFA = an_interface(), an_interface(1, 1, "efa-only")
UNSEEN = an_interface(0, 0, UNKNOWN)
ODD = an_interface(UNKNOWN, UNKNOWN, "interface", UNKNOWN)
"""An interface of which only the type is known."""


@pytest.mark.parametrize(
    ("group", "template", "devices"),
    [
        (a_group(), a_template(), {GPU, EFA}),
        (a_group(), a_template(interfaces=()), {GPU}),
        (a_group(), a_template(interfaces=(PLAIN,)), {GPU}),
        (a_group(), a_template(interfaces=(ODD,)), {GPU}),
        (a_group(), a_template(interfaces=(PLAIN, OF_EFA)), {GPU, EFA}),
        (a_group(), a_template(interfaces=(UNSEEN,)), None),
        (a_group(), a_template(interfaces=(PLAIN, UNSEEN)), None),
        (a_group(), a_template(interfaces=(UNSEEN, OF_EFA)), {GPU, EFA}),
        (a_group(), a_template(interfaces=UNKNOWN), None),
        (a_group(), a_template(instance="trn1.32xlarge"), {NEURON, EFA}),
        (a_group(), a_template(instance="c5.2xlarge"), set()),
        (a_group(), a_template(instance="p9.48xlarge", interfaces=()), None),
        (a_group(), a_template(instance=UNKNOWN), None),
        (a_group(), a_template(instance=None), None),
        (a_group(template=None, instance_types=("p5.48xlarge",)), a_template(), {GPU}),
        (a_group(template=UNKNOWN, instance_types=("p5.48xlarge",)), a_template(), None),
    ],
)
def test_the_devices_of_a_group_of_eks(group: Any, template: Any, devices: set[str] | None) -> None:
    """EFA if its template has an EFA interface; unknown if an interface of unknown type can be one."""
    fleet = a_fleet(group, template)
    (one,) = fleet.kubernetes_groups
    found = if_known(lambda: (group_offers(fleet, one), offers(fleet)))
    assert found == (None if devices is None else (devices, devices))


@pytest.mark.parametrize(
    ("instance", "devices"),
    [
        ("ml.p5.48xlarge", {GPU, EFA}),
        ("ml.trn1.32xlarge", {NEURON, EFA}),
        ("ml.c5.2xlarge", set()),
        ("ml.p9.48xlarge", None),
        (UNKNOWN, None),
    ],
)
def test_the_devices_of_a_group_of_hyperpod(instance: Any, devices: set[str] | None) -> None:
    """EFA if the type has EFA."""
    fleet = with_changed(a_hyperpod_fleet(), "workers", instance_type=instance)
    (group,) = [each for each in fleet.kubernetes_groups if each.ref.name == "workers"]
    assert if_known(lambda: group_offers(fleet, group)) == devices


def test_the_devices_of_several_groups() -> None:
    """The devices of all groups; unknown if those of one group are."""
    trn1, plain = a_template("more", "trn1.32xlarge"), a_template(interfaces=())
    assert offers(a_fleet(plain, trn1, a_group("more"))) == frozenset({GPU, NEURON, EFA})
    unknown = a_fleet(plain, a_template("more", "p9.48xlarge", interfaces=()), a_group("more"))
    assert not known(lambda: offers(unknown))
