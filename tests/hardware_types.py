"""The instance types that tests make whole clusters of. What holds for every type of EC2 is in `tests/fleet`."""

from muster.hardware.catalogue import Hardware, accelerated_types, hardware

PLAIN = ("c5.2xlarge", "c5n.18xlarge", "hpc7a.96xlarge", "m5.2xlarge", "m5.8xlarge", "m7g.2xlarge")
"""Some without accelerators: with and without EFA, x86_64 and arm64."""


def _trains(machine: Hardware) -> bool:
    return machine.vcpus >= 8 and machine.gpu_fraction == 1


CLUSTER_TYPES = (*(each for each in accelerated_types() if _trains(hardware(each))), *PLAIN)
"""Those with accelerators and room for the add-ons, and `PLAIN`."""
