"""An image's reference, taken apart at its registry. Pure."""

DOCKER_HUB = "docker.io"


def split(reference: str) -> tuple[str, str]:
    """The registry's host and the name in it: ``nvcr.io``, ``nvidia/k8s-device-plugin:v0.20.0``. Docker Hub is meant
    where no host is named, and `library/` where there is one word only."""
    host, slash, rest = reference.partition("/")
    if slash and ("." in host or ":" in host or host == "localhost"):
        return host, rest
    return DOCKER_HUB, reference if slash else f"library/{reference}"


def path_of(reference: str) -> str:
    """An image's name without its registry's host: ``nvidia/k8s-device-plugin:v0.20.0``."""
    return split(reference)[1]


def whole(reference: str) -> str:
    """An image's reference with its registry: Docker Hub's where none is named."""
    return "/".join(split(reference))
