"""What nodes are told at boot: parsed, and compared whole."""

import json
import subprocess
import tomllib
from email import message_from_string
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.blueprint.node_settings import NodeSettings, settings_in
from muster.blueprint.user_data import NODE_CONFIG, SCRIPT, Boot, ClusterAddress, mime, toml_lines, user_data
from muster.config.description.node_boot import Scripts
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


def test_an_al2023_node_has_a_script_and_all_that_nodeadm_asks_for() -> None:
    """nodeadm refuses a NodeConfig without name, endpoint, certificate authority or CIDR."""
    text = user_data(a_joining(Family.AL2023), ADDRESS)
    assert list(parts(text)) == ["text/x-shellscript", "application/node.eks.aws"]
    assert parts(text)["text/x-shellscript"].startswith("#!/usr/bin/env bash\n")
    spec = node_config(text)
    assert set(spec["cluster"]) == {"name", "apiServerEndpoint", "certificateAuthority", "cidr"}
    assert [each["key"] for each in spec["kubelet"]["config"]["registerWithTaints"]] == [key for key, *_ in TAINTS]
    alone = node_config(user_data(a_boot(joins=True), ADDRESS))
    assert set(alone) == {"cluster"}


def test_two_taints_of_one_key_share_a_list_on_bottlerocket() -> None:
    """Two lines of one key are no TOML. A managed node is told nothing of its cluster."""
    kubernetes = tomllib.loads(user_data(a_joining(Family.BOTTLEROCKET), ADDRESS))["settings"]["kubernetes"]
    assert kubernetes["node-taints"]["team"] == [":NoSchedule", "research:NoExecute"]
    managed = user_data(a_boot(Family.BOTTLEROCKET, labels=LABELS, taints=TAINTS, huge_page_memory=Size(10256)))
    assert tomllib.loads(managed) == {"settings": {"kernel": {"sysctl": {"vm.nr_hugepages": "5128"}}}}


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


SCRIPTS = st.text(max_size=200).map(lambda text: "#!/bin/sh\n" + text.replace("\r", ""))


@given(before=SCRIPTS, after=SCRIPTS)
def test_cloud_init_finds_the_users_scripts_whatever_they_contain(before: str, after: str) -> None:
    """Lines that end a part, and letters that its reader changes, too."""
    scripts = Scripts.model_construct(before=before, after=after)
    document = message_from_string(user_data(a_boot(scripts=scripts)))
    found = [
        part.get_payload(decode=True) for part in document.walk() if part.get_content_type() == "text/x-shellscript"
    ]
    first, last = (each.decode() for each in found if isinstance(each, bytes))
    assert first.removesuffix("\n") == before.removesuffix("\n")
    assert after.rstrip("\n") in last


def test_the_script_after_the_join_is_written_whole_by_a_shell(tmp_path: Path) -> None:
    """The shell that writes it changes nothing in it, and waits for nothing."""
    after = "#!/bin/sh\necho $HOME `date` 'END'\nEND\n"
    document = message_from_string(user_data(a_boot(scripts=Scripts.model_construct(after=after))))
    (script,) = (str(part.get_payload()) for part in document.walk() if not part.is_multipart())
    local = script.replace("/usr/local/sbin", str(tmp_path)).replace("/etc/systemd/system", str(tmp_path))
    run = subprocess.run(
        ["/bin/bash", "-c", f"systemctl() {{ echo $*; }}\n{local}"], capture_output=True, text=True, check=True
    )
    assert (tmp_path / "muster-after").read_text() == after
    assert run.stdout.splitlines() == ["daemon-reload", "start --no-block muster-after.service"]


# Reading it back, whoever wrote it.


@pytest.mark.parametrize("family", Family)
@pytest.mark.parametrize("joins", [True, False])
@given(pods=st.none() | st.integers(1, 737))
def test_the_maximum_of_pods_is_read_as_it_was_written(family: Family, pods: int | None, *, joins: bool) -> None:
    boot = a_joining(family, max_pods=pods) if joins else a_boot(family, max_pods=pods)
    assert settings_in(user_data(boot, ADDRESS if joins else None)).max_pods == pods


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
    assert settings_in(text).max_pods == pods


BOOT = '[settings.boot.kernel-parameters]\nhugepages = ["5128"]\nhugepagesz = ["2M"]\n'
REBOOTS = "[settings.boot]\nreboot-to-reconcile = true\n"
FLAGS = "--kubelet-extra-args '--max-pods=29 --system-reserved=cpu=1,memory=2Gi'"
RESERVED = {"kubeReserved": {"memory": "4Gi"}}


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        (BOOT, NodeSettings(None, {}, ("hugepages", "hugepagesz"))),
        (f"{REBOOTS}{BOOT}", NodeSettings(5128)),
        (f"{REBOOTS}{BOOT.replace('2M', '1G')}", NodeSettings()),
        ('[settings.kernel.sysctl]\n"vm/nr_hugepages" = "6550"\n', NodeSettings(6550)),
        ('[settings.kernel.hugepages.static."2Mi"]\ncount = "20"\n', NodeSettings(20)),
        (
            '[settings.kubernetes]\nsystem-reserved.memory = "1Gi"\n',
            NodeSettings(None, {"systemReserved": {"memory": "1Gi"}}),
        ),
        ("#!/bin/bash\nsysctl -w vm.nr_hugepages=5128\n", NodeSettings(5128)),
        (
            f"#!/bin/bash\n/etc/eks/bootstrap.sh a {FLAGS}\n",
            NodeSettings(None, {"systemReserved": {"cpu": "1", "memory": "2Gi"}, "maxPods": "29"}),
        ),
        (
            mime(
                [
                    (SCRIPT, "#!/bin/bash\necho 512 > /proc/sys/vm/nr_hugepages\n"),
                    (NODE_CONFIG, "kind: NodeConfig\nspec: {kubelet: {config: {kubeReserved: {memory: 4Gi}}}}\n"),
                ]
            ),
            NodeSettings(512, RESERVED),
        ),
        ("kind: NodeConfig\nspec: [", NodeSettings()),
        ("[settings\n", NodeSettings()),
    ],
)
def test_the_settings_of_nodes_in_other_hands(text: str, settings: NodeSettings) -> None:
    assert settings_in(text) == settings


def test_settings_are_written_as_toml_reads_them() -> None:
    settings = {"kernel": {"sysctl": {"vm.nr_hugepages": "5128"}}, "boot": {"reboot-to-reconcile": True, "a b": ["x"]}}
    written = "\n".join(toml_lines("settings", settings))
    assert tomllib.loads(written) == {"settings": settings}
