"""Device plugins and DRA drivers, and the nodes they are on."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from muster.fleet.hardware import Accelerator
from muster.fleet.matching import untolerated
from muster.fleet.node import EFA_RESOURCE
from muster.fleet.resources import Fleet, InstanceGroup, NodeGroup, Ref
from muster.fleet.resources.fleet import KubernetesGroup
from policies.reading.hyperpod_bundle import hyperpod_types
from policies.reading.images import image_of
from policies.reading.landing import (
    FOUND_OUT,
    GPU_PRESENT,
    HYPERPOD,
    LATER,
    OF_GPUS,
    Lands,
    Spot,
    hyperpod_spot,
    lands,
    spots,
)
from policies.reading.machines import kubernetes_of
from policies.reading.part import DRIVERS, PLUGINS, Part, What
from policies.reading.parts import in_order, parts
from policies.reading.pods import GPU, efa_of, has
from policies.reading.remembered import remembered
from policies.reading.unknowns import found_at
from policies.reading.versions import numbers
from policies.words import some

_HYPERPOD = frozenset({"hyperpod-helm-chart", "HyperPodHelmChart"})
_LABELLED_SINCE = (1, 35)
"""The kubelet from which on nodeadm labels nodes with GPUs (amazon-eks-ami, nodeadm/internal/kubelet/config.go)."""


def resource_of(what: What) -> str:
    """The devices of a plugin or a DRA driver."""
    return PLUGINS[DRIVERS.get(what, what)]


@remembered(4)
def every_spot(fleet: Fleet) -> tuple[Spot, ...]:
    """The nodes of a fleet, with labels as if whoever labels GPUs were there; those of a HyperPod cluster that is made
    elsewhere, where its chart is."""
    elsewhere = not fleet.of(InstanceGroup)
    hyperpod = elsewhere and any(getattr(each, "chart", "") in _HYPERPOD for each in in_order(fleet))
    return (*spots(fleet), *(hyperpod_spot(machine) for machine in (hyperpod_types() if hyperpod else ())))


@remembered(4)
def labelled_spots(fleet: Fleet) -> tuple[Spot, ...]:
    """The groups' nodes with the labels they really have, as far as anybody knows who sets them."""
    features = any(_discovers(each) for each in parts(fleet, What.NVIDIA_PLUGIN, What.GPU_DRIVER, What.GPU_TOOLKIT))
    return tuple(_labelled(spot, fleet, features=features) for spot in spots(fleet, OF_GPUS if features else {}))


def labelled_spots_of(group: KubernetesGroup, fleet: Fleet) -> tuple[Spot, ...]:
    """Those of one group."""
    return _by_group(fleet).get(group.ref, ())


@remembered(4)
def _by_group(fleet: Fleet) -> Mapping[Ref, tuple[Spot, ...]]:
    found: dict[Ref, tuple[Spot, ...]] = {}
    for spot in labelled_spots(fleet):
        if spot.group is not None:
            found[spot.group.ref] = (*found.get(spot.group.ref, ()), spot)
    return found


def _labelled(spot: Spot, fleet: Fleet, *, features: bool) -> Spot:
    group = spot.group
    # What HyperPod's images say of their GPUs is written nowhere.
    if features or spot.machine.accelerator is not Accelerator.GPU or not isinstance(group, NodeGroup):
        return spot
    version = numbers(kubernetes_of(group, fleet)[0])
    by_kubelet = version is not None and version >= _LABELLED_SINCE
    known = {GPU_PRESENT: "true", **spot.said} if by_kubelet else spot.said
    # Of a described cluster all add-ons are known: what none of them sets, nobody does.
    later = LATER if spot.whole and group.purpose is not None else LATER + FOUND_OUT
    return replace(spot, said=known, later=later)


def _discovers(part: Part) -> bool:
    """Whether a part's add-on brings Node Feature Discovery along. HyperPod's chart has both charts in it: what they
    are told stands below it there."""
    values = part.addon.values if hasattr(part.addon, "values") else {}
    _, *within = part.at.split(".")
    if part.what is not What.NVIDIA_PLUGIN or part.at.endswith("devicePlugin"):
        return found_at(values, *within[:-1], "nfd", "enabled") is not False
    said = found_at(values, *within, "nfd", "enabled")
    return said is True or (said is None and found_at(values, *within, "gfd", "enabled") is True)


_HYPERPODS = "HyperPod's nodes"


def whose(spots: Iterable[Spot]) -> set[str]:
    """The groups of nodes, by name; those of a HyperPod cluster that is made elsewhere together."""
    return {_HYPERPODS if HYPERPOD in spot.said and spot.group is None else spot.name for spot in spots}


def lands_on(part: Part, spot: Spot) -> Lands:
    """Whether any pod of a part may be on a node."""
    answers = {lands(each, spot) for each in part.pods}
    return Lands.YES if Lands.YES in answers else Lands.MAYBE if Lands.MAYBE in answers else Lands.NO


def offers_device(spot: Spot, resource: str, fleet: Fleet) -> bool | None:
    """Whether a node has devices of a kind; None where that is not known."""
    if resource == EFA_RESOURCE:
        found = efa_of(spot, fleet)
        return None if found is None else found > 0
    return bool(has(spot, resource, fleet))


def plugin_built_in(spot: Spot, resource: str, fleet: Fleet) -> bool:
    """Whether the image of a node has its own plugin for it: Bottlerocket's NVIDIA variant has."""
    if resource != GPU or spot.group is None or isinstance(spot.group, InstanceGroup):
        return False
    image, _ = image_of(spot.group, fleet)
    system = image.kind.system if image else spot.group.family
    return system == "bottlerocket" and spot.machine.accelerator is Accelerator.GPU


def why_kept_off(part: Part, spot: Spot) -> str:
    """Why the pods of a plugin or driver do not run on nodes."""
    taints = {str(taint) for pod in part.pods for taint in untolerated(pod, spot.taints)}
    return (
        f"its pods do not tolerate {some(taints)}" if taints else "its affinity or node selector does not choose them"
    )
