"""`make outdated`: the pinned facts that are older than what the package registries have today. It writes nothing.

A newer package is not a fault: its release notes say whether a fact changed. The recipes in
docs/contributing/developing.md name the tool that writes each table.
"""

import re
from importlib.metadata import version
from pathlib import Path

from muster import child_process, versions
from muster.addon_sheets import ADDONS
from muster.versions import EKS_ADDONS

PACKAGES = {
    **{name: version(name) for name in ("botocore", "cfn-lint", "moto")},
    "aws-parallelcluster": versions.PARALLELCLUSTER,
    "hyperpod-elastic-agent": versions.HYPERPOD_ELASTIC_AGENT,
}
"""PyPI: the packages from which tables are written, and those that clusters install."""
MODULES = {
    "github.com/NVIDIA/dcgm-exporter": "dcgm-exporter",
    "github.com/NVIDIA/k8s-device-plugin": "nvidia-device-plugin",
    "github.com/aws/karpenter-provider-aws": "karpenter",
    "github.com/kubeflow/mpi-operator": "mpi-operator",
    "github.com/kubeflow/trainer/v2": "trainer",
    "github.com/ray-project/kuberay/ray-operator": "kuberay-operator",
    "sigs.k8s.io/dra-driver-nvidia-gpu": "nvidia-dra-driver",
    "sigs.k8s.io/jobset": "jobset",
    "sigs.k8s.io/kueue": "kueue",
    "volcano.sh/volcano": "volcano",
}
"""Go modules of add-ons that Muster pins."""
VPC_CNI = "github.com/aws/amazon-vpc-cni-k8s"


def main() -> None:
    """Prints a line for each older fact, and for each registry that did not answer."""
    pinned = {
        **{name: (have, _newest_package(name)) for name, have in PACKAGES.items()},
        **{addon: (ADDONS[addon].version, _newest_module(name)) for name, addon in MODULES.items()},
        "vpc-cni": (max(each["vpc-cni"] for each in EKS_ADDONS.values()), _newest_module(VPC_CNI)),
    }
    for name, (have, newest) in pinned.items():
        if not newest:
            print(f"{name}: pinned {have}; the registry gave no answer")
        elif _numbers(newest) > _numbers(have):
            print(f"{name}: pinned {have}, newest {newest}")


def _newest_package(name: str) -> str:
    found = _answer(*child_process.python("-m", "pip", "index", "versions", "--disable-pip-version-check", name))
    return found.partition("(")[2].partition(")")[0]


def _newest_module(name: str) -> str:
    return _answer("go", "list", "-m", "-f", "{{.Version}}", f"{name}@latest").strip()


def _answer(*command: str | Path) -> str:
    try:
        return child_process.run(
            command, env=child_process.environment(*child_process.DOWNLOADS, "GO*"), timeout=60
        ).stdout
    except (OSError, child_process.TimeoutExpired):
        return ""


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)[:3]))


if __name__ == "__main__":
    main()
