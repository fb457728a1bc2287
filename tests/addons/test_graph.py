"""Add-ons come in the order of a graph: nothing before what it comes after, no circles, one order for one cluster."""

from graphlib import TopologicalSorter

from hypothesis import given, settings
from hypothesis import strategies as st

from muster.addons.catalogue import CATALOGUE
from muster.addons.installation_order import OF_EKS, Entry, graph
from muster.versions import EKS_ADDONS
from tests.addons.contexts import REQUIRED
from tests.factories import a_blueprint
from tests.strategies import Described, legal
from tests.strategies.karpenter import karpenters_addons

slowly = settings(max_examples=20)
OTHER = {"repository": "https://charts.example.org", "chart": "thing", "version": "1.0.0", "namespace": "things"}


def before(name: str, entries: tuple[Entry, ...]) -> set[str]:
    """Everything that comes before an entry, however many steps away."""
    (entry,) = [each for each in entries if each.name == name]
    return {*entry.after, *(each for other in entry.after for each in before(other, entries))}


def drawn(data: st.DataObject) -> Described:
    """A legal cluster with any add-ons of the catalogue; where Karpenter creates nodes, with Karpenter."""
    names = data.draw(st.lists(st.sampled_from(sorted(CATALOGUE)), unique=True))
    others = {"charts": {"thing": OTHER}} if data.draw(st.booleans()) else {}
    described = data.draw(legal())
    chosen = {name: dict(REQUIRED.get(name, {})) for name in names}
    if any("provisioned-by" in group for group in described.document["groups"].values()):
        chosen = karpenters_addons(chosen)
    return described.edit({"addons": {**chosen, **others}})


@slowly
@given(st.data())
def test_nothing_comes_before_what_it_comes_after(data: st.DataObject) -> None:
    """Whatever is chosen: all of it is there, once, each after all that it names, and that is there."""
    described = drawn(data)
    entries = graph(described.blueprint())
    names = [each.name for each in entries]
    assert len(set(names)) == len(names)
    for number, each in enumerate(entries):
        assert set(each.after) <= set(names[:number])
        assert all(why for why in each.after.values())
        if each.name not in OF_EKS:
            assert "coredns" not in names or "coredns" in before(each.name, entries)
    chosen = described.document["addons"]
    others = {f"charts.{release}" for release in chosen.get("charts", {})}
    assert {*(set(chosen) - {"charts"}), *others} == set(names) - set(OF_EKS)


@slowly
@given(st.data())
def test_whoever_brings_kueue_comes_after_all_others(data: st.DataObject) -> None:
    """Its webhooks fail closed on Deployments, Jobs and Pods: what is made beside it would be refused."""
    described = drawn(data)
    entries = [each for each in graph(described.blueprint()) if each.name in CATALOGUE]
    last = {each.name for each in entries if CATALOGUE[each.name].last}
    assert last == {"kueue", "hyperpod-task-governance"} & {each.name for each in entries}
    for each in entries:
        if each.name in last:
            assert set(each.after) >= {other.name for other in entries} - last


def test_the_catalogue_has_no_circle() -> None:
    """All that any add-on ever comes after, together; and it names nothing that there is not."""
    known = {*CATALOGUE, *(name for version in EKS_ADDONS.values() for name in version)}
    edges = {name: {*addon.after, *addon.needs} for name, addon in CATALOGUE.items()}
    assert set(TopologicalSorter(edges).static_order()) <= known
    assert all(why for addon in CATALOGUE.values() for why in (*addon.after.values(), *addon.needs.values()))


def test_eks_own_come_first_and_all_are_explained() -> None:
    """Of every Kubernetes version; what a node needs before what needs a node, and ours after both."""
    assert {name for version in EKS_ADDONS.values() for name in version} == set(OF_EKS)
    entries = graph(a_blueprint())
    kinds = [(each.name, each.kind) for each in entries[:4]]
    assert sorted(kinds[:3]) == [(name, "eks-addon") for name in ("eks-pod-identity-agent", "kube-proxy", "vpc-cni")]
    assert kinds[3] == ("coredns", "eks-addon")
    assert set(entries[3].after) == {"eks-pod-identity-agent", "kube-proxy", "vpc-cni"}
    assert [each.name for each in entries[4:]] == ["nvidia-device-plugin", "efa-device-plugin"]
    assert all(set(each.after) == {"coredns"} for each in entries[4:])


def test_other_charts_come_last() -> None:
    """After every add-on of ours, at the mirror's address where there is one."""
    entries = graph(a_blueprint({"addons.charts": {"thing": OTHER}, "chart-mirror": "oci://r.example.org/charts"}))
    last = entries[-1]
    assert (last.name, last.address) == ("charts.thing", "oci://r.example.org/charts/thing")
    assert set(last.after) == {"nvidia-device-plugin", "efa-device-plugin"}
    addresses = {each.name: each.address for each in entries if each.kind == "chart"}
    assert addresses["nvidia-device-plugin"] == "oci://r.example.org/charts/nvidia-device-plugin"
