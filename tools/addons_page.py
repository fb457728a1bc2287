"""`docs/addons.md`: the add-ons there are, and their options."""

from collections.abc import Iterator, Mapping

from addons.addon import Addon, Chart, EksAddon
from addons.catalogue import CATALOGUE
from addons.charts.placement import CHECKS
from addons.context import AddonContext
from addons.installation_order import BEFORE_NODES, KINDS, OF_EKS
from muster.versions import ADDONS, Pin

_HEAD = """\
# Add-ons

Generated from the catalogue (`addons/catalogue/`, a file each) and the pins (`muster/versions.py`). A stack names what
it wants, and no values: they follow from its groups' own taints, labels and types.
[The description](description.md) lists what may be said of each; [the rules](rules/README.md) refuse combinations that
are known to break.

```yaml
addons:
  nvidia-device-plugin: {}
  efa-device-plugin: {values: {resources: {requests: {cpu: 20m}}}} # laid over ours as Helm lays values over a chart's
  mpi-operator: {version: v0.8.2}                                  # another version than the pinned one
  charts:                                                          # after these, or before (before-addons: true)
    my-release: {repository: https://charts.example.org, chart: thing, version: 1.0.0, namespace: things}
```

```sh
muster addons p5-odcr                           # in the order of installation, and why; --mermaid for a page
muster addons render p5-odcr --charts charts/   # what the real charts give with our values, and where it lands
muster mirror p5-odcr --to registry.example.org/mirror --format skopeo   # a script that copies charts and images
```

## What there is
"""

_RENDERING = """\
## Rendered

`muster addons render STACK --charts WHERE` renders every chart (by the `helm` program, or the package
`helm-python-sdk`) and judges by labels and taints on which groups its pods land; hooks and objects of Muster's own,
too. `WHERE` is a folder (`helm pull` into it; manifests as `NAME-VERSION.yaml`), the address of a mirror, or `online`.
`--out` writes what was rendered.

A fault is told at the value of the stack file that brings it about (exit 1): values are left out one by one until it
is gone. What is wrong without any of them, in the version that ours are for, is a bug of Muster's (exit 3). A chart
that is not at hand is named, never called checked; with `--strict` that is exit 4. EKS's own add-ons have no chart for
anybody else: EKS renders them, and nothing is judged of them, `--strict` or not.

Not judged: room on the nodes, what pods want of each other, labels that come to be on live nodes only (as a feature
discovery sets them), pods that an operator makes later.
"""

_MIRROR = """\
## Without a way out

`muster mirror STACK` lists every chart and image that the cluster needs: the chosen add-ons', and those of the jobs
that fit it. Where to is what the description's `image-mirror` and `chart-mirror` say, by which add-ons come from there;
or `--to REGISTRY`. One convention for both:

| what | in its own place | in the mirror |
|---|---|---|
| image | `nvcr.io/nvidia/k8s-device-plugin:v0.20.0` | `IMAGE-MIRROR/nvidia/k8s-device-plugin:v0.20.0` |
| image of Docker Hub | `alpine:3` | `IMAGE-MIRROR/library/alpine:3` |
| chart | `nvidia-device-plugin` of an index, or of a registry | `CHART-MIRROR/nvidia-device-plugin` |

- `--format skopeo` and `oras` print scripts: images and charts of registries are copied between registries, by digest
  where one is known; charts of an index are pulled and pushed with `helm`. For ECR, repositories are made first.
- A digest that the project does not publish is `unknown`: a tag can move.
- Manifests and what an overlay is laid over are read by the machine that deploys, not by the cluster. Only their images
  are copied.
- Images of EKS add-ons come from EKS's own registry in the cluster's Region: there is nothing to copy.
- Images of another version than the pinned one, and of charts of your own, are unknown until a chart is looked at:
  `--charts WHERE` adds what the charts there name.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *_table(), *_order(), *_removal(), _RENDERING, *_checks(), _MIRROR])


def _table() -> Iterator[str]:
    yield "| add-on | version | Kubernetes | kind | namespace | what for |"
    yield "|---|---|---|---|---|---|"
    for name, addon in CATALOGUE.items():
        pin = ADDONS[name]
        version = pin.version or "yours to say"
        yield f"| `{name}` | {version} | {_minors(pin)} | {_kind(addon)} | {addon.namespace} | {_what_for(addon)} |"
    yield ""
    yield "Kubernetes: the minors that the project names; where it names none, the oldest that EKS runs, and newer."
    yield "Kinds: a Helm chart, one manifest, an overlay of ours over a manifest, an EKS add-on, objects of ours alone."
    yield ""


def _kind(addon: Addon) -> str:
    either = addon.form is not None and isinstance(addon.source, EksAddon)
    return f"{KINDS[type(addon.source)]}{', or a chart' if either else ''}"


def _minors(pin: Pin) -> str:
    first, last = pin.kubernetes
    return f"{first} to {last}" if last else f"{first} and newer"


def _what_for(addon: Addon) -> str:
    told = [addon.reason]
    if addon.serves:
        told.append(f"offers `{addon.serves}`")
    if addon.runs:
        told.append(f"runs {', '.join(f'{each.kind} (`{each.api_version}`)' for each in addon.runs)}")
    if addon.brings({}) and isinstance(addon.source, Chart):
        brought = addon.brings(addon.source.values(AddonContext("", "", "", (), {})))
        told.append(
            f"brings along, for nodes of its own, what {', '.join(f'`{each}`' for each in brought)} are for others"
        )
    return "; ".join(told).replace("|", "\\|")


def _order() -> Iterator[str]:
    yield "## Order"
    yield ""
    yield "EKS's own come first, where Muster makes the control plane; the others when nodes are there, but for what"
    yield "stands before HyperPod's. Beyond that:"
    yield ""
    yield "| add-on | after | why |"
    yield "|---|---|---|"
    for name, (_, before) in OF_EKS.items():
        yield from _before(name, before)
    for name, why in BEFORE_NODES.items():
        yield f"| the nodes | `{name}` | {why} |"
    for name, addon in CATALOGUE.items():
        if addon.before_nodes:
            yield f"| HyperPod's nodes | `{name}` | {addon.before_nodes} |"
    for name, addon in CATALOGUE.items():
        yield from _before(name, addon.after)
        yield from _before(name, addon.needs, ", without which it does not work")
        if addon.last:
            yield f"| `{name}` | all others | {addon.last} |"
    yield ""


def _before(name: str, before: Mapping[str, str], note: str = "") -> Iterator[str]:
    """A line for each reason."""
    for why in dict.fromkeys(before.values()):
        others = ", ".join(f"`{other}`" for other, reason in before.items() if reason == why)
        yield f"| `{name}` | {others}{note} | {why} |"


def _removal() -> Iterator[str]:
    yield "## Removed"
    yield ""
    yield "These stay on the cluster when they are taken out of the description, unless `on-destroy: delete` was said"
    yield "before: uninstalling them deletes what is named here. All others are uninstalled. Queues go with the"
    yield "description that makes them, whether or not their add-on stays; one that is in use ends no job (Kueue lets"
    yield "it go after its last workload, Volcano refuses to delete it). Namespaces stay."
    yield ""
    for name, addon in CATALOGUE.items():
        if addon.loses:
            yield f"- `{name}`: {addon.loses}"
    yield ""


def _checks() -> Iterator[str]:
    yield "| check | what it asks | source |"
    yield "|---|---|---|"
    for check in CHECKS.values():
        yield f"| `{check.id}` | {check.title} | {check.source} |"
    yield ""
