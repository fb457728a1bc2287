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

_MODULES = (
    *(device_plugins, hyperpod, hyperpod_eks_addons, karpenter, kueue, monitoring),
    *(nvidia_dra_driver, trainer, training_operator, volcano),
)
_OWN = (*csi_drivers.DRIVERS, *(each for module in _MODULES for each in vars(module).values()))
_BY_NAME = {each.name: each for each in _OWN if isinstance(each, Addon)}
"""Those of which a sheet does not say all."""

CATALOGUE: dict[str, Addon] = {name: _BY_NAME.get(name) or addon(name) for name in ADDONS}
"""By the name that a description uses."""
