"""ComputeDomains for the UltraServers of a description."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.policies.addons import PLUGINS, a_chart, with_addons
from tests.policies.capacity_blocks import theirs
from tests.policies.case import cases

GPUS_OFF: dict[str, Any] = {"resources": {"gpus": {"enabled": False}}}
NO_DOMAINS: dict[str, Any] = {"resources": {"gpus": {"enabled": False}, "computeDomains": {"enabled": False}}}


def on_ultraserver(**addons: Any) -> Fleet:
    """The default description with its workers on an UltraServer."""
    named = {name.replace("_", "-"): each for name, each in addons.items()}
    return with_addons({**PLUGINS, **named}, **{"groups.workers.instance": "p6e-gb200.36xlarge"})


cases(
    "ultraserver-has-compute-domains",
    no_ultraserver=lambda: with_addons(PLUGINS),
    no_driver=on_ultraserver,
    the_driver_for_compute_domains=lambda: on_ultraserver(nvidia_dra_driver={"values": GPUS_OFF}),
    the_driver_without_compute_domains=lambda: on_ultraserver(nvidia_dra_driver={"values": NO_DOMAINS}),
    the_driver_as_a_chart=lambda: on_ultraserver(
        charts={"dra": a_chart("nvidia-dra-driver-gpu", "25.8.0", **GPUS_OFF)}
    ),
    another_program=lambda: theirs(template={"instance": "p6e-gb200.36xlarge", "interfaces": ()}),
)
