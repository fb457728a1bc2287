"""Kinds of file systems: their disks, sizes and throughput."""

from tests.factories import a_stored_fleet
from tests.policies.case import cases
from tests.policies.storage import SCRATCH

# lustre-throughput-fits-type


cases(
    a_throughput_on_scratch=lambda: a_stored_fleet(**{**SCRATCH, "throughput": 250}),
)
