"""Images: the parts of a reference, those that Kubernetes objects name, those of device plugins. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

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


# The images that Kubernetes objects name. A pod's containers are only some of them: operators start pods of images that
# are in their arguments and variables (the training operator's init container, the Neuron scheduler), custom resources
# contain pods (Kubeflow's training runtimes), and ConfigMaps whole templates.

_HOST = r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+(?::\d+)?|localhost(?::\d+)?)"
_WORD = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_TAG = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}"
_DIGEST = r"sha256:[0-9a-f]{64}"

_ANY = re.compile(rf"(?:{_HOST}/)?{_WORD}(?:/{_WORD})*(?::{_TAG})?(?:@{_DIGEST})?")
"""A reference of any form (distribution/reference, `regexp.go`)."""

_UNMISTAKABLE = re.compile(
    rf"(?<![\w./:@-]){_HOST}/{_WORD}(?:/{_WORD})*(?::{_TAG}(?:@{_DIGEST})?|@{_DIGEST})(?![\w/:@-])"
)
"""In other text, a reference with registry and version: a path or an address is no image."""

_ARGUMENT = re.compile(r"--?(?P<option>[a-z-]+)[= ](?P<image>\S+)")
"""``--init-container-image=alpine:3.20``: the value of an option for an image may lack the registry."""

_VARIABLE = re.compile(r"(^|_)IMAGE($|_)")


def named_images(objects: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Every image that objects name, as they write it, each once, sorted.

    It does not find an image whose name a program composes, nor one without registry or tag where nothing marks it as
    an image. The schemas of CRDs are left out: they contain examples.
    """
    looked_at = (each for each in objects if each.get("kind") != "CustomResourceDefinition")
    return tuple(sorted({image for each in looked_at for image in _in(each)}))


def _in(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        variable = _VARIABLE.search(str(value.get("name")))
        for name, below in value.items():
            yield from _in(below, "image" if variable and name == "value" else str(name))
    elif isinstance(value, list):
        for each in value:
            yield from _in(each)
    elif isinstance(value, str):
        yield from _of_text(value, key)


def _of_text(text: str, key: str) -> Iterator[str]:
    argument = _ARGUMENT.fullmatch(text)
    image = (
        argument["image"] if argument and "image" in argument["option"] else text.strip() if key == "image" else None
    )
    if image is None:
        yield from _UNMISTAKABLE.findall(text)
    elif _ANY.fullmatch(image):
        yield image


PLUGIN_IMAGES = {
    "nvidia.com/gpu": "k8s-device-plugin",
    "vpc.amazonaws.com/efa": "aws-efa-k8s-device-plugin",
    "aws.amazon.com/neuron": "neuron-device-plugin",
}
"""Device -> the last part of the name of its plugin's image."""
