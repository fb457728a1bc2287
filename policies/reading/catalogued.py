"""Which of a fleet's add-ons are of Muster's catalogue."""

from addons.addon import Addon as Known
from addons.catalogue import CATALOGUE
from muster.fleet.resources import Addon
from muster.fleet.resources.place import KUBERNETES_ADDON


def catalogued(addon: Addon) -> Known | None:
    """What the catalogue says of an add-on that Muster installs; None of another program's, or of a chart of the
    user's own, whatever that is called."""
    return CATALOGUE.get(addon.ref.name) if addon.ref.type == KUBERNETES_ADDON else None
