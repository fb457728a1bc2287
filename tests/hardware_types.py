"""The instance types that tests make whole clusters of. What holds for every type of EC2 is in `tests/fleet`."""

from collections.abc import Callable

from muster.hardware.catalogue import Hardware, accelerated_types, hardware, instance_types

PLAIN = ("c5.2xlarge", "c5n.18xlarge", "hpc7a.96xlarge", "m5.2xlarge", "m5.8xlarge", "m7g.2xlarge")
"""Some without accelerators: with and without EFA, x86_64 and arm64."""


def _trains(machine: Hardware) -> bool:
    return machine.vcpus >= 8 and machine.gpu_fraction == 1


CLUSTER_TYPES = (*(each for each in accelerated_types() if _trains(hardware(each))), *PLAIN)
"""Those with accelerators and room for the add-ons, and `PLAIN`."""


def every_type(law: Callable[[Hardware], None]) -> Callable[[], None]:
    """A law of one type, tried on all of them."""

    def test() -> None:
        for each in instance_types():
            law(hardware(each))

    test.__doc__ = law.__doc__
    return test


def every_type_with_pods(law: Callable[[Hardware], None]) -> Callable[[], None]:
    """A law of one type, tried on all of which a source states how many pods they hold."""

    def known(machine: Hardware) -> None:
        if machine.max_pods is not None:
            law(machine)

    known.__doc__ = law.__doc__
    return every_type(known)
