"""All add-ons. Pure: versions are in `muster.versions`."""

from muster.addons.addon import Addon
from muster.addons.catalogue import (
    csi_drivers,
    device_plugins,
    hyperpod,
    hyperpod_eks_addons,
    karpenter,
    kueue,
    monitoring,
    nvidia_dra_driver,
    trainer,
    training_operator,
    volcano,
)
from muster.addons.sheet import addon

CATALOGUE: dict[str, Addon] = {
    addon.name: addon
    for addon in (
        addon("cert-manager"),
        karpenter.ADDON,
        csi_drivers.FSX,
        csi_drivers.S3,
        addon("nvidia-device-plugin"),
        device_plugins.NEURON,
        device_plugins.EFA,
        nvidia_dra_driver.ADDON,
        device_plugins.EFA_DRA,
        hyperpod.ADDON,
        *hyperpod_eks_addons.ADDONS,
        monitoring.NODE_MONITORING_AGENT,
        addon("metrics-server"),
        monitoring.DCGM_EXPORTER,
        addon("cloudwatch-observability"),
        addon("mpi-operator"),
        training_operator.ADDON,
        addon("jobset"),
        trainer.ADDON,
        volcano.ADDON,
        addon("kuberay-operator"),
        addon("etcd"),
        kueue.ADDON,
    )
}
"""By the name the description uses; in the order of installation, as far as none comes after another."""
