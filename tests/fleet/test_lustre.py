"""FSx's matrix: exactly what AWS takes is accepted, by an account of it that was written without ours."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from muster.hardware.lustre import DEPLOYMENTS, DISKS, PORTS, THROUGHPUTS, Sizes, sizes

LARGEST = 200_000
"""GiB: more than twice what any step needs to be told from another."""

TABLE = """
SCRATCH_1    SSD -    no   1200 2400 3600 7200 10800 14400
SCRATCH_2    SSD -    no   1200 2400 4800 7200 9600
PERSISTENT_1 SSD 50   no   1200 2400 4800 7200 9600
PERSISTENT_1 SSD 100  no   1200 2400 4800 7200 9600
PERSISTENT_1 SSD 200  no   1200 2400 4800 7200 9600
PERSISTENT_1 HDD 12   no   6000 12000 18000 24000
PERSISTENT_1 HDD 40   no   1800 3600 5400 7200
PERSISTENT_2 SSD 125  no   1200 2400 4800 7200 9600
PERSISTENT_2 SSD 250  no   1200 2400 4800 7200 9600
PERSISTENT_2 SSD 500  no   1200 2400 4800 7200 9600
PERSISTENT_2 SSD 1000 no   1200 2400 4800 7200 9600
PERSISTENT_2 SSD 125  efa  38400 76800 115200
PERSISTENT_2 SSD 250  efa  19200 38400 57600
PERSISTENT_2 SSD 500  efa  9600 19200 28800
PERSISTENT_2 SSD 1000 efa  4800 9600 14400
"""
"""Each kind with its first sizes; the last two say how it goes on. CreateFileSystem's documentation, kind by kind."""


def oracle() -> dict[tuple[str, str, int | None, bool], set[int]]:
    """Kind -> every size up to the largest."""
    known: dict[tuple[str, str, int | None, bool], set[int]] = {}
    for line in TABLE.strip().splitlines():
        deployment, disk, throughput, efa, *listed = line.split()
        first = [int(each) for each in listed]
        taken = set(first)
        while max(taken) <= LARGEST:
            taken.add(max(taken) + first[-1] - first[-2])
        known[deployment, disk, None if throughput == "-" else int(throughput), efa == "efa"] = taken
    return known


ORACLE = oracle()

kinds = st.tuples(
    st.sampled_from([*DEPLOYMENTS, "PERSISTENT_3"]),
    st.sampled_from(["SSD", "HDD", "TAPE"]),
    st.none() | st.sampled_from([0, 12, 40, 50, 100, 125, 200, 250, 500, 1000, 2000]),
    st.booleans(),
)
gib = st.integers(-2400, LARGEST) | st.integers(0, LARGEST // 600).map(lambda count: count * 600)


def accepted(kind: tuple[str, str, int | None, bool], size: int) -> bool:
    """Whether the type, the disk, the throughput and the size are all right."""
    deployment, disk, throughput, efa = kind
    if disk not in DISKS.get(deployment, ()):
        return False
    choices = THROUGHPUTS.get((deployment, disk))
    if (throughput is None) if choices else (throughput is not None):
        return False
    if choices and throughput not in choices:
        return False
    valid = sizes(deployment, disk, throughput, efa=efa)
    return valid is not None and valid.take(size)


@given(kinds, gib)
@example(("PERSISTENT_2", "SSD", 250, False), 3000)
@example(("PERSISTENT_2", "SSD", 250, False), 0)
@example(("PERSISTENT_2", "SSD", 250, True), 4800)
@example(("SCRATCH_2", "SSD", 200, False), 1200)
def test_exactly_aws_matrix_is_accepted(kind: tuple[str, str, int | None, bool], size: int) -> None:
    assert accepted(kind, size) == (size in ORACLE.get(kind, ()))


@pytest.mark.parametrize("kind", ORACLE, ids=str)
def test_every_size_of_every_kind(kind: tuple[str, str, int | None, bool]) -> None:
    """All multiples of 600 GiB, none left to chance; and each size's neighbours are none."""
    for size in range(0, LARGEST, 600):
        assert accepted(kind, size) == (size in ORACLE[kind]), size
        assert not accepted(kind, size + 1)


@given(st.sampled_from(sorted(ORACLE, key=str)), gib)
def test_what_is_near_can_be_had(kind: tuple[str, str, int | None, bool], size: int) -> None:
    """The next sizes below and above, with none between."""
    deployment, disk, throughput, efa = kind
    valid = sizes(deployment, disk, throughput, efa=efa)
    assert valid is not None
    below = max((each for each in ORACLE[kind] if each < size), default=None)
    above = min(each for each in ORACLE[kind] if each > size)
    assert valid.near(size) == tuple(each for each in (below, above) if each is not None)


def test_sizes_in_words() -> None:
    assert str(Sizes(6000)) == "a multiple of 6000GiB"
    assert str(Sizes(2400, (1200,))) == "1200GiB or a multiple of 2400GiB"
    assert str(Sizes(3600, (1200, 2400))) == "1200GiB, 2400GiB or a multiple of 3600GiB"


def test_the_ports_are_those_of_the_guide() -> None:
    assert [port for first, last in PORTS for port in range(first, last + 1)] == [988, *range(1018, 1024)]


def test_versions_are_written_like_versions() -> None:
    from muster.hardware.lustre import DEFAULT_VERSION, OLDEST_VERSION
    from muster.versions import LUSTRE

    numbers = [tuple(map(int, version.split("."))) for version in (DEFAULT_VERSION, LUSTRE)]
    assert all(re.fullmatch(r"\d+\.\d+", version) for version in (DEFAULT_VERSION, LUSTRE))
    assert numbers[0] < OLDEST_VERSION < numbers[1]
