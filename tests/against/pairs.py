"""Pairs of legal descriptions that differ in one place: one of them, with what another one says there."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.derive.cluster import derive
from muster.config.change_costs import DescribedChange
from muster.config.change_costs import description_changes as described_changes
from muster.config.description.eks_cluster import EksCluster
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.description.hyperpod_slurm_cluster import HyperPodSlurmCluster
from muster.config.description.slurm_cluster import SlurmCluster
from muster.config.validation import validate
from muster.extras.against.resource_changes import ResourceChange
from muster.extras.against.resource_changes import resource_changes as registered_changes
from muster.offline.plan import existing_clusters
from muster.offline.recording import record
from tests.strategies import Described

Path = tuple[str, ...]

FORMS = {
    "eks": EksCluster,
    "hyperpod": HyperPodCluster,
    "hyperpod-slurm": HyperPodSlurmCluster,
    "parallelcluster": SlurmCluster,
}


@dataclass(frozen=True)
class Pair:
    """Two legal descriptions of one cluster, and where they were made to differ."""

    before: Any
    after: Any
    drawn: Described
    path: Path

    @property
    def said(self) -> tuple[DescribedChange, ...]:
        """What is said otherwise."""
        return described_changes(self.before, self.after)

    def registered(self) -> tuple[ResourceChange, ...]:
        """What becomes of the resources."""
        one, other = (self._registrations(each) for each in (self.before, self.after))
        return registered_changes(one, other)

    def _registrations(self, described: Any) -> Any:
        from muster.deploy import deploy

        blueprint = self.blueprint(described)
        existing = existing_clusters(blueprint)
        recording = record(
            lambda: deploy(blueprint), stack="random", region=self.drawn.region, existing_clusters=existing
        )
        return recording.registrations

    def blueprint(self, described: Any) -> Any:
        made = derive(described, "random", self.drawn.region, self.drawn.known)
        assert isinstance(made, ClusterBlueprint)
        return made


@st.composite
def pairs(draw: st.DrawFn, legal: st.SearchStrategy[Described]) -> Pair:
    """A legal description, and the same with one place of another one's that is legal there."""
    drawn, other = draw(legal), draw(legal)
    other = replace(other, document=_renamed_zones(other.document, other.region, drawn.region))
    form = FORMS[drawn.document["backend"]]
    before, faults = validate(form, drawn.document)
    assert before is not None, faults
    places = draw(st.permutations(sorted(_places(drawn.document, other.document, ()))))
    for path in places:
        document = _grafted(drawn.document, other.document, path)
        after, _ = validate(form, document)
        if after is not None and after != before:
            return Pair(before, after, drawn, path)
    return Pair(before, before, drawn, ())


def _renamed_zones(value: Any, region: str, to: str) -> Any:
    """The same in another Region: zones keep their letters."""
    if isinstance(value, dict):
        return {_renamed_zones(key, region, to): _renamed_zones(below, region, to) for key, below in value.items()}
    if isinstance(value, list):
        return [_renamed_zones(below, region, to) for below in value]
    return value.replace(region, to) if isinstance(value, str) else value


def _places(one: Any, other: Any, at: Path) -> Iterator[Path]:
    """Every place below two maps where they differ."""
    for key in one.keys() | other.keys():
        here, there = one.get(key), other.get(key)
        if here != there:
            yield (*at, key)
        if isinstance(here, dict) and isinstance(there, dict):
            yield from _places(here, there, (*at, key))


def _grafted(one: Any, other: Any, path: Path) -> Any:
    made = deepcopy(one)
    here, there = made, other
    for key in path[:-1]:
        here, there = here[key], there[key]
    if path[-1] in there:
        here[path[-1]] = deepcopy(there[path[-1]])
    else:
        del here[path[-1]]
    return made
