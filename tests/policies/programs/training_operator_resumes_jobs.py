"""HyperPod's training operator, of a release that AWS does not state."""

from tests.policies.programs.kubernetes import HYPERPOD, releases

AT = {"HyperPodHelmChart"}


def image(tag: str) -> dict[str, object]:
    own = {"image": {"tag": tag}, "schemes": ["pytorchjob"]}
    return {**HYPERPOD, "training-operators": own}


def passing() -> None:
    releases(("HyperPodHelmChart", "0.1.0", image("v1-04f9f13")))


def failing() -> None:
    releases(("HyperPodHelmChart", "0.1.0", image("v1-93c5489")))
