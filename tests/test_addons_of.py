"""Add-ons from a stack of their own: judged, planned and registered as if the cluster's stack installed them."""

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pulumi
import pytest
import yaml

from muster import program
from muster.addons.context import AddonContext
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.contract import SECRETS, Cluster, NotTheContract
from muster.deploy.addons import deploy_addons
from muster.fleet.registration import Registration
from muster.fleet.resources.ref import NODE_POOL
from muster.offline.plan import Plan, plan_stack
from muster.offline.recording import Recording, record
from muster.stack.project import open_stack
from muster.unknown import UNKNOWN
from tests.shared_stacks import ADDONS, CLUSTER, FULL, Shared, outputs_of
from tests.stack_files import AS_OF, ON_KUBERNETES, ROOT, filled_in, plan_of, text_of

DAY = date.fromisoformat(AS_OF)
ADDONS_STACK = "muster:addons:Addons"


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shared:
    """Both stacks of the example, around the gate."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MUSTER_AS_OF", AS_OF)
    monkeypatch.chdir(tmp_path)
    return Shared.in_folder(tmp_path)


def installed(plan: Plan | Recording) -> dict[str, Registration]:
    """What stands below the add-ons' component, by type and name; not the provider, which has another kubeconfig."""
    return {
        f"{each.type} {each.name}": each
        for each in plan.registrations
        if f"{ADDONS_STACK}$" in each.urn and "pulumi:providers" not in each.type
    }


def inputs_of(plan: Plan | Recording) -> dict[str, Any]:
    """But for the tag and the folder that say whose they are, and for what is named by the engine."""
    return {name: _anyones(each.inputs) for name, each in installed(plan).items()}


def _anyones(inputs: Any) -> Any:
    tags = {key: value for key, value in inputs.get("tags", {}).items() if key != "muster:stack"}
    tagged = {**inputs, "tags": tags} if "tags" in inputs else inputs
    # Also in JSON inside a text, where quotes are escaped.
    text = re.sub(r'-[0-9a-f]{7}(?=\\*")', "-NAMED", json.dumps(tagged))
    return json.loads(re.sub(r"(?<=\.muster/overlays/)[^/]+", "STACK", text))


STAY = frozenset({"hyperpod", "karpenter"})
"""What must be there before HyperPod's cluster is part of that one's stack, and so is what creates its nodes."""
ACCOUNT = "hyperpod-training-mlflow"
"""The service account of pods that speak with the tracking server, which is the cluster's."""


def split(stack: str, folder: Path) -> Plan:
    """The plan of a stack's add-ons, taken out of it into a stack of their own."""
    text = yaml.safe_load((ROOT / "stacks" / f"Pulumi.{stack}.yaml").read_text())
    described = text["config"]["muster:cluster"]
    own = {key: described.pop(key) for key in ("addons", "chart-mirror", "image-mirror") if key in described}
    if STAY & own["addons"].keys():
        described["addons"] = {name: own["addons"].pop(name) for name in sorted(STAY & own["addons"].keys())}
    described["addons-in"] = ["organization/muster/own"]
    given = {"addons-of": f"organization/muster/{stack}", **own}
    for name, cluster in ((stack, described), ("own", given)):
        said = {"config": {"aws:region": text["config"]["aws:region"], "muster:cluster": cluster}}
        (folder / "stacks" / f"Pulumi.{name}.yaml").write_text(yaml.safe_dump(said, sort_keys=False))
    facts = ROOT / "stacks" / "facts" / f"{stack}.json"
    (folder / "stacks" / "facts" / f"{stack}.json").write_text(facts.read_text())
    return plan_stack(open_stack(folder, "own"), DAY)


def _chosen(stack: str) -> tuple[str, ...]:
    cluster = yaml.safe_load(text_of(stack))["config"]["muster:cluster"]
    return (cluster.get("backend", ""), *sorted(cluster["addons"]))


ONE_OF_EACH = {_chosen(stack): stack for stack in ON_KUBERNETES}
"""Backend and add-ons -> a stack that has them."""


@pytest.mark.parametrize("stack", ONE_OF_EACH.values())
def test_two_stacks_register_what_one_would(stack: str, shared: Shared) -> None:
    """The add-ons' stack installs what the cluster's would, with the same inputs; the cluster's stack, which names the
    other and is judged with its add-ons, registers everything but them. No law is broken, and nothing is found."""
    whole, apart = plan_of(stack), split(stack, shared.folder)
    assert apart.broken_laws == ()
    assert apart.judgement.findings == ()
    assert set(apart.judgement.not_evaluated) <= set(whole.judgement.not_evaluated)
    theirs = {name: each for name, each in installed(whole).items() if each.name not in {*STAY, ACCOUNT}}
    assert inputs_of(apart) == {name: _anyones(each.inputs) for name, each in theirs.items()}
    assert {name: each.options for name, each in installed(apart).items()} == {
        # A cluster of another stack is not deleted with this one.
        name: {key: value for key, value in each.options.items() if key not in {"provider", "deletedWith"}}
        | _provider(apart, name)
        for name, each in theirs.items()
    }
    others = {each.type for each in apart.registrations} - {each.type for each in installed(apart).values()}
    assert others == {
        "pulumi:pulumi:Stack",
        "pulumi:pulumi:StackReference",
        "pulumi:providers:kubernetes",
        ADDONS_STACK,
    } - {each.type for each in installed(apart).values()}
    left = plan_stack(open_stack(shared.folder, stack), DAY)
    assert (left.broken_laws, left.judgement.findings) == ((), ())
    assert set(left.judgement.not_evaluated) <= set(whole.judgement.not_evaluated)
    stay = STAY & set(whole.outputs["addons"])
    assert set(left.outputs["addons"]) == stay
    gone = {each.urn for each in installed(whole).values() if each.name not in {*stay, ACCOUNT}}
    if not stay and not any(each.type == NODE_POOL for each in whole.registrations):
        gone |= {each.urn for each in whole.registrations if ADDONS_STACK in each.urn}
    assert {each.urn for each in left.registrations} == {each.urn for each in whole.registrations} - gone


def _provider(plan: Plan, name: str) -> dict[str, Any]:
    options = installed(plan)[name].options
    return {key: options[key] for key in ("provider",) if key in options}


def test_the_plan_of_the_example_is_the_same_on_saved_outputs(shared: Shared) -> None:
    """Without the cluster's file only rules about add-ons are asked; what is registered is the same."""
    described = plan_stack(shared.open(), DAY)
    (shared.folder / "stacks" / "facts" / f"{ADDONS}.json").write_text(json.dumps({"outputs": outputs_of(CLUSTER)}))
    shared.file(CLUSTER).unlink()
    saved = plan_stack(shared.open(), DAY)
    assert saved.broken_laws == ()
    assert inputs_of(saved) == inputs_of(described)
    assert set(saved.judgement.judged) < set(described.judgement.judged)


def test_what_is_exported(shared: Shared) -> None:
    """No cluster: a reader that takes it for one is told whose add-ons they are."""
    plan = plan_stack(shared.open(), DAY)
    assert set(plan.outputs) == {"contract", "addonsOf", "addons"}
    assert plan.outputs["addonsOf"] == FULL
    assert plan.outputs["addons"]["mpi-operator"]["namespace"] == "mpi-operator"
    assert plan.secret_outputs == frozenset()
    with pytest.raises(NotTheContract) as refused:
        Cluster.read(plan.outputs, "o/muster/x")
    assert str(refused.value) == f"stack 'o/muster/x' has only add-ons for a cluster: read stack '{FULL}'"


def test_a_preview_registers_the_same(shared: Shared) -> None:
    """The other stack's outputs are known then, too."""
    planned, previewed = plan_stack(shared.open(), DAY), plan_stack(shared.open(), DAY, preview=True)
    assert previewed.broken_laws == ()
    assert inputs_of(previewed) == inputs_of(planned)


# In the engine.


def run(shared: Shared, outputs: Any, **given: Any) -> Recording:
    """The program on what the engine has: this description, and another stack's outputs."""
    text = filled_in(shared.file().read_text())
    shared.file().write_text(text)
    described = {**yaml.safe_load(text)["config"]["muster:cluster"], **given}

    def deployment() -> None:
        stack = program.this_stack()
        assert isinstance(stack.described, AddonsOf)
        deploy_addons(stack.stack, stack.described, lambda cluster: program.judge_deployed(stack, cluster))

    exported = {described["addons-of"]: Recording((), outputs, SECRETS)}
    return record(deployment, stack=ADDONS, config={"muster:cluster": described}, stack_outputs=exported)


def refusal(shared: Shared, outputs: Any, **given: Any) -> str:
    with pytest.raises(pulumi.RunError) as refused:
        run(shared, outputs, **given)
    return str(refused.value)


def without(outputs: dict[str, Any], *path: str) -> dict[str, Any]:
    changed = json.loads(json.dumps(outputs))
    at = changed
    for step in path[:-1]:
        at = at[step]
    del at[path[-1]]
    return dict(changed)


@pytest.mark.parametrize("at_hand", [True, False])
def test_the_program_installs_by_the_outputs(shared: Shared, *, at_hand: bool) -> None:
    """Whether or not the cluster's file is here, whose ids need not be filled in here."""
    if not at_hand:
        shared.file(CLUSTER).unlink()
    recording = run(shared, outputs_of(CLUSTER))
    assert inputs_of(recording) == inputs_of(plan_stack(Shared.in_folder(shared.folder).open(), DAY))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda _: {}, "has no outputs"),
        (lambda all_: without(all_, "kubeconfig"), "has no output 'kubeconfig'"),
        (lambda all_: without(all_, "nodeGroups", "workers", "taints"), "nodeGroups.workers.taints is missing"),
        (lambda all_: {**all_, "region": "us-east-1"}, "us-east-1"),
        (lambda _: {"addonsOf": "o/muster/c", "contract": 1, "addons": {}}, "read stack 'o/muster/c'"),
        (
            lambda all_: {**all_, "addons": {"mpi-operator": {"version": "v0.8.2", "namespace": "mpi-operator"}}},
            "also installs mpi-operator",
        ),
    ],
    ids=["not deployed", "no kubeconfig", "missing", "region", "add-ons", "two owners"],
)
def test_outputs_that_do_not_fit_are_refused_in_words(shared: Shared, change: Any, said: str) -> None:
    """Before anything is registered."""
    assert said in refusal(shared, change(outputs_of(CLUSTER)))


def test_rules_judge_what_is_deployed(shared: Shared) -> None:
    """Whatever the file says that is here: the cluster that is there has no Neuron devices."""
    words = refusal(shared, outputs_of(CLUSTER), addons={"neuron-device-plugin": {}})
    line = shared.line("instance: p5.48xlarge", CLUSTER)
    assert "(3 findings)" in words
    assert words.count(f"stacks/Pulumi.{CLUSTER}.yaml:{line}:19: group-has-its-device-plugin") == 2
    assert "addon-serves-a-group: " in words
    shared.file(CLUSTER).unlink()
    words = refusal(shared, outputs_of(CLUSTER), addons={"neuron-device-plugin": {}})
    assert "(1 finding)" in words, "what further stacks install is not known"
    assert "addon-serves-a-group" in words


QUEUES = "      kueue: {queues: {vision: {nodes: {workers: 1, wrokers: 1}}}}\n"


@pytest.mark.parametrize("at_hand", [True, False])
def test_queues_are_of_the_cluster_that_is_there(shared: Shared, *, at_hand: bool) -> None:
    """Of its outputs where its file is not here, and of its file."""
    shared.edit("    addons:\n", f"    addons:\n{QUEUES}")
    file = Path("stacks") / f"Pulumi.{ADDONS}.yaml"
    if not at_hand:
        shared.file(CLUSTER).unlink()
    words = refusal(shared, outputs_of(CLUSTER))
    assert [line.partition("schema: ")[2] for line in words.splitlines() if str(file) in line] == [
        "there is no group 'wrokers'; did you mean 'workers'? (there are: system, workers)"
    ]


def test_charts_of_the_clusters_own_stack_are_not_judged_by_its_outputs(shared: Shared) -> None:
    """A GPU operator brings a plugin, or none: its values are not exported, so nobody says that one is enough."""
    chart = "{repository: https://helm.ngc.nvidia.com/nvidia, chart: gpu-operator, version: v25.3.0, namespace: gpu}"
    own = f"    addons: {{charts: {{gpu: {chart}}}}}\n    addons-in:"
    shared.edit("    addons-in:", own, CLUSTER)
    described = plan_stack(shared.open(), DAY)
    rule = "one-plugin-per-device"
    assert rule in {each.rule for each in described.judgement.findings}
    outputs = dict(plan_stack(shared.open(CLUSTER), DAY).outputs)
    assert outputs["charts"] == {"gpu": {"chart": "gpu-operator", "version": "v25.3.0", "namespace": "gpu"}}
    facts = shared.folder / "stacks" / "facts" / f"{ADDONS}.json"
    facts.write_text(json.dumps({"outputs": outputs}, default=str))
    shared.file(CLUSTER).unlink()
    saved = plan_stack(shared.open(), DAY).judgement
    assert saved.findings == ()
    assert (rule, "addons.charts.gpu") in {(each.rule, each.resource) for each in saved.not_evaluated}


def test_a_chart_of_two_stacks_is_refused_by_the_outputs(shared: Shared) -> None:
    """Helm has one release of a name."""
    chart = {"chart": "x", "version": "1.0.0", "namespace": "x"}
    added = {"charts": {"x": {**chart, "repository": "https://charts.ml-platform.net"}}}
    shared.file(CLUSTER).unlink()
    assert "also installs x\n" in refusal(shared, {**outputs_of(CLUSTER), "charts": {"x": chart}}, addons=added)


def test_a_cluster_in_trouble_keeps_nobody_from_its_add_ons(shared: Shared, caplog: pytest.LogCaptureFixture) -> None:
    """What is wrong with the cluster itself is refused in its own stack; here it is told."""
    shared.edit('kubernetes: "1.35"', 'kubernetes: "1.30"', CLUSTER)
    assert [each.rule for each in plan_stack(shared.open(), DAY).judgement.findings] == ["kubernetes-version-supported"]
    run(shared, outputs_of(CLUSTER))
    assert f"stacks/Pulumi.{CLUSTER}.yaml:9:17: kubernetes-version-supported" in caplog.text


def test_unknown_outputs_register_nothing(shared: Shared) -> None:
    """Where the other stack was only previewed."""
    outputs = {**outputs_of(CLUSTER), "nodeGroups": UNKNOWN}
    described = shared.open().described
    assert isinstance(described, AddonsOf)
    exported = {FULL: Recording((), outputs, SECRETS)}
    recording = record(lambda: deploy_addons(ADDONS, described), stack=ADDONS, preview=True, stack_outputs=exported)
    assert installed(recording) == {}


def test_add_ons_see_those_of_the_other_stacks(shared: Shared) -> None:
    """Values may depend on what else the cluster has, whoever installs it."""
    shared.edit("    addons-in:", "    addons: {neuron-device-plugin: {version: 1.9.0}}\n    addons-in:", CLUSTER)
    context = AddonContext.of_blueprint(shared.open().derive())
    assert context.has("neuron-device-plugin")
    assert not context.own.has("neuron-device-plugin")
    assert context.elsewhere == {"neuron-device-plugin"}
