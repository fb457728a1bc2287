"""Huge pages, and neither CPU nor memory."""

import pulumi_kubernetes as kubernetes

AT = {"train"}


def a_pod(**limits: str) -> None:
    resources = {"limits": {"hugepages-1Gi": "2Gi", **limits}}
    kubernetes.core.v1.Pod("train", spec={"containers": [{"name": "train", "image": "train", "resources": resources}]})


def passing() -> None:
    a_pod(memory="4Gi")


def failing() -> None:
    a_pod()
