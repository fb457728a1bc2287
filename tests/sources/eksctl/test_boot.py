"""What a ClusterConfig sets of the boot of its nodes is in the description of the cluster."""

from pathlib import Path
from typing import Any

import yaml

from muster.cli.imported_file import import_file
from muster.stack.stack_file import load
from tests.sources.eksctl.files import config

NODE_CONFIG = """apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  instance: {localStorage: {strategy: RAID0}}
  kubelet: {config: {shutdownGracePeriod: 30s}, flags: ["--node-labels=team=a"]}
  containerd: {config: "[metrics]"}
  featureGates: {FastImagePull: true}
"""
WORKERS = {
    "name": "workers",
    "instanceType": "p5.48xlarge",
    "minSize": 2,
    "maxSize": 2,
    "desiredCapacity": 2,
    "overrideBootstrapCommand": NODE_CONFIG,
    "preBootstrapCommands": ["sysctl -w vm.swappiness=1", "echo é"],
    "maxPodsPerNode": 50,
    "volumeSize": 500,
    "volumeThroughput": 600,
    "volumeIOPS": 6000,
    "additionalVolumes": [{"volumeName": "/dev/sdf", "volumeSize": 1000, "volumeType": "gp3"}],
}
SYSTEM = {
    "name": "sys",
    "instanceType": "c5.2xlarge",
    "desiredCapacity": 1,
    "amiFamily": "Bottlerocket",
    "volumeSize": 90,
    "bottlerocket": {"settings": {"kubernetes": {"system-reserved": {"memory": "1Gi"}}, "motd": "x"}},
}


def described(tmp_path: Path) -> tuple[dict[str, Any], str]:
    """The groups, and the text of the stack file."""
    file = tmp_path / "cluster.yaml"
    file.write_text(config(WORKERS, SYSTEM, version="1.33"))
    text = import_file(file).text()
    assert not load("mine", tmp_path / "Pulumi.mine.yaml", tmp_path / "mine.json", text=text).faults
    return yaml.safe_load(text)["config"]["muster:cluster"]["groups"], text


def test_scripts_settings_and_volumes_come_over(tmp_path: Path) -> None:
    groups, text = described(tmp_path)
    of_boot = ("scripts", "kubelet", "containerd", "volume", "volumes", "local-storage", "image")
    assert {key: each for key, each in groups["workers"].items() if key in of_boot} == {
        "scripts": {"before": "#!/bin/bash\nsysctl -w vm.swappiness=1\necho é\n"},
        "kubelet": {"maxPods": 50, "shutdownGracePeriod": "30s"},
        "containerd": {"config": "[metrics]", "parallel-pull": True},
        "volume": {"size": "500GiB", "throughput": 600, "iops": 6000},
        "volumes": [{"device": "/dev/sdf", "size": "1000GiB"}],
        "local-storage": "raid0",
    }
    assert {key: each for key, each in groups["sys"].items() if key in of_boot} == {
        "image": "bottlerocket",
        "kubelet": {"systemReserved": {"memory": "1Gi"}},
        "volume": {"size": "90GiB"},
    }
    for left in ("kubelet.flags of its NodeConfig", "settings.motd of its user data"):
        assert left in text
