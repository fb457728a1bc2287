"""`docs/reference/addons.md`: all add-ons, their order, and their images."""

from collections.abc import Iterator, Mapping

from muster.addons.addon import Addon, Chart, EksAddon
from muster.addons.catalogue import CATALOGUE
from muster.addons.charts.placement import CHECKS
from muster.addons.context import AddonContext
from muster.addons.installation_order import BEFORE_NODES, KINDS, OF_EKS
from muster.versions import ADDONS, Pin

_HEAD = """\
# Add-ons

Generated from the catalog (`addons/catalogue/`, one file for each add-on) and the pinned versions
(`muster/versions.py`). A stack lists its add-ons without values: Muster derives the values from the taints, labels and
types of the groups. [The description](description.md) lists the settings of each add-on;
[the rules](../rules/README.md) refuse combinations that are known to fail.

```yaml
addons:
  nvidia-device-plugin: {}
  efa-device-plugin: {values: {resources: {requests: {cpu: 20m}}}} # override Muster's values, as in Helm
  mpi-operator: {version: v0.8.2}                                  # instead of the pinned version
  charts:                                                          # after these; with before-addons: true, before them
    my-release: {repository: https://charts.example.org, chart: thing, version: 1.0.0, namespace: things}
```

```sh
muster addons p5-odcr                           # the order of installation, with reasons; --mermaid prints a diagram
muster addons render p5-odcr --charts charts/   # renders the real charts; shows where their pods run
muster mirror p5-odcr --to registry.example.org/mirror --format skopeo   # prints a script that copies charts and images
```

## All add-ons
"""

_RENDERING = """\
## Rendered

`muster addons render STACK --charts WHERE` renders every chart (with the `helm` program, or the package
`helm-python-sdk`). It checks by labels and taints on which groups the pods can run, including hooks and Muster's own
objects. `WHERE` is a folder (use `helm pull`; manifests are `NAME-VERSION.yaml`), the address of a mirror, or `online`.
`--out` writes the rendered objects.

Muster reports a fault at the value of the stack file that causes it (exit 1): it omits values one by one until the
fault disappears. A fault without any of your values, in the version for which Muster's values are made, is a bug in
Muster (exit 3). A chart that is not available is listed as not checked; with `--strict`, the exit code is then 4. EKS
does not publish the charts of EKS add-ons, so Muster does not check them, with or without `--strict`.

Not checked: free capacity of the nodes, affinity between pods, labels that exist only on live nodes (such as those of
feature discovery), and pods that an operator creates later.
"""

_MIRROR = """\
## Without internet access

`muster mirror STACK` lists every chart and image that the cluster needs: those of its add-ons, and those of the jobs
that fit it. The destination is `image-mirror` and `chart-mirror` of the description, from which Muster then installs
the add-ons, or `--to REGISTRY`. Both follow one convention:

| kind | public address | in the mirror |
|---|---|---|
| image | `nvcr.io/nvidia/k8s-device-plugin:v0.20.0` | `IMAGE-MIRROR/nvidia/k8s-device-plugin:v0.20.0` |
| image of Docker Hub | `alpine:3` | `IMAGE-MIRROR/library/alpine:3` |
| chart | `nvidia-device-plugin` of an index, or of a registry | `CHART-MIRROR/nvidia-device-plugin` |

- `--format skopeo` and `oras` print scripts. They copy images and charts between registries, by digest if it is known;
  charts of an index are pulled and pushed with `helm`. For ECR, the scripts create the repositories first.
- If a project does not publish a digest, it is `unknown`, because a tag can move.
- The machine that deploys reads manifests and the bases of overlays; the cluster does not. Only their images are
  copied.
- Images of EKS add-ons come from EKS's registry in the Region of the cluster: there is nothing to copy.
- Images of a version that is not pinned, and of charts that you add, are unknown until Muster reads the chart:
  `--charts WHERE` adds the images of the charts there.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *_table(), *_order(), *_removal(), _RENDERING, *_checks(), _MIRROR])


def _table() -> Iterator[str]:
    yield "| add-on | version | Kubernetes | kind | namespace | purpose |"
    yield "|---|---|---|---|---|---|"
    for name, addon in CATALOGUE.items():
        pin = ADDONS[name]
        version = pin.version or "you set it"
        yield f"| `{name}` | {version} | {_minors(pin)} | {_kind(addon)} | {addon.namespace} | {_what_for(addon)} |"
    yield ""
    yield "Kubernetes: the minor versions that the project states; otherwise the oldest that EKS runs, and newer."
    yield "Kinds: a Helm chart, one manifest, a kustomize overlay, an EKS add-on, or only objects of Muster."
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
        told.append(f"on HyperPod's nodes, it replaces {', '.join(f'`{each}`' for each in brought)}")
    return "; ".join(told).replace("|", "\\|")


def _order() -> Iterator[str]:
    yield "## Order"
    yield ""
    yield "If Muster creates the control plane, its EKS add-ons come first. The others come after the nodes, except"
    yield "those that HyperPod's nodes need. In addition:"
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
        yield from _before(name, addon.needs, " (required)")
        if addon.last:
            yield f"| `{name}` | all others | {addon.last} |"
    yield ""


def _before(name: str, before: Mapping[str, str], note: str = "") -> Iterator[str]:
    """One row for each reason."""
    for why in dict.fromkeys(before.values()):
        others = ", ".join(f"`{other}`" for other, reason in before.items() if reason == why)
        yield f"| `{name}` | {others}{note} | {why} |"


def _removal() -> Iterator[str]:
    yield "## Removed"
    yield ""
    yield "These add-ons stay on the cluster when you remove them from the description, unless you first set"
    yield "`on-destroy: delete`: uninstalling them deletes the objects in this list. Muster uninstalls all others. It"
    yield "deletes queues that you remove from the description, whether or not their add-on stays. Deleting a queue in"
    yield "use ends no job: Kueue deletes it after its last workload; Volcano refuses to delete it. Namespaces stay."
    yield ""
    for name, addon in CATALOGUE.items():
        if addon.loses:
            yield f"- `{name}`: {addon.loses}"
    yield ""


def _checks() -> Iterator[str]:
    yield "| check | what it requires | source |"
    yield "|---|---|---|"
    for check in CHECKS.values():
        yield f"| `{check.id}` | {check.title} | {check.source} |"
    yield ""
