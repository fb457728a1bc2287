"""Images: the parts of a reference, and those of device plugins. Pure."""

DOCKER_HUB = "docker.io"


def split(reference: str) -> tuple[str, str]:
    """The registry's host and the name in it: ``nvcr.io``, ``nvidia/k8s-device-plugin:v0.20.0``. Docker Hub is the
    default host, and `library/` the default prefix of a name without a slash."""
    host, slash, rest = reference.partition("/")
    if slash and ("." in host or ":" in host or host == "localhost"):
        return host, rest
    return DOCKER_HUB, reference if slash else f"library/{reference}"


def path_of(reference: str) -> str:
    """An image's name without its registry's host: ``nvidia/k8s-device-plugin:v0.20.0``."""
    return split(reference)[1]


def full_reference(reference: str) -> str:
    """An image's reference with its registry: Docker Hub's where none is named."""
    return "/".join(split(reference))


PLUGIN_IMAGES = {
    "nvidia.com/gpu": "k8s-device-plugin",
    "vpc.amazonaws.com/efa": "aws-efa-k8s-device-plugin",
    "aws.amazon.com/neuron": "neuron-device-plugin",
}
"""Device -> the last part of the name of its plugin's image."""
