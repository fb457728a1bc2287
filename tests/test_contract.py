"""What other teams read is what we write."""

import json
import subprocess
import sys
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pulumi
import pytest

from muster.addon_sheets import ADDONS
from muster.addons.context import AddonContext
from muster.cli.writers import json_schema
from muster.config.description.addons import Addons
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.contract import (
    SECRETS,
    Cluster,
    CountOutput,
    HyperPodSlurmCluster,
    NotTheContract,
    PcsCluster,
    SlurmCluster,
    read_cluster,
    read_hyperpod_slurm_cluster,
    read_kubeconfig,
    read_pcs_cluster,
    read_slurm_cluster,
)
from muster.deploy.addons import deploy_addons
from muster.offline.plan import Plan, plan_stack
from muster.offline.recording import Recording, record
from muster.stack.stack_file import load
from muster.unknown import UNKNOWN
from tests.addons.contexts import assert_the_same_context
from tests.stack_files import AS_OF, ON_HYPERPOD_SLURM, ON_KUBERNETES, ON_PCS, ROOT, WITH_SLURM, plan_of, text_of

STACK = "organization/muster/p5-odcr"

CREATED = """\
    network: {create: {cidr: 10.8.0.0/16, zones: [us-west-2a, us-west-2b], nat: NAT, zone-ids: {us-west-2a: usw2-az2}}}
"""


class Kind(NamedTuple):
    """A kind of cluster: who reads its outputs, and which stacks have it."""

    model: Any
    read: Any
    schema: str
    stacks: list[str]


KINDS = {
    "kubernetes": Kind(Cluster, read_cluster, "outputs", ON_KUBERNETES),
    "parallelcluster": Kind(SlurmCluster, read_slurm_cluster, "slurm-outputs", WITH_SLURM),
    "hyperpod-slurm": Kind(
        HyperPodSlurmCluster, read_hyperpod_slurm_cluster, "hyperpod-slurm-outputs", ON_HYPERPOD_SLURM
    ),
    "pcs": Kind(PcsCluster, read_pcs_cluster, "pcs-outputs", ON_PCS),
}
STACKS = [(name, stack) for name, kind in KINDS.items() for stack in kind.stacks]
each_kind = pytest.mark.parametrize("name", KINDS)


def outputs_of(name: str) -> dict[str, Any]:
    """The outputs of a stack of a kind."""
    return dict(plan_of(KINDS[name].stacks[0]).outputs)


@pytest.fixture(scope="module")
def planned() -> Plan:
    return plan_of("p5-odcr")


@pytest.mark.parametrize(("name", "stack"), STACKS)
def test_every_stack_exports_the_contract(name: str, stack: str) -> None:
    """The one model reads what the program exports; only a kubeconfig is secret; nothing is exported beside it."""
    plan, kind = plan_of(stack), KINDS[name]
    read = kind.model.read(plan.outputs)
    assert plan.secret_outputs & plan.outputs.keys() == (SECRETS if name == "kubernetes" else frozenset())
    assert given(read.model_dump(mode="json")) == given(dict(plan.outputs))
    jsonschema.validate(dict(plan.outputs), json_schema.SCHEMAS[kind.schema]())
    if name == "kubernetes":
        assert json.loads(read.kubeconfig)["users"][0]["user"]["exec"]["command"] == "aws"


@each_kind
def test_every_field_says_what_it_is(name: str) -> None:
    """In the schema, which editors and other languages read."""
    schema = json_schema.SCHEMAS[KINDS[name].schema]()
    blocks = {KINDS[name].model.__name__: schema, **schema["$defs"]}
    fields = {f"{block}.{key}": field for block, of in blocks.items() for key, field in of["properties"].items()}
    assert [path for path, field in fields.items() if not field.get("description")] == []


@each_kind
def test_who_asks_for_another_kind_is_told_how_to_read_it(name: str) -> None:
    """Not that half of its outputs are missing; a program is told so before it registers anything."""
    for other, kind in KINDS.items():
        if other != name:
            with pytest.raises(NotTheContract, match=f"`{KINDS[name].read.__name__}`"):
                kind.model.read(outputs_of(name), STACK)
            with pytest.raises(pulumi.RunError, match=f"`{KINDS[name].read.__name__}`"):
                asked(kind.read, outputs_of(name))
    if name != "kubernetes":
        with pytest.raises(pulumi.RunError, match=f"`{KINDS[name].read.__name__}`"):
            asked(read_kubeconfig, outputs_of(name))


@each_kind
def test_a_kind_is_read_by_reference_and_nothing_of_it_is_secret(name: str) -> None:
    def name_of(stack: pulumi.StackReference) -> Any:
        return KINDS[name].read(stack).apply(lambda read: read.cluster.name)

    read = asked(name_of, outputs_of(name))
    assert read.outputs == {"read": outputs_of(name)["cluster"]["name"]}
    assert read.secret_outputs == frozenset()


def asked(ask: Any, outputs: dict[str, Any]) -> Recording:
    """A program that exports what it asks a stack of these outputs for."""

    def program() -> None:
        pulumi.export("read", ask(pulumi.StackReference(STACK)))

    return record(program, project="consumer", stack_outputs={STACK: Recording((), outputs, frozenset())})


@each_kind
def test_what_is_missing_is_named(name: str) -> None:
    """Every output that is not there, by its path."""
    broken = deepcopy(outputs_of(name))
    del broken["cluster"]["name"], broken["network"]
    with pytest.raises(NotTheContract) as refused:
        KINDS[name].model.read(broken, STACK)
    assert str(refused.value).splitlines()[1:] == ["  cluster.name is missing", "  network is missing"]


def test_add_ons_for_a_slurm_cluster_are_refused_before_any_is_registered() -> None:
    """Where the cluster's description is not here, its outputs tell what it is."""
    described = AddonsOf.model_validate({"addons-of": STACK, "addons": {"kueue": {}}})
    exported = {STACK: Recording((), outputs_of("parallelcluster"), frozenset())}
    with pytest.raises(pulumi.RunError, match="`read_slurm_cluster`"):
        record(lambda: deploy_addons("addons", described), project="consumer", stack_outputs=exported)


@pytest.mark.parametrize("stack", [each for each in ON_KUBERNETES if each != "g5-auto-mode"])
def test_addons_see_the_same_nodes_from_the_blueprint_and_from_the_contract(stack: str) -> None:
    """So they can be deployed from a stack of their own: all that values and objects are derived from, but for what AWS
    decides of a file system when it is made. Outputs do not state that Auto Mode's image has EFA's plugin."""
    plan = plan_of(stack)
    assert_the_same_context(AddonContext.of_blueprint(plan.blueprint), Cluster.read(plan.outputs))


def test_what_the_clusters_own_stack_installs_is_there_for_the_others() -> None:
    """Known by name and version, in the catalogue's order, and nobody else's to install."""
    plan = plan_of("p5-odcr")
    chosen = Addons.model_validate({"neuron-device-plugin": {}}).chosen
    context = AddonContext.of_contract(Cluster.read(plan.outputs), chosen)
    assert list(context.chosen) == ["nvidia-device-plugin", "neuron-device-plugin", "efa-device-plugin", "mpi-operator"]
    assert context.elsewhere == {"nvidia-device-plugin", "efa-device-plugin", "mpi-operator"}
    assert context.chosen["mpi-operator"].version == ADDONS["mpi-operator"].version
    assert list(context.own.chosen) == ["neuron-device-plugin"]


def given(value: Any) -> Any:
    """Without what is None: the SDK exports no such keys."""
    if isinstance(value, dict):
        return {key: given(below) for key, below in value.items() if below is not None}
    return [given(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("nat", "gateways"), [("one", {"us-west-2a"}), ("per-zone", {"us-west-2a", "us-west-2b"})])
def test_a_network_of_ours_says_where_it_can_be_joined(nat: str, gateways: set[str], tmp_path: Path) -> None:
    """Its addresses, zone ids, private route tables and public addresses; of one that exists nobody knows them."""
    lines = text_of("p5-odcr").splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.startswith("    network:"))
    after = next(number for number, line in enumerate(lines) if number > first and line.startswith("    groups:"))
    file = tmp_path / "Pulumi.p5-odcr.yaml"
    file.write_text("".join([*lines[:first], CREATED.replace("NAT", nat), *lines[after:]]))
    plan = plan_stack(load("p5-odcr", file, tmp_path / "facts.json"), date.fromisoformat(AS_OF))
    network = Cluster.read(plan.outputs).network
    made = {each.name: each.id for each in plan.registrations if each.type == "aws:ec2/routeTable:RouteTable"}
    assert network.cidr == "10.8.0.0/16"
    assert network.zone_ids == {"us-west-2a": "usw2-az2"}
    assert network.private_route_tables == {zone: made[f"private-{zone}"] for zone in ("us-west-2a", "us-west-2b")}
    assert set(network.nat_addresses) == gateways
    assert all(address.startswith("198.51.100.") for address in network.nat_addresses.values())


def test_a_group_says_what_holds_its_capacity() -> None:
    plans = {name: plan_of(name) for name in ON_KUBERNETES if name != "p6e-gb200"}  # whose groups have other names
    read = {name: Cluster.read(plan.outputs).node_groups["workers"] for name, plan in plans.items()}
    block = read["p5-capacity-block-self-managed"]
    assert (block.managed, block.ami_type, block.image_family) == (False, None, "al2023")
    assert (block.capacity.kind, block.capacity.zone, block.capacity.count) == ("capacity-block", "us-west-2a", 1)
    assert (block.capacity.starts, block.capacity.ends) == ("2026-12-01", "2026-12-15")
    held = read["p5-odcr"]
    assert (held.managed, held.ami_type) == (True, "AL2023_x86_64_NVIDIA")
    assert (held.capacity.reservation, held.capacity.starts) == ("cr-fill-me-in", None)
    for name, plan in plans.items():
        groups = {each.id for each in plan.registrations if each.type == "aws:autoscaling/group:Group"}
        pools = [each for each in plan.registrations if each.type.endswith(":NodePool")]
        if pools:  # Karpenter creates the nodes, without an Auto Scaling group
            assert (read[name].managed, read[name].auto_scaling_group) == (False, None)
        else:
            assert (read[name].auto_scaling_group in groups) is not read[name].managed


def test_what_an_older_muster_exported_is_read_forever() -> None:
    """The first outputs of contract 1, as they were: no field is renamed, none that they lack is asked for."""
    first = json.loads((ROOT / "tests" / "contract-1.json").read_text())
    read = given(Cluster.read(first).model_dump(mode="json"))
    jsonschema.validate(first, json_schema.SCHEMAS["outputs"]())
    assert holds(read, first)


def holds(value: Any, part: Any) -> bool:
    """Whether a value has everything of another one, in the same places."""
    if isinstance(part, dict):
        return all(key in value and holds(value[key], below) for key, below in part.items())
    return bool(value == part)


def test_what_a_newer_muster_adds_is_passed_over(planned: Plan) -> None:
    newer = {**deepcopy(dict(planned.outputs)), "more": 1}
    newer["cluster"]["more"] = {}
    assert Cluster.read(newer) == Cluster.read(planned.outputs)


def without(outputs: Any, *path: str, value: Any = None) -> dict[str, Any]:
    """The outputs without one of them, or with another value for it."""
    changed = deepcopy(dict(outputs))
    at = changed
    for step in path[:-1]:
        at = at[step]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda _: {}, "stack 'o/muster/x' has no outputs"),
        (lambda _: {"url": "x"}, "stack 'o/muster/x' has no output 'contract'"),
        (
            lambda all_: {**all_, "contract": 2},
            "stack 'o/muster/x' exports contract 2; this reader supports contract 1",
        ),
        (
            lambda all_: without(all_, "nodeGroups", "workers", "count", "max", value="many"),
            "\n  nodeGroups.workers.count.max is 'many': ",
        ),
        (lambda all_: {**all_, "kubeconfig": {"password": "hunter2"}}, "\n  kubeconfig is invalid"),
    ],
    ids=["nothing", "another program", "another contract", "another form", "a secret of another form"],
)
def test_other_outputs_are_refused_in_words(change: Any, said: str, planned: Plan) -> None:
    with pytest.raises(NotTheContract) as refused:
        Cluster.read(change(planned.outputs), "o/muster/x")
    assert said in str(refused.value)
    assert "hunter2" not in str(refused.value)


def test_importing_the_contract_loads_nothing_else() -> None:
    """Neither pulumi nor the rest of Muster: other teams' programs start as fast as before."""
    program = (
        "import sys, muster.contract; loaded = set(sys.modules);"
        "others = (m for m in loaded if m.startswith('muster.') and not m.startswith('muster.contract'));"
        "sys.exit(sorted([*others, *(m for m in loaded if m == 'pulumi')]))"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.stderr == "[]\n"


def reading(outputs: Any, *, preview: bool = False) -> Recording:
    """A program that reads a stack of these outputs, and exports what it read."""

    def program() -> None:
        stack = pulumi.StackReference(STACK)
        cluster = read_cluster(stack)
        pulumi.export("endpoint", cluster.apply(lambda each: each.cluster.endpoint))
        pulumi.export("gpus", cluster.apply(lambda each: each.node_groups["workers"].offers["nvidia.com/gpu"]))
        pulumi.export("withheld", cluster.apply(lambda each: each.kubeconfig is None))
        pulumi.export("config", read_kubeconfig(stack))

    return record(program, project="consumer", preview=preview, stack_outputs={STACK: outputs})


def exported(secrets: frozenset[str], **outputs: Any) -> Recording:
    return Recording((), outputs, secrets)


def test_a_stack_is_read_by_reference_and_only_the_kubeconfig_is_secret(planned: Plan) -> None:
    read = reading(planned)
    assert read.outputs == {
        "endpoint": planned.outputs["cluster"]["endpoint"],
        "gpus": 8,
        "withheld": True,
        "config": planned.outputs["kubeconfig"],
    }
    assert read.secret_outputs == {"config"}


def test_what_is_not_known_yet_is_not_judged(planned: Plan) -> None:
    """As where the other stack was only previewed: no error, and what follows is unknown, too."""
    cluster = {**planned.outputs["cluster"], "endpoint": UNKNOWN}
    read = reading(exported(SECRETS, **{**planned.outputs, "cluster": cluster, "network": UNKNOWN}), preview=True)
    assert read.outputs["endpoint"] is UNKNOWN
    assert read.outputs["gpus"] is UNKNOWN


def test_what_a_stack_has_made_secret_stays_secret(planned: Plan) -> None:
    read = reading(exported(frozenset({"kubeconfig", "cluster"}), **planned.outputs))
    assert read.secret_outputs == {"config", "endpoint", "gpus", "withheld"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda _: {}, f"stack '{STACK}' has no output"),
        (lambda all_: without(all_, "network"), f"stack '{STACK}' does not export contract 1:\n  network is missing"),
        (lambda all_: without(all_, "kubeconfig"), f"stack '{STACK}' has no output 'kubeconfig'"),
    ],
    ids=["nothing", "missing", "no kubeconfig"],
)
def test_a_program_that_reads_something_else_ends_in_words(change: Any, said: str, planned: Plan) -> None:
    with pytest.raises(pulumi.RunError) as refused:
        reading(exported(frozenset(), **change(planned.outputs)))
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("values", [{"min": 1, "start": 1}, {"min": 1, "start": 1, "max": 1, "most": 1}])
def test_a_block_is_written_with_all_its_fields_and_no_other(values: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="CountOutput has no such fields"):
        CountOutput.written(**values)
