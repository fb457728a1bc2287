"""Add-ons of another stack's cluster: the form, and what does not fit between the stacks of one cluster."""

import json
from pathlib import Path
from typing import Any

import pytest

from muster.config.description.eks_cluster import EksCluster
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.description.parallelcluster import SlurmCluster
from muster.config.description.root import model_of
from muster.policies.engine.described_fleet import observed_addons
from muster.stack.stack_file import load_values
from muster.unknown import UNKNOWN
from tests.shared_stacks import ADDONS, CLUSTER, FULL, Shared, outputs_of

SAID: dict[str, Any] = {"addons-of": FULL, "addons": {"mpi-operator": {}}}


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shared:
    """Both stacks of the example."""
    monkeypatch.chdir(tmp_path)
    return Shared.in_folder(tmp_path)


@pytest.mark.parametrize(
    ("raw", "form"),
    [
        (SAID, AddonsOf),
        ({"backend": "eks"}, EksCluster),
        ({"backend": "eks", **SAID}, AddonsOf),
        ({"addon-of": FULL}, AddonsOf),
        ({"addons_of": FULL}, AddonsOf),
        ({"addons": {}}, EksCluster),
        ({"backend": "hyperpod"}, HyperPodCluster),
        ({"backend": "hyper-pod"}, HyperPodCluster),
        ({"backend": "slurm"}, SlurmCluster),
        ({"backend": "slurm", "hyperpod": {}}, SlurmCluster),
        ({"groups": {"workers": {"hyperpod": {}}}}, HyperPodCluster),
        ({"groups": ["hyperpod"]}, EksCluster),
        ({}, EksCluster),
        ("eks", EksCluster),
        (None, EksCluster),
    ],
)
def test_the_form_follows_from_what_is_said(raw: object, form: type) -> None:
    """`addons-of` decides, then `backend`; what says neither is a cluster that lacks its backend."""
    assert model_of(raw) is form


def test_the_stacks_of_the_example_fit(shared: Shared) -> None:
    """Each knows the other, and both make the same cluster with the same add-ons."""
    alone, cluster = shared.open(), shared.open(CLUSTER)
    assert (alone.faults, cluster.faults) == ((), ())
    (installed, kept) = (stack.derive() for stack in (alone, cluster))
    assert installed.described.addons == kept.described.addons
    assert (installed.elsewhere, set(kept.elsewhere.values())) == ({}, {ADDONS})
    assert set(kept.elsewhere) == set(installed.described.addons.chosen)
    assert (installed.stack, kept.stack) == (ADDONS, CLUSTER)
    assert installed.cluster_name == kept.cluster_name == CLUSTER


def test_of_two_owners_each_is_told_where_the_other_is(shared: Shared) -> None:
    """Whichever stack is looked at, with the line in its own file and the place in the other's."""
    shared.edit("    addons-in:", "    addons: {mpi-operator: {}}\n    addons-in:", CLUSTER)
    remedy = "keep it in only one of the two stacks: each would undo the changes of the other"
    own, theirs = shared.line("mpi-operator: {}"), shared.line("mpi-operator: {}", CLUSTER)
    assert shared.told() == [
        (
            f"Pulumi.{ADDONS}.yaml",
            own,
            "addons.mpi-operator",
            f"stack {CLUSTER} (stacks/Pulumi.{CLUSTER}.yaml:{theirs}:28) also installs mpi-operator",
            remedy,
        )
    ]
    assert shared.told(CLUSTER) == [
        (
            f"Pulumi.{CLUSTER}.yaml",
            theirs,
            "addons.mpi-operator",
            f"stack {ADDONS} (stacks/Pulumi.{ADDONS}.yaml:{own}:21) also installs mpi-operator",
            remedy,
        )
    ]


def test_a_chart_of_two_stacks_is_refused_too(shared: Shared) -> None:
    """Helm has one release of a name."""
    chart = "charts: {x: {repository: https://example.com, chart: x, version: 1.0.0, namespace: x}}"
    shared.edit("      mpi-operator: {}\n", f"      {chart}\n")
    shared.edit("    addons-in:", f"    addons: {{{chart}}}\n    addons-in:", CLUSTER)
    assert [(where, got.split(" (")[0]) for _, _, where, got, _ in shared.told()] == [
        ("addons.charts.x", f"stack {CLUSTER}")
    ]


def test_several_stacks_with_add_ons_see_each_other(shared: Shared) -> None:
    """All that the cluster's stack names are judged as one cluster; two owners among them are refused."""
    more = f"organization/muster/{ADDONS}-more"
    shared.edit(f"[organization/muster/{ADDONS}]", f"[organization/muster/{ADDONS}, {more}]", CLUSTER)
    shared.copy(ADDONS, f"{ADDONS}-more", ("      nvidia-device-plugin: {}\n      efa-device-plugin: {}\n", ""))
    assert [(each[0], each[2]) for each in shared.told()] == [(f"Pulumi.{ADDONS}.yaml", "addons.mpi-operator")]
    shared.edit("      mpi-operator: {}\n", "")
    for stack in (ADDONS, CLUSTER, f"{ADDONS}-more"):
        assert shared.told(stack) == []
        assert len(shared.open(stack).derive().described.addons.chosen) == 3
    assert shared.open().derive().elsewhere == {"mpi-operator": f"{ADDONS}-more"}


WRONG = [
    (
        ADDONS,
        (FULL, f"organization/muster/{ADDONS}"),
        "addons-of",
        f"organization/muster/{ADDONS} is this stack itself",
        "write the name of the stack that describes the cluster",
    ),
    (
        ADDONS,
        ("aws:region: us-west-2", "aws:region: us-east-1"),
        "aws:region",
        "the cluster is in us-west-2, but this stack sets 'us-east-1'",
        "write aws:region: us-west-2",
    ),
    (
        CLUSTER,
        (f"[organization/muster/{ADDONS}]", f"[{FULL}]"),
        "addons-in[0]",
        f"{FULL} is this stack itself",
        "write the name of the stack that has the add-ons",
    ),
]


@pytest.mark.parametrize(("stack", "edit", "where", "got", "remedy"), WRONG)
def test_what_does_not_fit(
    shared: Shared, stack: str, edit: tuple[str, str], where: str, got: str, remedy: str
) -> None:
    """In words, at the key that is wrong."""
    shared.edit(*edit, stack)
    assert [each[2:] for each in shared.told(stack)] == [(where, got, remedy)]
    assert shared.told(stack)[0][1] == shared.line(edit[1], stack)


def test_add_ons_for_add_ons(shared: Shared) -> None:
    """A stack without a cluster is no cluster's; its own cluster is offered."""
    shared.copy(ADDONS, "more", (FULL, f"organization/muster/{ADDONS}"))
    got = f"organization/muster/{ADDONS} describes only add-ons, not a cluster"
    assert [each[2:] for each in shared.told("more")] == [("addons-of", got, f"write addons-of: {FULL}")]


def test_a_cluster_that_names_what_is_not_its_own(shared: Shared) -> None:
    """A cluster of its own, and add-ons of another one."""
    shared.copy(CLUSTER, "other", (f"[organization/muster/{ADDONS}]", f"[{FULL}, organization/muster/{ADDONS}]"))
    assert [each[2:] for each in shared.told("other")] == [
        (
            "addons-in[0]",
            f"{FULL} describes another cluster, not add-ons for this one",
            "write the name of a stack with addons-of: .../muster/other",
        ),
        (
            "addons-in[1]",
            f"organization/muster/{ADDONS} has add-ons for {FULL}, not for this stack",
            "write addons-of: .../muster/other there, or remove it here",
        ),
    ]


def test_faults_of_the_other_file_are_told_in_it(shared: Shared) -> None:
    """What cannot be read cannot be judged together."""
    shared.edit("nodes: 1\n", "nodes: none\n", CLUSTER)
    (fault,) = shared.told()
    assert fault[:3] == (f"Pulumi.{CLUSTER}.yaml", shared.line("nodes: none", CLUSTER), "groups.workers.nodes")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (
            "organization/muster/p5-shard",
            "there is no stacks/Pulumi.p5-shard.yaml; did you mean 'p5-shared'?",
        ),
        ("organization/other/p5-shared", "stack organization/other/p5-shared belongs to another project"),
    ],
)
def test_a_cluster_that_is_not_at_hand(shared: Shared, name: str, why: str) -> None:
    """Is no fault: it may be described elsewhere. Nothing is known of it, and why is said."""
    shared.edit(FULL, name)
    opened = shared.open()
    assert (opened.faults, opened.knows_cluster, opened.missing) == ((), False, (why,))
    assert opened.unknown_cluster == (
        f"the cluster: {why}, and stacks/facts/{ADDONS}.json has no outputs "
        f"(write what `pulumi stack output --json --stack {name}` prints there, below outputs)"
    )
    with pytest.raises(ValueError, match="is not known"):
        opened.derive()


def test_another_organizations_stack_is_not_the_one_at_hand(shared: Shared) -> None:
    """In the engine the organization is known: a file here says nothing of another one's stack of the same name."""
    file = Path("stacks") / f"Pulumi.{ADDONS}.yaml"
    opened = load_values(ADDONS, SAID, "us-west-2", file, Path("stacks/facts/x.json"), "team")
    assert opened.missing == (f"stack {FULL} belongs to another organization",)
    assert load_values(ADDONS, SAID, "us-west-2", file, Path("x.json"), "organization").knows_cluster


def save(shared: Shared, outputs: dict[str, Any]) -> None:
    (shared.folder / "stacks" / "facts" / f"{ADDONS}.json").write_text(json.dumps({"outputs": outputs}))
    shared.file(CLUSTER).unlink()


def test_saved_outputs_stand_for_the_description(shared: Shared) -> None:
    """The same nodes, the same name; of everything else of the cluster nothing is said."""
    described = shared.open().derive()
    save(shared, outputs_of(CLUSTER))
    opened = shared.open()
    assert (opened.faults, opened.by_outputs) == ((), True)
    known = opened.derive()
    assert known.described.addons == described.described.addons
    nodes = {each.name: each.node for each in described.groups}
    assert {each.name: each.node for each in known.groups} == nodes
    assert known.cluster_name == described.cluster_name


def test_what_the_clusters_own_add_ons_are_set_to_is_not_in_its_outputs(shared: Shared) -> None:
    """It is in the description, where that is at hand; of the add-ons of this stack it is known in any case."""
    shared.edit("addons-in:", "addons: {kuberay-operator: {}}\n    addons-in:", CLUSTER)
    described = shared.open().derive()
    outputs = outputs_of(CLUSTER)
    version = next(each.version for each in observed_addons(described) if each.ref.name == "kuberay-operator")
    outputs["addons"] = {**outputs["addons"], "kuberay-operator": {"version": version, "namespace": "kuberay"}}
    save(shared, outputs)
    known = shared.open().derive()
    assert known.on_kubernetes
    assert {name for name in known.described.addons.chosen if name in known.elsewhere} == {"kuberay-operator"}
    assert [each.ref.name for each in observed_addons(known) if each.values is UNKNOWN] == ["kuberay-operator"]
    assert [each.ref.name for each in observed_addons(described) if each.values is UNKNOWN] == []


def test_saved_outputs_that_do_not_fit(shared: Shared) -> None:
    """Another Region, hardware of a newer Muster, and an add-on that the cluster's stack installs."""
    outputs = outputs_of("p5-odcr")
    outputs["region"] = "us-east-1"
    outputs["nodeGroups"]["workers"]["instanceType"] = "p9.48xlarge"
    save(shared, outputs)
    told = [(where, got) for _, _, where, got, _ in shared.told()]
    assert told[0] == ("aws:region", "the cluster is in us-east-1, but this stack sets 'us-west-2'")
    assert told[1][0] == "addons-of"
    assert "groups.workers.instance: 'p9.48xlarge' is not an instance type that Muster knows" in told[1][1]
    assert [each[0] for each in told[2:]] == [
        "addons.nvidia-device-plugin",
        "addons.efa-device-plugin",
        "addons.mpi-operator",
    ]
