"""What is registered for add-ons: where charts and images come from, and what stays when an add-on is removed."""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from muster.addon_sheets import ADDONS
from muster.addons.addon import Addon, Chart, Patched, Permissions
from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext, GroupNodes, Mirrors
from muster.addons.installation import Addons, ClusterHandle, _deployment_transform
from muster.addons.installation_order import BEFORE_NODES, install_order
from muster.config.description.addons import Addons as Description
from muster.config.description.addons import OtherChart
from muster.fleet.registration import Registration
from muster.offline.plan import Plan, plan_stack
from muster.offline.recording import record
from muster.stack.project import facts_file, stack_file
from muster.stack.stack_file import load
from tests.addons.contexts import a_context, said_of
from tests.stack_files import AS_OF, ON_KUBERNETES, ROOT, text_of

A_CHART = {"repository": "https://charts.example.com", "chart": "tool", "version": "1.2.3"}
RELEASE, CONFIG_FILE = "kubernetes:helm.sh/v3:Release", "kubernetes:yaml/v2:ConfigFile"
IMAGES = "registry.example.net/mirror"
ACCOUNT = "111122223333"


def below_addons(registrations: tuple[Registration, ...]) -> Iterator[Registration]:
    """What stands below the add-ons' component."""
    return (each for each in registrations if "muster:addons:Addons$" in each.urn and "pulumi:prov" not in each.type)


def mirrored(stack: str, charts: str, folder: Path) -> Plan:
    """The plan of a stack that has everything from mirrors, and a chart of the user's own."""
    own = {**A_CHART, "namespace": "tools"}
    said = yaml.safe_load(text_of(stack))
    cluster = said["config"]["muster:cluster"]
    cluster |= {"chart-mirror": charts, "image-mirror": IMAGES}
    cluster["addons"]["charts"] = {"mine": own}
    file, facts = stack_file(folder, stack), facts_file(folder, stack)
    facts.parent.mkdir(parents=True)
    file.write_text(yaml.safe_dump(said, sort_keys=False))
    shutil.copy(facts_file(ROOT, stack), facts)
    return plan_stack(load(stack, file, facts), date.fromisoformat(AS_OF))


OF_EVERY_ADDON = ("g5-auto-mode", "hyperpod-p5", "hyperpod-teams", "p5-dra", "p5-karpenter", "trn1", "trn2-ultraserver")
"""Stacks that together have every add-on that any stack has."""


@pytest.mark.parametrize(
    ("stack", "charts"),
    [
        *((stack, "oci://registry.example.net/charts") for stack in OF_EVERY_ADDON),
        ("hyperpod-trn1", "https://charts.example.net/all"),
    ],
)
def test_nothing_comes_from_elsewhere_where_there_are_mirrors(stack: str, charts: str, tmp_path: Path) -> None:
    """Neither charts, the user's own among them, nor an image that anything registered names; and no law is broken."""
    plan = mirrored(stack, charts, tmp_path)
    assert (plan.broken_laws, plan.judgement.findings) == ((), ())
    releases = [each for each in below_addons(plan.registrations) if each.type == RELEASE]
    assert "mine" in [each.name for each in releases]
    for each in releases:
        if charts.startswith("oci://"):
            assert each.inputs["chart"].rpartition("/")[0] == charts
            assert "repositoryOpts" not in each.inputs
        else:
            assert each.inputs["repositoryOpts"] == {"repo": charts}
            assert "/" not in each.inputs["chart"]
    registered = [dict(each.inputs) for each in below_addons(plan.registrations) if each.type != CONFIG_FILE]
    assert [
        image for image in sorted(in_values(registered)) if not image.startswith(f"{IMAGES}/") and image != IMAGES
    ] == []


def test_the_stacks_that_are_mirrored_have_every_addon_of_all() -> None:
    """A new stack with an add-on that none of them has joins them."""
    described = {stack: yaml.safe_load(text_of(stack))["config"]["muster:cluster"] for stack in ON_KUBERNETES}
    names = {stack: set(cluster["addons"]) for stack, cluster in described.items()}
    assert set[str]().union(*names.values()) == set[str]().union(*(names[stack] for stack in OF_EVERY_ADDON))


def in_values(value: Any) -> Iterator[str]:
    """The registries that values of charts name, whole or with what they have."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            if isinstance(below, str) and key in ("image", "registry", "repository", "imageRegistry") and below:
                yield below
            yield from in_values(below)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from in_values(each)


@pytest.mark.parametrize("name", [name for name, addon in CATALOGUE.items() if isinstance(addon.source, Patched)])
def test_images_of_manifests_and_overlays_come_from_the_mirror(name: str) -> None:
    """By patches, of what the manifest's address gives too."""
    source, mirrors = CATALOGUE[name].source, Mirrors(None, IMAGES)
    assert isinstance(source, Patched)
    version = ADDONS[name].version
    ((deployment, image),) = source.images(version).items()
    values = source.values(a_context(**{name.replace("-", "_"): said_of(name)}))
    patches = source.patches_of(version, values, mirrors.image)
    changed = _deployment_transform(patches)(Args("kubernetes:apps/v1:Deployment", a_deployment(deployment)))  # type: ignore[arg-type]
    assert changed.props["spec"]["template"]["spec"]["containers"][0]["image"] == mirrors.image(image)


class Args:
    """What the engine gives a transform."""

    def __init__(self, type_: str, props: Mapping[str, Any]) -> None:
        self.type_, self.props, self.opts = type_, props, None


def a_deployment(name: str) -> dict[str, Any]:
    pod = {"containers": [{"name": "operator", "image": "elsewhere/operator:1"}]}
    return {"kind": "Deployment", "metadata": {"name": name}, "spec": {"template": {"spec": pod}}}


# Removal.

QUEUE = {"apiVersion": "example.com/v1", "kind": "Queue", "metadata": {"name": "research"}, "spec": {"weight": 1}}


def installed(addon: Addon, said: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch) -> dict[str, Registration]:
    """What is registered for one add-on that takes the MPI operator's place, by type and name."""
    monkeypatch.setitem(CATALOGUE, "mpi-operator", addon)
    context = replace(a_context(), chosen=Description.model_validate({"mpi-operator": said}).chosen)
    recording = record(lambda: Addons.on(ClusterHandle("{}", "arn", context, account=ACCOUNT)))
    return {f"{each.type} {each.name}": each for each in below_addons(recording.registrations)}


def an_operator(loses: str | None) -> Addon:
    """A chart with a role and a queue."""
    return Addon(
        name="mpi-operator",
        namespace="mpi-operator",
        source=Chart("https://x", "operator", lambda _: {}),
        reason="",
        workloads=lambda _: (),
        permissions=lambda _: (Permissions("mpi-operator", "operator", ("AmazonS3ReadOnlyAccess",)),),
        objects=lambda _: (QUEUE,),
        loses=loses,
    )


@pytest.mark.parametrize(
    ("loses", "said", "kept"),
    [
        ("every Queue", {}, True),
        ("every Queue", {"on-destroy": "keep"}, True),
        ("every Queue", {"on-destroy": "delete"}, False),
        (None, {}, False),
    ],
)
def test_what_would_take_jobs_along_stays_with_all_that_is_its(
    loses: str | None, said: Mapping[str, Any], *, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its release, its role: Pulumi forgets them, nobody deletes them, unless that is asked for. Queues that the
    description makes go with it."""
    made = installed(an_operator(loses), said, monkeypatch)
    assert set(made) == {
        f"{RELEASE} mpi-operator",
        "kubernetes:example.com/v1:Queue mpi-operator-queue-research",
        "muster:addons:PodIdentity operator",
        "aws:iam/role:Role operator",
        "aws:iam/rolePolicyAttachment:RolePolicyAttachment operator-AmazonS3ReadOnlyAccess",
        "aws:eks/podIdentityAssociation:PodIdentityAssociation mpi-operator-operator",
    }
    # The engine hands it on from a component to what is in it (3.260, source_eval.go, inheritFromParent).
    inherited = {name for name, each in made.items() if "PodIdentity$" in each.urn and each.custom}
    retained = {name for name, each in made.items() if each.options.get("retainOnDelete")}
    queues = {name for name in made if ":Queue " in name}
    assert queues
    assert retained == (set(made) - inherited - queues if kept else set())


@pytest.mark.parametrize(
    ("groups", "timeouts"),
    [
        ({}, (None, None)),
        ({"gpus": 8}, (None, None)),
        ({"gpus": 9}, (480, None)),
        ({"gpus": 16}, (480, None)),
        ({"gpus": 17, "plain": 200}, (960, None)),
        ({"plain": 200}, (None, None)),
    ],
)
def test_helm_waits_as_long_as_a_plugin_is_rolled_node_by_node(
    groups: Mapping[str, int], timeouts: tuple[int | None, ...]
) -> None:
    """Of the nodes at most that a DaemonSet is on; not of one node more, and not for an operator."""
    offers = {"gpus": frozenset({"nvidia.com/gpu"}), "plain": frozenset[str]()}
    nodes = tuple(
        GroupNodes(name, "p5.48xlarge", offers[name], frozenset(), most=most) for name, most in groups.items()
    )
    said = {"nvidia-device-plugin": {}, "jobset": {}}
    context = replace(a_context(*nodes), chosen=Description.model_validate(said).chosen)
    recording = record(lambda: Addons.on(ClusterHandle("{}", "arn", context, account=ACCOUNT)))
    given = {each.name: each.inputs.get("timeout") for each in recording.registrations if each.type == RELEASE}
    assert given == dict(zip(said, timeouts, strict=True))


def test_only_the_stacks_own_are_installed() -> None:
    """What another stack installs is known, and waited for by nobody: it is there."""
    chosen = Description.model_validate({"mpi-operator": {}, "efa-device-plugin": {}}).chosen
    other = OtherChart.model_validate({"repository": "https://x", "chart": "c", "version": "1.0.0", "namespace": "n"})
    context = replace(
        a_context(),
        chosen=chosen,
        charts={"mine": other, "theirs": other},
        elsewhere=frozenset({"mpi-operator", "charts.theirs"}),
    )
    assert [turn.addon.name for turn in install_order(context)] == ["efa-device-plugin", "mpi-operator"]
    recording = record(lambda: Addons.on(ClusterHandle("{}", "arn", context, account=ACCOUNT)))
    assert {each.name for each in below_addons(recording.registrations)} == {"efa-device-plugin", "mine"}
    assert isinstance(context.own, AddonContext)


def test_what_stands_before_nodes_comes_after_nothing_that_waits_for_them() -> None:
    """Else it would wait for nodes that wait for it. EKS's own that come before it need no node either."""
    early = {name for name, addon in CATALOGUE.items() if addon.before_nodes}
    assert early == {"hyperpod"}
    for name in early:
        addon = CATALOGUE[name]
        assert {*addon.after, *addon.needs} <= {*early, *BEFORE_NODES}
        assert addon.last is None
        assert addon.waits is False, "there is no node yet that its pods could run on"


def waited_for(each: Registration) -> set[str]:
    """The names of what a registration depends on."""
    return {urn.rpartition("::")[2] for urn in each.dependencies}


def test_service_accounts_come_after_all_that_may_make_their_namespaces() -> None:
    """But for one called default: every namespace has it, and Kubernetes makes it again."""
    chosen = Description.model_validate({"training-operator": {}}).chosen
    context = replace(a_context(), chosen=chosen)
    accounts = (("kubeflow", "mlflow"), ("kubeflow", "default"))
    recording = record(lambda: Addons.on(ClusterHandle("{}", "arn", context, accounts=accounts, account=ACCOUNT)))
    made = [each for each in recording.registrations if each.type == "kubernetes:core/v1:ServiceAccount"]
    (account,) = made
    assert account.inputs["metadata"] == {"name": "mlflow", "namespace": "kubeflow"}
    assert "training-operator" in waited_for(account)


@pytest.mark.parametrize(
    ("chosen", "namespace", "made"),
    [
        ({}, "research", ["research"]),
        ({"training-operator": {}}, "research", ["research"]),
        ({"training-operator": {}}, "kubeflow", []),
        ({}, "kubeflow", ["kubeflow"]),
        ({}, "default", []),
        ({"kueue": {"queues": {"main": {"namespace": "research"}}}}, "research", []),
        ({"charts": {"mine": {**A_CHART, "namespace": "research"}}}, "research", []),
    ],
)
def test_the_namespace_of_a_service_account_is_made_unless_something_else_makes_it(
    chosen: dict[str, Any], namespace: str, made: list[str]
) -> None:
    """Nobody else would, and `up` would fail on it last of all, with the nodes paid for. It stays: others use it."""
    described = Description.model_validate(chosen)
    context = replace(a_context(), chosen=described.chosen, charts=described.charts)
    accounts = ((namespace, "mlflow"),)
    registered = record(
        lambda: Addons.on(ClusterHandle("{}", "arn", context, accounts=accounts, account=ACCOUNT))
    ).registrations
    own = [each for each in registered if (each.type, each.name) == ("kubernetes:core/v1:Namespace", namespace)]
    assert [each.inputs["metadata"]["name"] for each in own] == made
    (account,) = [each for each in registered if each.type == "kubernetes:core/v1:ServiceAccount"]
    assert all(each.options["retainOnDelete"] for each in own)
    charts = [each.urn for each in registered if each.type == RELEASE]
    assert {*charts, *(each.urn for each in own)} <= set(account.dependencies)
