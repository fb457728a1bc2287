"""Quotas of resources: networks, clusters, file systems."""

from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet
from tests.policies.account_limits import created, said
from tests.policies.case import cases


def with_storage(known: Facts) -> Fleet:
    lustre = {"size": "4800GiB", "throughput": 250}
    return created(known, storage={"scratch": {"lustre": lustre}})


cases(
    a_file_system_beside_others_beyond_the_quota=lambda: with_storage(said(quotasUsed={"L-8F1B9C74": 96001})),
)
