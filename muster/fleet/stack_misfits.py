"""What does not fit in add-ons for the cluster of another stack."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from muster.contract import Cluster
from muster.fleet import described_outputs
from muster.fleet.description import AddonsOf, AnyKubernetes
from muster.fleet.description import together as keys_together
from muster.fleet.dotted import dotted
from muster.fleet.joining import installed_twice, paths_of
from muster.fleet.located import Located, a_fault, located_at, placed
from muster.fleet.stack_keys import REGION_KEY

if TYPE_CHECKING:
    from muster.fleet.stack_file import StackFile


def on_cluster(own: "StackFile", cluster: "StackFile") -> Iterator[Located]:
    """What does not fit in add-ons for a cluster that is described, where both can be read by themselves."""
    if isinstance(own.described, AddonsOf) and isinstance(cluster.described, AnyKubernetes):
        yield from _misfits(own, cluster.given)


def _misfits(own: "StackFile", cluster: Mapping[str, Any]) -> Iterator[Located]:
    for path, got, remedy in keys_together.faults_on(cluster, own.given):
        yield placed(own.document, own.given, a_fault(dotted(path), got, remedy), path)


def of_outputs(own: "StackFile", outputs: Cluster) -> Iterator[Located]:
    """What does not fit in add-ons for a cluster that is known by its outputs."""
    assert own.described is not None
    _, faults = described_outputs.described(outputs)
    for _, finding in faults:
        got = f"what the cluster's stack exports is no cluster that this Muster knows: {finding.where}: {finding.got}"
        fault = a_fault("addons-of", got, "use the muster of the version that deployed it")
        yield placed(own.document, own.given, fault, ("addons-of",))
    theirs = {("addons", name) for name in outputs.addons} | {("addons", "charts", name) for name in outputs.charts}
    for path in paths_of(own):
        if path in theirs:
            yield placed(own.document, own.given, installed_twice(path, "the cluster's own stack"), path)
    yield from _misfits(own, described_outputs.written(outputs))
    yield from of_regions(own, outputs.region)


def of_regions(own: "StackFile", region: str) -> Iterator[Located]:
    """Add-ons in another Region than their cluster."""
    if region and own.region and region != own.region:
        got = f"the cluster is in {region}, and '{own.region}' is said here"
        yield located_at(own.document, ("config", REGION_KEY), a_fault(REGION_KEY, got, f"write aws:region: {region}"))
