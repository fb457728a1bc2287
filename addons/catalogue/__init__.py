"""All add-ons. Pure: versions are in `muster.versions`."""

from muster.addons.addon import Addon
from muster.addons.catalogue import (
    csi_drivers,
    efa,
    etcd,
    hyperpod,
    hyperpod_eks_addons,
    karpenter,
    kueue,
    monitoring,
    neuron_device_plugin,
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
        neuron_device_plugin.ADDON,
        efa.DEVICE_PLUGIN,
        nvidia_dra_driver.ADDON,
        efa.DRA_DRIVER,
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
        etcd.ADDON,
        kueue.ADDON,
    )
}
"""By the name the description uses; in the order of installation, as far as none comes after another."""
