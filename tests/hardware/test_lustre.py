"""FSx's ports and versions."""

import re

from muster.hardware.lustre import DEFAULT_VERSION, OLDEST_VERSION, PORTS
from muster.versions import LUSTRE


def test_the_ports_are_those_of_the_guide() -> None:
    assert [port for first, last in PORTS for port in range(first, last + 1)] == [988, *range(1018, 1024)]


def test_versions_are_written_like_versions() -> None:

    numbers = [tuple(map(int, version.split("."))) for version in (DEFAULT_VERSION, LUSTRE)]
    assert all(re.fullmatch(r"\d+\.\d+", version) for version in (DEFAULT_VERSION, LUSTRE))
    assert numbers[0] < OLDEST_VERSION < numbers[1]
