"""The releases that rules accept and refuse, on both sides of each boundary, with the source of the numbers."""

from collections.abc import Callable

import pytest

from muster.fleet.resources import Fleet
from muster.hardware.interfaces import Layout
from tests.factories import DROP, SG, a_fleet, a_template, an_eks_addon, facts, interfaces, with_changed
from tests.factories.hyperpod import a_hyperpod_fleet
from tests.policies.addons import (
    EFA,
    NVIDIA,
    OPERATOR,
    a_manifest,
    an_addon,
    by_manifest,
    loose,
    on_version,
)
from tests.policies.findings import got_by
from tests.policies.pods import NCCL, running

Released = Callable[[str], Fleet]
"""A release -> a fleet with it."""


EFA_ONLY = {"groups.workers.hyperpod.interface": "efa-only"}
JOINED = {
    "control-plane": {"existing": {"name": "platform", "security-group": SG, "authentication": "api"}},
    "api": DROP,
}
"""HyperPod on an EKS cluster that exists."""


def _on_p6(version: str, tag: str = "") -> Fleet:
    template = a_template(instance="p6-b200.48xlarge", interfaces=interfaces("p6-b200.48xlarge"))
    return a_fleet(template, an_addon(EFA, version, {"image": {"tag": tag}} if tag else {}))


def _beside_training(kueue: str) -> Fleet:
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", kueue))


def _cni(version: str) -> Fleet:
    return a_fleet(an_eks_addon(version=version))


def _cni_of_several_cards(version: str) -> Fleet:
    nics = interfaces("p4d.24xlarge", Layout.CLASSIC)
    return a_fleet(an_eks_addon(version=version), a_template(instance="p4d.24xlarge", interfaces=nics))


@pytest.mark.parametrize(
    ("rule", "of", "taken", "refused"),
    [
        # NVIDIA/k8s-device-plugin, CHANGELOG; its chart, its manifest, and what the operator's releases bring
        (
            "nvidia-plugin-spares-efa",
            lambda version: loose(an_addon(NVIDIA, version, {"tolerations": [{"operator": "Exists"}]})),
            *(["0.18.2", "0.18.99", "0.19.3", "0.20.0", "1.0.0"], ["0.19.0", "0.19.1", "0.19.2", "v0.19.2-ubi8"]),
        ),
        (
            "nvidia-plugin-spares-efa",
            lambda version: loose(by_manifest(NVIDIA, version)),
            *(["v0.18.2", "v0.19.3"], ["v0.19.0", "v0.19.2"]),
        ),
        (
            "nvidia-plugin-spares-efa",
            lambda version: loose(an_addon(OPERATOR, version)),
            *(["v26.3.3", "v26.7.0"], ["v26.3.0", "v26.3.1", "v26.3.2"]),
        ),
        # etcd upgrade guide 3.6
        (
            "etcd-speaks-v2",
            lambda version: a_fleet(a_manifest("etcd", version)),
            *(["v3.4.0", "v3.5.0", "v3.5.99"], ["v3.6.0", "v3.6.4", "v4.0.0"]),
        ),
        # aws/sagemaker-hyperpod-cli#282; aws/eks-charts stable/aws-efa-k8s-device-plugin
        ("efa-plugin-knows-p6", _on_p6, ["v0.5.10", "v0.5.11", "v0.6.0"], ["v0.5.9"]),
        # An older one does not list the type.
        ("plugin-reaches-its-nodes", _on_p6, ["v0.5.9", "v0.5.10"], ["v0.5.6", "v0.5.8", "v0.4.10"]),
        ("efa-plugin-knows-p6", lambda tag: _on_p6("v0.5.9", tag), ["v0.5.6", "v0.6.0"], ["v0.5.5", "v0.4.9"]),
        ("kueue-manages-training-jobs", _beside_training, ["0.18.0", "0.18.99"], ["0.19.0", "0.19.2", "1.0.0"]),
        # EKS user guide, device-management-efa
        (
            "dra-driver-supported",
            lambda version: on_version(version, an_addon("aws-dranet")),
            *(["1.34", "1.35"], ["1.32", "1.33"]),
        ),
        # EKS user guide, Run machine learning training with EFA; SageMaker guide, prerequisites
        ("vpc-cni-supports-efa", _cni, ["v1.18.5-eksbuild.1", "v1.19.0"], ["v1.18.4-eksbuild.1", "v1.17.9"]),
        ("vpc-cni-supports-efa", _cni_of_several_cards, ["v1.7.10", "v1.8.0"], ["v1.7.9-eksbuild.1", "v1.6.99"]),
        (
            "hyperpod-vpc-cni",
            lambda version: with_changed(a_hyperpod_fleet(), "vpc-cni", version=version),
            *(["v1.18.3-eksbuild.1", "v1.19.0"], ["v1.18.2-eksbuild.1", "v1.17.9"]),
        ),
        (
            "hyperpod-vpc-cni",
            lambda version: with_changed(a_hyperpod_fleet(EFA_ONLY), "vpc-cni", version=version),
            *(["v1.18.5-eksbuild.1"], ["v1.18.4-eksbuild.1"]),
        ),
        (
            "hyperpod-vpc-cni",
            lambda version: a_hyperpod_fleet(
                JOINED, known=facts(clusters={"platform": {"eksAddons": {"vpc-cni": version}}})
            ),
            *(["v1.18.3-eksbuild.1"], ["v1.18.2-eksbuild.1"]),
        ),
        # aws-samples/awsome-distributed-training, efa-cheatsheet.md
        *(
            ("nccl-image-new-enough", lambda tag: running(f"{NCCL}:{tag}"), taken, refused)
            for taken, refused in (
                (["cuda12.0.0-efa1", "cuda12", "cuda12.8.1"], ["cuda11.8.0-efa1", "cuda11"]),
                (["ncclv2.18.0-1", "ncclv2.18", "ncclv2"], ["ncclv2.17.9-1", "ncclv2.17"]),
                (["ofiv1.7.2-1", "ofiv1.7", "ofiv1.8.0"], ["ofiv1.7.1-1", "ofiv1.6"]),
                # A digest may follow the tag, and a tag is anybody's to write.
                (["cuda12.0.0@sha256:11", f"cuda{'9' * 5000}"], ["cuda11.8.0-efa1@sha256:11"]),
            )
        ),
        # aws/aws-ofi-nccl RELEASENOTES.md; NVIDIA/nccl v2.25.1-1; NVIDIA, Blackwell Compatibility Guide
        *(
            ("nccl-image-new-enough", lambda tag, on=on: running(f"{NCCL}:{tag}", on), taken, refused)
            for on, taken, refused in (
                *(
                    (on, ["cuda12.8.0-efa1", "cuda12", "ncclv2.25.1-1", "ncclv2"], ["cuda12.6.3", "ncclv2.24.3-1"])
                    for on in ("p6-b200.48xlarge", "p6-b300.48xlarge", "p6e-gb200.36xlarge")
                ),
                ("p6-b200.48xlarge", ["ofiv1.15.0-1", "ofiv1.15", "ofiv1.16.3"], ["ofiv1.14.2-1", "ofiv1.14"]),
                ("p6-b300.48xlarge", ["ofiv1.18.0-1", "ofiv1.19.0"], ["ofiv1.17.3-1", "ofiv1.15.0"]),
                ("p6e-gb200.36xlarge", ["ofiv1.19.0-1", "ofiv1.21.1"], ["ofiv1.18.0-1", "ofiv1.16.1"]),
            )
        ),
    ],
)
def test_releases(rule: str, of: Released, taken: list[str], refused: list[str]) -> None:
    """The rule has one finding for each refused release, and none for the others."""
    assert {version: len(got_by(rule, of(version))) for version in (*taken, *refused)} == {
        **dict.fromkeys(taken, 0),
        **dict.fromkeys(refused, 1),
    }
