"""The instance types that tests make whole clusters of. What holds for every type of EC2 is in `tests/fleet`."""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from muster.hardware.catalogue import Hardware, accelerated_types, hardware, instance_types
from muster.hardware.other_types import newer_driver_since

PLAIN = ("c5.2xlarge", "c5n.18xlarge", "hpc7a.96xlarge", "m5.2xlarge", "m5.8xlarge", "m7g.2xlarge")
"""Some without accelerators: with and without EFA, x86_64 and arm64."""


def _trains(machine: Hardware) -> bool:
    pinned = machine.instance.partition(".")[0] not in newer_driver_since()
    return machine.vcpus >= 8 and machine.gpu_fraction == 1 and pinned


CLUSTER_TYPES = (*(each for each in accelerated_types() if _trains(hardware(each))), *PLAIN)
"""Those with accelerators and room for the add-ons, for which any image of EKS has the driver, and `PLAIN`."""


EVERY_TYPE = tuple(hardware(each) for each in instance_types())
WITH_PODS = tuple(each for each in EVERY_TYPE if each.max_pods is not None)
"""The types of which a source states how many pods they hold."""


def every(*tables: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """A law over finite tables: the test tries all combinations of their values, never a sample."""

    def decorated(law: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            for values in product(*tables):
                try:
                    law(*values)
                except Exception as fault:
                    fault.add_note(f"with {', '.join(map(str, values))}")
                    raise

        test.__doc__ = law.__doc__
        return test

    return decorated
