"""Kubeflow Trainer, v2: runs TrainJob, trainer.kubeflow.org/v1alpha1, by JobSets. v1 may run beside it.

Chart 2.3.0, kubeflow/trainer `charts/kubeflow-trainer` at v2.3.0 (658725b):

- It includes JobSet 0.12.0 (`jobset.install`), and must not where there is one: two controllers would have one CRD.
  To go from one to the other takes two `up`s (the key `jobset` decides): the names of its two webhook configurations
  do not depend on `fullnameOverride` (`jobset` 0.12.0, `templates/webhook/_helpers.tpl`), and Helm refuses what another
  release owns. The JobSet CRD is in `crds/`, so JobSets stay meanwhile.
- A TrainJob names a runtime. A Helm hook, a Job after the installation, applies the chart's runtimes: one of them,
  `torch-distributed`, is turned on. That Job fetches kubectl from Alpine's package mirror, so where images come from a
  mirror it is turned off: it could fetch nothing, and the release would fail. Then the user has to apply the runtime.
- Its CRDs are in templates: uninstalling deletes them, and every TrainJob (its readme still states that they stay).
- The chart also depends on LeaderWorkerSet 0.8.0, for its data cache, which is off.

`_workloads` compared with that chart rendered by Helm 3.19 (`tests/addons/test_real_charts.py`): the manager's and the
JobSet controller's name, namespace, replicas, priority class, node selector, affinity, tolerations and requests; for
the chart's defaults, our values, and values that replace, extend and delete each of them.
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, Chart, Json, SwitchedNeed
from muster.addons.catalogue import jobset
from muster.addons.context import AddonContext, system_tolerations
from muster.addons.values import at, over_defaults
from muster.addons.workload import JobKind, Workload, full_name

_CHART = "kubeflow-trainer"
_NAMESPACE = "kubeflow-system"
_SUB_CHART = "jobset"
_RUNTIMES = ("deepspeedDistributed", "mlxDistributed", "xgboostDistributed", "torchtuneDistributed")
"""Runtimes whose image has a value."""


def _values(context: AddonContext) -> Json:
    tolerations = system_tolerations(context)
    own = not context.has(_SUB_CHART)
    return {
        "manager": {"tolerations": tolerations},
        "jobset": {"install": True, "controller": {"tolerations": tolerations}} if own else {"install": False},
        "runtimes": {"torchDistributed": {"enabled": True}, "installer": {"tolerations": tolerations}},
    }


def _mirrored(registry: str) -> Json:
    image = {"image": {"registry": registry}}
    return {
        **image,
        "jobset": jobset.mirrored(registry),
        "runtimes": {"torchDistributed": {"enabled": False}, "installer": image, **dict.fromkeys(_RUNTIMES, image)},
        "dataCache": {"cacheImage": {"registry": registry}},
    }


_DEFAULTS: dict[str, Any] = {
    "manager": {"replicas": 1},
    _SUB_CHART: {"install": True, "fullnameOverride": "jobset", **jobset.DEFAULTS},
}
"""The chart's own, as far as they decide where its pods run."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    name = f"{full_name(_CHART, values)}-controller-manager"
    manager = Workload.deployment(name, _NAMESPACE, values.get("manager") or {})
    if not at(values, _SUB_CHART, "install"):
        return (manager,)
    # Its release is the trainer's, so its name contains its chart's.
    name = full_name(_CHART, {"nameOverride": _SUB_CHART, **values[_SUB_CHART]})
    return (jobset.controller(name, _NAMESPACE, values[_SUB_CHART]), manager)


def runtimes(values: Mapping[str, Any]) -> tuple[Json, ...]:
    """The runtimes that the chart's Job applies with these values, of those that are known here: the chart's
    `files/runtimes/torch-distributed.yaml` at v2.3.0."""
    on = at(values, "runtimes", "torchDistributed", "enabled") or at(values, "runtimes", "defaultEnabled")
    return (_TORCH_DISTRIBUTED,) if on else ()


_TORCH_DISTRIBUTED: Json = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "ClusterTrainingRuntime",
    "metadata": {"name": "torch-distributed", "labels": {"trainer.kubeflow.org/framework": "torch"}},
    "spec": {
        "mlPolicy": {"numNodes": 1, "torch": {}},
        "template": {
            "spec": {
                "replicatedJobs": [
                    {
                        "name": "node",
                        "template": {
                            "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
                            "spec": {
                                "template": {
                                    "spec": {
                                        "containers": [
                                            {
                                                "name": "node",
                                                "image": "pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime",
                                            }
                                        ]
                                    }
                                }
                            },
                        },
                    }
                ]
            }
        },
    },
}

ADDON = Addon(
    name="trainer",
    namespace=_NAMESPACE,
    source=Chart("oci://ghcr.io/kubeflow/charts", _CHART, _values, _mirrored),
    reason="it runs TrainJobs",
    workloads=_workloads,
    needs_if=(
        SwitchedNeed(("jobset", "certManager", "enable"), "cert-manager", jobset.CERTIFICATE, ("jobset", "install")),
    ),
    loses="every TrainJob, TrainingRuntime and ClusterTrainingRuntime",
    runs=(JobKind("trainer.kubeflow.org/v1alpha1", "TrainJob"), jobset.KIND),
    after={"jobset": "the trainer creates JobSets, and does not install JobSet itself if it is already installed"},
)
