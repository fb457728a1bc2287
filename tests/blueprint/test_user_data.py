"""What nodes are told at boot: parsed, and compared whole."""

import json
import tomllib
from email import message_from_string
from email.message import Message
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.blueprint.user_data import Boot, ClusterAddress, max_pods_in, user_data
from muster.hardware.ami import Family
from muster.size import Size

ADDRESS = ClusterAddress("muster-test", "https://ABC.gr7.us-west-2.eks.amazonaws.com", "Q0VSVA==", "10.100.0.0/16")
LABELS = (("muster/group", "workers"), ("team", "research"))
TAINTS = (
    ("nvidia.com/gpu", "true", "NoSchedule"),
    ("team", "", "NoSchedule"),
    ("team", "research", "NoExecute"),
)


def a_boot(family: Family = Family.AL2023, **said: Any) -> Boot:
    """A node with nothing to be told."""
    return Boot(**{"family": family, "huge_page_memory": Size(0), "max_pods": None, "raid0": False, **said})


def a_joining(family: Family, **said: Any) -> Boot:
    """A node that must be told everything."""
    told = {"joins": True, "labels": LABELS, "taints": TAINTS, "max_pods": 51, "raid0": True}
    return a_boot(family, **{**told, "huge_page_memory": Size(10256), **said})


def parts(text: str) -> dict[str, str]:
    """Content type -> part, of a MIME document."""
    document: Message = message_from_string(text)
    assert document.is_multipart()
    listed = document.get_payload()
    assert isinstance(listed, list)
    by_type = {part.get_content_type(): str(part.get_payload()) for part in listed if isinstance(part, Message)}
    assert len(by_type) == len(listed)
    return by_type


def node_config(text: str) -> dict[str, Any]:
    """The NodeConfig's spec."""
    config = json.loads(parts(text)["application/node.eks.aws"])
    assert (config.pop("apiVersion"), config.pop("kind")) == ("node.eks.aws/v1alpha1", "NodeConfig")
    spec: dict[str, Any] = config.pop("spec")
    assert config == {}
    return spec


@pytest.mark.parametrize("family", Family)
def test_nothing_to_say_is_no_user_data(family: Family) -> None:
    assert user_data(a_boot(family)) == ""


# AL2023.


def test_an_al2023_node_is_told_all_that_nodeadm_asks_for() -> None:
    """nodeadm refuses a NodeConfig without name, endpoint, certificate authority or CIDR."""
    assert node_config(user_data(a_joining(Family.AL2023), ADDRESS)) == {
        "cluster": {
            "name": "muster-test",
            "apiServerEndpoint": "https://ABC.gr7.us-west-2.eks.amazonaws.com",
            "certificateAuthority": "Q0VSVA==",
            "cidr": "10.100.0.0/16",
        },
        "kubelet": {
            "config": {
                "maxPods": 51,
                "registerWithTaints": [
                    {"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"},
                    {"key": "team", "value": "", "effect": "NoSchedule"},
                    {"key": "team", "value": "research", "effect": "NoExecute"},
                ],
            },
            "flags": ["--node-labels=muster/group=workers,team=research"],
        },
        "instance": {"localStorage": {"strategy": "RAID0"}},
    }


def test_a_joining_node_without_labels_and_taints() -> None:
    spec = node_config(user_data(a_boot(joins=True), ADDRESS))
    assert set(spec) == {"cluster", "kubelet"}
    assert spec["kubelet"] == {}


def test_the_script_sets_pages_and_pods() -> None:
    text = user_data(a_joining(Family.AL2023), ADDRESS)
    assert list(parts(text)) == ["text/x-shellscript", "application/node.eks.aws"]
    script = parts(text)["text/x-shellscript"]
    assert script.startswith("#!/usr/bin/env bash\n")
    assert "want=5128\n" in script
    assert max_pods_in(text) == 51


@pytest.mark.parametrize(
    ("said", "types"),
    [
        ({"raid0": True}, ["application/node.eks.aws"]),
        ({"max_pods": 51}, ["text/x-shellscript"]),
        ({"huge_page_memory": Size(2)}, ["text/x-shellscript"]),
    ],
)
def test_a_managed_node_is_told_only_what_eks_does_not_say(said: dict[str, Any], types: list[str]) -> None:
    text = user_data(a_boot(**said))
    assert list(parts(text)) == types
    assert "apiServerEndpoint" not in text
    assert max_pods_in(text) == said.get("max_pods")


# Bottlerocket.


def test_a_bottlerocket_node_is_told_all_that_it_asks_for() -> None:
    """Two taints of one key share a list: two lines of one key are no TOML. DNS is the tenth address of Services."""
    settings = tomllib.loads(user_data(a_joining(Family.BOTTLEROCKET), ADDRESS))
    assert settings == {
        "settings": {
            "kubernetes": {
                "cluster-name": "muster-test",
                "api-server": "https://ABC.gr7.us-west-2.eks.amazonaws.com",
                "cluster-certificate": "Q0VSVA==",
                "cluster-dns-ip": "10.100.0.10",
                "max-pods": 51,
                "node-labels": {"muster/group": "workers", "team": "research"},
                "node-taints": {
                    "nvidia.com/gpu": ["true:NoSchedule"],
                    "team": [":NoSchedule", "research:NoExecute"],
                },
            },
            "kernel": {"sysctl": {"vm.nr_hugepages": "5128"}},
            "bootstrap-commands": {
                "local-scratch": {
                    "commands": [
                        ["apiclient", "ephemeral-storage", "init"],
                        [
                            "apiclient",
                            "ephemeral-storage",
                            "bind",
                            "--dirs",
                            "/var/lib/containerd",
                            "/var/lib/kubelet",
                            "/var/log/pods",
                        ],
                    ],
                    "essential": True,
                    "mode": "always",
                }
            },
        }
    }


def test_a_managed_bottlerocket_node_is_told_nothing_of_its_cluster() -> None:
    text = user_data(a_boot(Family.BOTTLEROCKET, labels=LABELS, taints=TAINTS, huge_page_memory=Size(10256)))
    assert tomllib.loads(text) == {"settings": {"kernel": {"sysctl": {"vm.nr_hugepages": "5128"}}}}


def test_no_table_has_quotes_in_its_header() -> None:
    """EKS refuses `[foo."bar"]` in a managed group's user data."""
    headers = [line for line in user_data(a_joining(Family.BOTTLEROCKET), ADDRESS).splitlines() if line.startswith("[")]
    assert len(headers) == 5
    assert not [header for header in headers if '"' in header]


words = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12)


@given(st.lists(st.tuples(words.filter(bool), words), max_size=4, unique_by=lambda each: each[0]))
def test_whatever_labels_say_is_toml(labels: list[tuple[str, str]]) -> None:
    """Quotes and backslashes included."""
    boot = a_boot(Family.BOTTLEROCKET, joins=True, labels=tuple(sorted(labels)))
    settings = tomllib.loads(user_data(boot, ADDRESS))["settings"]["kubernetes"]
    assert settings.get("node-labels", {}) == dict(labels)


@pytest.mark.parametrize(
    ("cidr", "dns"), [("172.20.0.0/16", "172.20.0.10"), ("10.100.0.0/16", "10.100.0.10"), ("10.0.0.16/28", "10.0.0.26")]
)
def test_the_clusters_dns_is_the_tenth_service(cidr: str, dns: str) -> None:
    assert ClusterAddress("x", "x", "x", cidr).dns == dns


# Reading it back, whoever wrote it.


@pytest.mark.parametrize("family", Family)
@pytest.mark.parametrize("joins", [True, False])
@given(pods=st.none() | st.integers(1, 737))
def test_the_maximum_of_pods_is_read_as_it_was_written(family: Family, pods: int | None, *, joins: bool) -> None:
    boot = a_joining(family, max_pods=pods) if joins else a_boot(family, max_pods=pods)
    assert max_pods_in(user_data(boot, ADDRESS if joins else None)) == pods


@pytest.mark.parametrize(
    ("text", "pods"),
    [
        ("spec:\n  kubelet:\n    config:\n      maxPods: 110\n", 110),
        ('{\n  "maxPods": 29\n}', 29),
        ("[settings.kubernetes]\nmax-pods = 58\n", 58),
        ('"max-pods" = 58', 58),
        ("maxPods: 10\nmaxPods: 20\n", 20),
        ("# maxPods: 10", None),
        ("maxPodsExpression: max_pods - 1", None),
        ("maxPods: many", None),
        ("", None),
    ],
)
def test_the_maximum_of_pods_in_other_hands(text: str, pods: int | None) -> None:
    """The last one holds; comments and other settings are none."""
    assert max_pods_in(text) == pods
