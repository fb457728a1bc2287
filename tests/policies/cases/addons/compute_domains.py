"""ComputeDomains for the UltraServers of a description."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.policies.addons import PLUGINS, with_addons
from tests.policies.case import cases


def on_ultraserver(**addons: Any) -> Fleet:
    """The default description with its workers on an UltraServer."""
    named = {name.replace("_", "-"): each for name, each in addons.items()}
    return with_addons({**PLUGINS, **named}, **{"groups.workers.instance": "p6e-gb200.36xlarge"})


cases(
    "ultraserver-has-compute-domains",
    no_ultraserver=lambda: with_addons(PLUGINS),
    no_driver=on_ultraserver,
)
