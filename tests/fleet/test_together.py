"""What keys mean together is said whatever else is wrong, each at its own key."""

from typing import Any

import pytest

from muster.config.description.eks_cluster import EksCluster
from muster.config.stack_file import load
from muster.config.validation import validate
from tests.factories import DROP, a_document
from tests.stack_files import ROOT

W = "groups.workers"
VOLUME = f"{W}.volume"
EXISTING = {"existing": {"name": "theirs", "security-group": "sg-0123456789abcdef0", "authentication": "api"}}


def faults(edits: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Place -> what was found, and what to do."""
    made, found = validate(EksCluster, a_document(edits))
    assert (made is None) == bool(found)
    assert len({finding.where for _, finding in found}) == len(found), "nothing is said twice"
    return {finding.where: (finding.got, finding.remedy) for _, finding in found}


def test_all_that_an_existing_control_plane_has_of_its_own_beside_what_else_is_wrong() -> None:
    found = faults(
        {
            "control-plane": EXISTING,
            "name": "mine",
            "api": "private",
            "logs": {},
            "secrets-key": "arn:aws:kms:us-west-2:000000000000:key/0a",
            "network": {"create": {"zones": ["us-west-2a", "us-west-2b"]}},
            f"{W}.zone": "us-west-2",
            f"{W}.instanse": "p5",
        }
    )
    assert found.pop(f"{W}.zone")[0] == "'us-west-2' is a Region"
    assert found.pop(f"{W}.instanse")[0].startswith("unknown key")
    assert found.pop("network") == (
        "an existing control plane has its network",
        "name it under network: existing",
    )
    assert found == {
        key: (f"an existing control plane has its own {key}", "remove it here")
        for key in ("name", "api", "logs", "secrets-key")
    }


def test_a_missing_api_is_told_beside_what_else_is_wrong() -> None:
    found = faults({"api": DROP, f"{W}.zone": "us-west-2"})
    assert found["api"] == ("'api' is missing", "write api: private, or api: {public: [networks]}")
    assert set(found) == {"api", f"{W}.zone"}


@pytest.mark.parametrize(
    ("edits", "places"),
    [
        ({"api": DROP, "apii": "private"}, {"apii"}),
        ({"api": None}, {"api"}),
        ({"control-plane": EXISTING, "api": DROP, "name": None}, {"name"}),
        ({"control-plane": "elsewhere", "api": DROP}, {"control-plane"}),
        ({"control-plane": DROP, "api": DROP}, {"control-plane"}),
        ({VOLUME: {"iops": "many", "throughput": 2000}}, {f"{VOLUME}.iops"}),
        ({VOLUME: {"size": "300", "iops": 80000}}, {f"{VOLUME}.size"}),
        ({VOLUME: {"iops": None, "size": "20GiB"}}, {f"{VOLUME}.iops"}),
    ],
)
def test_a_key_that_is_wrong_by_itself_is_told_once(edits: dict[str, Any], places: set[str]) -> None:
    assert set(faults(edits)) == places


def test_a_volume_is_told_all_at_once() -> None:
    found = faults({VOLUME: {"size": "20GiB", "iops": 20000, "throughput": 2000, "x": 1}, "kubernetes": 1.35})
    assert found.pop(f"{VOLUME}.x")[0] == "unknown key 'x'"
    assert found.pop("kubernetes")[0] == "1.35 is a number here"
    assert found == {
        f"{VOLUME}.iops": ("20000 iops are too many for 20GiB", "write at most 10000: gp3 takes 500 a GiB")
    }
    found = faults({VOLUME: {"size": "20GiB", "iops": 12000, "throughput": 2001}})
    assert found == {
        f"{VOLUME}.iops": ("12000 iops are too many for 20GiB", "write at most 10000: gp3 takes 500 a GiB"),
        f"{VOLUME}.throughput": ("2001 is out of range", "write at most 2000"),
    }
    assert faults({VOLUME: {"throughput": 1000}}) == {
        f"{VOLUME}.throughput": (
            "1000 MiB/s need 4000 iops, and there are 3000",
            "write iops: 4000, or a throughput of at most 750",
        )
    }


@pytest.mark.parametrize(
    "volume",
    [
        {"size": "64TiB", "iops": 80000, "throughput": 2000},
        {"size": "160GiB", "iops": 80000},
        {"throughput": 750},
        {"size": "20GiB"},
    ],
)
def test_the_most_that_gp3_takes(volume: dict[str, Any]) -> None:
    assert faults({VOLUME: volume}) == {}


@pytest.mark.parametrize("document", [None, [], "x", {"groups": [1]}, {"groups": {"a": 1, 2: {"volume": "x"}}}])
def test_a_document_of_anything_is_no_crash(document: Any) -> None:
    made, found = validate(EksCluster, document)
    assert made is None
    assert found


def test_a_stack_whose_name_is_none_of_a_cluster_is_told_beside_what_else_is_wrong(tmp_path: Any) -> None:
    file = tmp_path / "Pulumi.My_Stack.yaml"
    file.write_text("config:\n  aws:region: us-west-2\n  muster:cluster: {backend: eks}\n")
    found = [each.finding.got for each in load("My_Stack", file, tmp_path / "none.json").faults]
    assert "the stack's name 'My_Stack' cannot be the cluster's" in found
    assert "'kubernetes' is missing" in found


@pytest.mark.parametrize("said", ["name: p5", "control-plane: {existing: {name: p5}}"])
def test_a_stack_of_any_name_is_a_cluster_that_has_one(tmp_path: Any, said: str) -> None:
    """By `name`, or as the cluster that it joins."""
    file = tmp_path / "Pulumi.My_Stack.yaml"
    file.write_text(f"config:\n  aws:region: us-west-2\n  muster:cluster:\n    backend: eks\n    {said}\n")
    found = [each.finding.got for each in load("My_Stack", file, tmp_path / "none.json").faults]
    assert found
    assert not [each for each in found if "the stack's name" in each]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("API", "api"),
        ("API_AND_CONFIG_MAP", "api-and-config-map"),
        ("Config_Map", "config-map"),
    ],
)
def test_a_choice_in_the_words_of_aws_is_a_near_miss(said: str, meant: str) -> None:
    edits = {"control-plane": {"existing": {**EXISTING["existing"], "authentication": said}}, "api": DROP}
    assert faults(edits) == {
        "control-plane.existing.authentication": (
            f"'{said}' is not a choice here; did you mean '{meant}'?",
            "choices: api, api-and-config-map, config-map",
        )
    }


KEY = "arn:aws:kms:us-west-2:210987654321:key/"


@pytest.mark.parametrize(
    ("key", "taken"),
    [
        ("01234567-89ab-cdef-0123-456789abcdef", True),
        ("mrk-0123456789abcdef0123456789abcdef", True),
        ("mrk-0123", False),
        ("alias", False),
    ],
)
def test_keys_of_one_region_and_of_several(key: str, *, taken: bool) -> None:
    assert (faults({"secrets-key": KEY + key}) == {}) is taken


@pytest.mark.parametrize(
    ("key", "taken"),
    [
        ("team", True),
        ("example.com/team", True),
        ("eksperiment", True),
        ("mykubernetes.io/x", True),
        ("karpenter.sh/discovery", True),
        ("kubernetes.io/cluster/p5", False),
        ("node.kubernetes.io/x", False),
        ("k8s.io/cluster-autoscaler/enabled", False),
        ("elbv2.k8s.io/cluster", False),
        ("eks:nodegroup-name", False),
        ("muster:stack", False),
        ("aws:x", False),
    ],
)
def test_tags_that_others_know_their_own_by(key: str, *, taken: bool) -> None:
    found = faults({"tags": {key: "x"}})
    assert (found == {}) is taken
    if not taken and key != "aws:x":
        assert found[f"tags.{key}"] == (f"'{key}' is for EKS, Kubernetes and Muster to set", "take another key")


def test_a_stack_with_a_fault_describes_nothing(tmp_path: Any) -> None:
    """Whoever finds one, and beside those that were found before."""
    file = ROOT / "stacks" / "Pulumi.g4dn.yaml"
    sound = load("g4dn", file, tmp_path / "none.json")
    assert sound.described is not None
    assert sound.with_faults([]).described == sound.described
    first, second = (sound.place((key,)) for key in ("backend", "groups"))
    once = sound.with_faults([first])
    twice = once.with_faults([second, first])
    assert [each.described for each in (once, twice)] == [None, None]
    assert [each.faults for each in (once, twice)] == [(first,), tuple(sorted([first, second]))]
