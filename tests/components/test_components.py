"""Components for other languages register what a stack's own program registers, and refuse what the rules refuse."""

import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from muster.config.document import CLUSTER_KEY
from muster.fleet.registration import Registration
from muster.offline.plan import Plan, existing_clusters, plan_stack
from muster.stack.stack_file import StackFile, load
from tests.components.hosted import PROJECT, STACK, Constructed, construct
from tests.components.spelled import spelled
from tests.stack_files import AS_OF, ON_KUBERNETES, filled_in, text_of

_MADE = re.compile(r"[0-9a-f]{7}")
"""What is in an answer of the monitor's that is made of a URN."""

EKS = [each for each in ON_KUBERNETES if "backend: eks" in text_of(each)]


@pytest.fixture(autouse=True)
def _same_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUSTER_AS_OF", AS_OF)


def described(stack: str) -> dict[str, Any]:
    """A stack's description, ids filled in."""
    said: dict[str, Any] = yaml.safe_load(filled_in(text_of(stack)))["config"][CLUSTER_KEY]
    return said


def region_of(stack: str) -> str:
    """The Region of a stack."""
    return str(yaml.safe_load(text_of(stack))["config"]["aws:region"])


def planned(said: Mapping[str, Any], folder: Path, region: str = "us-west-2") -> tuple[StackFile, Plan]:
    """What a stack's own program registers for a description."""
    file = folder / f"Pulumi.{STACK}.yaml"
    file.write_text(yaml.safe_dump({"config": {"aws:region": region, CLUSTER_KEY: dict(said)}}), encoding="utf-8")
    opened = load(STACK, file, folder / "none.json")
    return opened, plan_stack(opened, date.fromisoformat(AS_OF))


def registered(registrations: Iterable[Registration]) -> dict[tuple[str, str], Any]:
    """Type and name -> inputs. The monitor makes ids of URNs, and the component above is part of those: what AWS says
    of a resource goes by the resource's name."""
    every = [each for each in registrations if each.type != "pulumi:pulumi:Stack"]
    answered: dict[str, str] = {}
    for each in every:
        if each.type.startswith("muster:"):  # a component hands on what is its resources'
            continue
        said = set(_texts(each.inputs))
        for word, key in (
            (each.urn, "urn"),
            (each.id, "id"),
            *((text, "says") for text in _texts(each.outputs) if text not in said),
        ):
            if isinstance(word, str) and (len(word) > len("us-west-2a") or _MADE.search(word)):
                answered.setdefault(word, f"<{each.type} {each.name} {key}>")
    longest = sorted(answered, key=len, reverse=True)
    made = {(each.type, each.name): _called(each.inputs, answered, longest) for each in every}
    assert made
    return made


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from (text for each in value.values() for text in _texts(each))
    elif isinstance(value, list | tuple):
        yield from (text for each in value for text in _texts(each))
    elif isinstance(value, str):
        yield value


def _called(value: Any, answered: Mapping[str, str], longest: Sequence[str]) -> Any:
    """A value with every answer of AWS's by the name of what it is about; user data is read as the text that it is."""
    if isinstance(value, Mapping):
        return {
            key: _called(_user_data(each) if key == "userData" else each, answered, longest)
            for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [_called(each, answered, longest) for each in value]
    if isinstance(value, str):
        for word in longest:
            value = value.replace(word, answered[word])
    return value


def _user_data(text: str) -> str:
    """User data as text: launch templates have it in base64, and an EC2NodeClass as it is."""
    try:
        return b64decode(text, validate=True).decode()
    except ValueError:
        return text


def cluster_of(stack: str, folder: Path) -> tuple[Constructed, Plan]:
    """The component of a stack's description, and the stack's plan."""
    said = (
        {"name": STACK, **described(stack)}
        if "existing" not in str(described(stack)["control-plane"])
        else described(stack)
    )
    region = region_of(stack)
    opened, plan = planned(said, folder, region)
    existing = existing_clusters(opened.derive())
    made = construct("TrainingCluster", "training", spelled(said), project="muster", existing=existing, region=region)
    return made, plan


@pytest.mark.parametrize("stack", EKS)
def test_a_training_cluster_is_the_stack(stack: str, tmp_path: Path) -> None:
    """The very resources of the stack's own program, with the same inputs, below the component; nothing else."""
    made, plan = cluster_of(stack, tmp_path)
    assert made.refused == ""
    assert registered(made.registrations) == registered(plan.registrations)
    assert made.component is not None
    top = [each for each in made.registrations if each.parent in ("", None)]
    assert top == []


def test_its_outputs_are_the_contracts_and_its_secrets_secret(tmp_path: Path) -> None:
    """What a stack exports, by the same names; the kubeconfig is the only secret."""
    made, plan = cluster_of("p5-odcr", tmp_path)
    assert made.secret == {"kubeconfig"}
    same = {"contract", "backend", "region", "eksAddons", "addons"}
    assert {key: made.outputs[key] for key in same} == {key: plan.outputs[key] for key in same}
    for name, group in plan.outputs["nodeGroups"].items():
        assert made.outputs["nodeGroups"][name]["offers"] == group["offers"]
        assert made.outputs["nodeGroups"][name].keys() >= {key for key, value in group.items() if value is not None}
    assert made.outputs["cluster"]["name"] == STACK
    assert made.outputs["network"]["vpc"] == plan.outputs["network"]["vpc"]


def joining(**more: Any) -> dict[str, Any]:
    """`p5-join-existing`, as groups say it."""
    return {**described("p5-join-existing"), **more}


def of_groups(said: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of groups that join: the cluster and its network are blocks of their own."""
    args = spelled({key: value for key, value in said.items() if key not in ("control-plane", "network")})
    whole = spelled(said)
    return {**args, "cluster": whole["controlPlane"]["existing"], "network": whole["network"]["existing"]}


def test_groups_of_nodes_are_those_of_the_stack(tmp_path: Path) -> None:
    """Groups that join a cluster which exists: the resources of a stack that says the same."""
    said = joining()
    opened, plan = planned(said, tmp_path)
    made = construct(
        "NodeGroups", "gpu", of_groups(said), project="muster", existing=existing_clusters(opened.derive())
    )
    assert made.refused == ""
    assert registered(made.registrations) == registered(plan.registrations)
    assert set(made.outputs) == {"nodeGroups", "network", "addons"}
    assert set(made.outputs["nodeGroups"]) == set(said["groups"])


def test_a_file_system_is_that_of_the_stack(tmp_path: Path) -> None:
    """The file system, its group and the rules between it and the nodes' group: those of a stack that has it too. The
    rules with the EFA group are the stack's alone: the group is its own."""
    lustre = {"size": "1200GiB", "throughput": 250, "zone": "us-west-2a", "on-destroy": "delete"}
    said = joining(storage={"scratch": {"lustre": lustre}})
    opened, plan = planned(said, tmp_path)
    whole = spelled(said)
    args = {
        **whole["storage"]["scratch"]["lustre"],
        "kubernetes": said["kubernetes"],
        "cluster": whole["controlPlane"]["existing"],
        "network": whole["network"]["existing"],
    }
    made = construct("LustreFileSystem", "scratch", args, project="muster", existing=existing_clusters(opened.derive()))
    assert made.refused == ""
    of_stack = registered(plan.registrations)
    theirs = {
        (each.type, each.name): of_stack[each.type, each.name]
        for each in plan.registrations
        if "muster:infra:Lustre" in each.urn and "efa" not in each.name
    }
    assert registered(made.registrations) == theirs
    assert made.outputs["fileSystem"]["capacity"] == "1200Gi"


def test_what_the_rules_refuse_is_refused_before_anything_is_registered() -> None:
    """With the argument's path, in the words of the rule."""
    said = described("p5-odcr")
    said["groups"]["workers"]["capacity"]["reservation"]["zone"] = "us-west-2b"
    made = construct("TrainingCluster", "training", spelled(said))
    assert made.component is None
    assert made.registrations == ()
    (why,) = made.arguments.items()
    assert why[0] == "groups.workers.capacity.reservation.zone"
    assert why[1].startswith("reservation-zone-matches-subnet: ")


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"localStorage": "raid1"}, "localStorage"),
        ({"nodes": {"fixed": 1.5}}, "nodes"),
        ({"instance": "p5.48xlargee"}, "instance"),
        (
            {"capacity": {"reservation": {"id": "cr", "zone": "us-west-2a", "count": 1, "providedBy": "aws"}}},
            "capacity.reservation.id",
        ),
        ({"capacity": {"reservation": {"id": "cr-1"}}}, "capacity.reservation.zone"),
        ({"zone": "us-west-2a-1"}, "zone"),
    ],
)
def test_wrong_arguments_are_told_at_their_path(change: dict[str, Any], argument: str) -> None:
    """In the schema's spelling, without a trace of Python; all of them at once."""
    said = spelled(described("p5-odcr"))
    said["groups"]["workers"] |= change
    made = construct("TrainingCluster", "training", said)
    assert made.registrations == ()
    assert "Traceback" not in made.refused
    assert ".py" not in made.refused
    assert any(each.startswith(f"groups.workers.{argument}") for each in made.arguments), made.refused


def test_the_words_of_a_file_system_are_its_own() -> None:
    """Its arguments stand at the top, and nothing is said of nodes that are another's."""
    whole = spelled(joining())
    args = {"size": "much", "zone": "us-west-2a", "kubernetes": "1.35"}
    args |= {"cluster": whole["controlPlane"]["existing"], "network": whole["network"]["existing"]}
    made = construct("LustreFileSystem", "scratch", args)
    assert (made.registrations, made.arguments.keys()) == ((), {"size"})
    assert PROJECT not in made.refused
