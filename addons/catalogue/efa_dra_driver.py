"""The EFA DRA driver (DRANET): its values. See `efa_dra_driver.toml`."""

from muster.addons.addon import Json
from muster.addons.catalogue.efa_device_plugin import placed_by_labels
from muster.addons.context import AddonContext, group_names, tolerations
from muster.addons.sheet import addon
from muster.blueprint.labels import GROUP
from muster.blueprint.node import EFA_RESOURCE


def _values(context: AddonContext) -> Json:
    nodes = context.driven(EFA_RESOURCE)
    chosen = {"keys": [GROUP], "values": group_names(nodes)}
    return {"supportedInstanceLabels": chosen, "tolerations": tolerations(nodes)}


ADDON = addon("efa-dra-driver", values=_values, workloads=placed_by_labels("efa-dra-driver"))
