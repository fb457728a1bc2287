"""What post-install scripts mean together with the rest of a cluster.

Sources: aws-samples/aws-parallelcluster-post-install-scripts at the commit that Muster takes, `docker/postinstall.sh`
(knows Amazon Linux and Ubuntu, and ends with an error elsewhere) and `pyxis/postinstall.sh` (switches Slurm's plugin on
in its part for the head node; the part for compute nodes relies on it).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.description.post_install import Software
from muster.fleet.description.slurm_cluster import Os
from muster.fleet.dotted import Path_

_Fault = tuple[Path_, str, str]

_INSTALLS: Mapping[Software, frozenset[Os]] = {
    Software.DOCKER: frozenset({Os.ALINUX2023, Os.UBUNTU2204, Os.UBUNTU2404}),
    Software.PYXIS: frozenset(Os),
}
"""What AWS's script installs -> where."""


def faults(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    """What cannot work of a cluster's `post-install`, wherever it stands."""
    yield from _unsupported(raw)
    yield from _pyxis_without_head(raw)


def _unsupported(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    os = raw.get("os", Os.ALINUX2023.value)
    if os not in [*Os]:
        return
    for path, block in _blocks(raw):
        for index, name in enumerate(_installed(block)):
            if name in [*Software] and os not in _INSTALLS[Software(name)]:
                known = ", ".join(each for each in Os if each in _INSTALLS[Software(name)])
                yield (
                    (*path, "install", index),
                    f"AWS's script for {name} does not know {os}, and a node on which it fails never joins",
                    f"write one of os: {known}; or install {name} by a script of yours (scripts)",
                )


def _pyxis_without_head(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    blocks = dict(_blocks(raw))
    everywhere = blocks.get(_EVERYWHERE)
    head = blocks.get(_HEAD, everywhere)
    if _has_pyxis(head):
        return
    queues = raw.get("queues")
    of_queues = {("queues", name, "post-install") for name in queues} if isinstance(queues, Mapping) else set()
    own = {path: block for path, block in blocks.items() if path in of_queues}
    if _HEAD in blocks and _has_pyxis(everywhere) and of_queues - own.keys():
        yield (
            _HEAD,
            "other nodes get pyxis, and the head node, whose script switches it on in Slurm, does not",
            "add pyxis to install here: this is in place of the cluster's post-install",
        )
    for path, block in own.items():
        if _has_pyxis(block):
            yield (
                (*path, "install", _installed(block).index(Software.PYXIS)),
                "pyxis is installed here, and not on the head node, whose script switches it on in Slurm",
                "add it to head: {post-install: {install: ...}}, or to the cluster's post-install",
            )


def _has_pyxis(block: Mapping[Any, Any] | None) -> bool:
    return Software.PYXIS in _installed(block)


_EVERYWHERE: Path_ = ("post-install",)
_HEAD: Path_ = ("head", "post-install")


def _blocks(raw: Mapping[Any, Any]) -> Iterator[tuple[Path_, Mapping[Any, Any]]]:
    """Every `post-install` that is a block."""
    queues = raw.get("queues")
    named = queues.items() if isinstance(queues, Mapping) else ()
    holders: list[tuple[Path_, Any]] = [((), raw), (("head",), raw.get("head"))]
    holders += [(("queues", name), queue) for name, queue in named]
    for path, holder in holders:
        if isinstance(holder, Mapping) and isinstance(block := holder.get("post-install"), Mapping):
            yield (*path, "post-install"), block


def _installed(block: Mapping[Any, Any] | None) -> list[Any]:
    install = block.get("install") if block else None
    return [*install] if isinstance(install, list | tuple) else []
