"""All add-ons. Pure: versions are in `muster.versions`."""

from muster.addons.addon import Addon
from muster.addons.catalogue import (
    cloudwatch_observability,
    dcgm_exporter,
    efa_device_plugin,
    efa_dra_driver,
    eks_node_monitoring_agent,
    etcd,
    fsx_csi_driver,
    hyperpod,
    hyperpod_eks_addons,
    hyperpod_inference,
    karpenter,
    kueue,
    neuron_device_plugin,
    nvidia_device_plugin,
    nvidia_dra_driver,
    s3_csi_driver,
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
        fsx_csi_driver.ADDON,
        s3_csi_driver.ADDON,
        nvidia_device_plugin.ADDON,
        neuron_device_plugin.ADDON,
        efa_device_plugin.ADDON,
        nvidia_dra_driver.ADDON,
        efa_dra_driver.ADDON,
        hyperpod.ADDON,
        *hyperpod_eks_addons.ADDONS,
        hyperpod_inference.ADDON,
        eks_node_monitoring_agent.ADDON,
        addon("metrics-server"),
        dcgm_exporter.ADDON,
        cloudwatch_observability.ADDON,
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
