"""HyperPod's training operator with a newer image and the schemes of old."""

from tests.policies.programs.kubernetes import HYPERPOD, releases

AT = {"HyperPodHelmChart"}


def image(tag: str) -> dict[str, object]:
    own = {"image": {"tag": tag}}
    return {**HYPERPOD, "training-operators": own, "job-auto-restart": {"enabled": False}}


def passing() -> None:
    releases(("HyperPodHelmChart", "0.1.0", image("v1-04f9f13")))


def failing() -> None:
    releases(("HyperPodHelmChart", "0.1.0", image("v1-5170a36")))
