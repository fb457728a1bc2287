"""A thing that an add-on brings to a cluster, and that another may bring, too: a device plugin, a CRD, a controller."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from muster.fleet.resources import Addon, EksAddon


class What(StrEnum):
    """What it is, in words."""

    NVIDIA_PLUGIN = "the NVIDIA device plugin"
    EFA_PLUGIN = "the EFA device plugin"
    NEURON_PLUGIN = "the Neuron device plugin"
    NVIDIA_DRA = "the NVIDIA DRA driver"
    EFA_DRA = "the EFA DRA driver"
    NEURON_DRA = "the Neuron DRA driver"
    GPU_DRIVER = "the GPU operator's driver"
    GPU_TOOLKIT = "the GPU operator's container toolkit"
    MPI_JOBS = "mpijobs.kubeflow.org"
    TRAINING_OPERATOR = "the training operator"
    TRAINER = "Kubeflow Trainer"
    KUEUE = "Kueue"
    JOBSET = "the JobSet controller"
    FSX_CSI = "the FSx for Lustre CSI driver"
    ETCD = "etcd"
    AUTO_RESUME = "HyperPod's job auto-resume"


PLUGINS = {
    What.NVIDIA_PLUGIN: "nvidia.com/gpu",
    What.EFA_PLUGIN: "vpc.amazonaws.com/efa",
    What.NEURON_PLUGIN: "aws.amazon.com/neuron",
}
"""Device plugin -> the resource that it makes nodes offer."""

DRIVERS = {
    What.NVIDIA_DRA: What.NVIDIA_PLUGIN,
    What.EFA_DRA: What.EFA_PLUGIN,
    What.NEURON_DRA: What.NEURON_PLUGIN,
}
"""DRA driver -> the plugin for the same devices."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One such thing of one add-on."""

    what: What
    addon: Addon | EksAddon
    version: str | None = None
    """Its own, which is not always its chart's; None where it is not known."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """What its own chart is given, wherever that chart is inside another."""
    off: str = ""
    """The value of the add-on that leaves it out: ``devicePlugin.enabled: false``. Empty where the add-on is nothing
    else."""
    at: str = ""
    """Where below the add-on its values stand: ``values.nvidia-device-plugin``."""
    pods: tuple[Mapping[str, Any], ...] = ()
    """Of what runs on nodes: the part of its pods' specs that says on which."""

    @property
    def name(self) -> str:
        """The add-on's name, as its program or description has it."""
        return self.addon.ref.name

    @property
    def bundled(self) -> bool:
        """Whether its add-on is more than that."""
        return bool(self.off)

    @property
    def without(self) -> str:
        """How to be without it."""
        return f"set {self.off} among the values of {self.name}" if self.off else f"remove {self.name}"
