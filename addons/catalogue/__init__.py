"""All add-ons: a sheet each, and for some a module with what depends on the cluster. Pure."""

from muster.addon_sheets import ADDONS
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

_OWN = (
    *csi_drivers.DRIVERS,
    device_plugins.EFA,
    device_plugins.EFA_DRA,
    device_plugins.NEURON,
    hyperpod.ADDON,
    hyperpod_eks_addons.OBSERVABILITY,
    hyperpod_eks_addons.INFERENCE,
    karpenter.ADDON,
    kueue.ADDON,
    monitoring.DCGM_EXPORTER,
    monitoring.NODE_MONITORING_AGENT,
    nvidia_dra_driver.ADDON,
    trainer.ADDON,
    training_operator.ADDON,
    volcano.ADDON,
)
"""Those of which a sheet does not say all."""

_BY_NAME = {each.name: each for each in _OWN}

CATALOGUE: dict[str, Addon] = {name: _BY_NAME.get(name) or addon(name) for name in ADDONS}
"""By the name that a description uses."""
