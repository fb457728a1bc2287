"""Every add-on there is. Pure: versions stand in `muster.versions`."""

from addons import (
    efa_device_plugin,
    etcd,
    jobset,
    kuberay_operator,
    kueue,
    mpi_operator,
    neuron_device_plugin,
    nvidia_device_plugin,
    trainer,
    training_operator,
    volcano,
)
from addons.addon import Addon

CATALOGUE: dict[str, Addon] = {
    module.ADDON.name: module.ADDON
    for module in (
        nvidia_device_plugin,
        neuron_device_plugin,
        efa_device_plugin,
        mpi_operator,
        training_operator,
        jobset,
        trainer,
        volcano,
        kuberay_operator,
        etcd,
        kueue,
    )
}
"""By the name the description uses; in the order of installation."""
