"""Kueue's own configuration: which kinds of jobs it manages. Pure.

After `charts/kueue/values.yaml` of kubernetes-sigs/kueue v0.19.2 (8eab687): the chart takes it as one text, so it is
restated whole. Since 0.19.0 it leaves the jobs of the training operator out (6cdcd38, "kubeflow training v1 is being
deprecated"): a PyTorchJob with a queue's label would run past every queue, and nobody would say so. They are put back
where that operator is. The others stay: Kueue waits for a kind that nothing defines yet
(`pkg/controller/jobframework/setup.go`).

Local disk is no matter of quotas: no queue of ours has any, and Kueue keeps out what asks for a resource that its queue
does not name.
"""

from addons.catalogue import hyperpod, training_operator
from addons.site import Site
from addons.values import runs_of, values_of

_ALWAYS = (
    *("batch/job", "kubeflow.org/mpijob", "ray.io/rayjob", "ray.io/rayservice", "ray.io/raycluster"),
    *("jobset.x-k8s.io/jobset", "workload.codeflare.dev/appwrapper", "trainer.kubeflow.org/trainjob"),
    *("pod", "deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset"),
)
"""The chart's own."""

_LEFT_OUT = ("PaddleJob", "PyTorchJob", "TFJob", "XGBoostJob", "JAXJob")
"""Kinds of kubeflow.org that Kueue can manage and the chart leaves out."""

_RUNNING_THEM = (training_operator.ADDON, hyperpod.ADDON)


def frameworks(site: Site) -> list[str]:
    """The kinds of jobs that Kueue manages on a cluster, in its own words."""
    there = (addon for addon in _RUNNING_THEM if site.has(addon.name))
    run = {kind.kind for addon in there for kind in runs_of(addon, values_of(addon, site))}
    return [*_ALWAYS, *(f"kubeflow.org/{kind.lower()}" for kind in _LEFT_OUT if kind in run)]


_TEXT = """\
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
health:
  healthProbeBindAddress: :8081
metrics:
  bindAddress: :8443
webhook:
  port: 9443
leaderElection:
  leaderElect: true
  resourceName: c1f6bfd2.kueue.x-k8s.io
controller:
  groupKindConcurrency:
    Job.batch: 5
    Pod: 5
    Workload.kueue.x-k8s.io: 10
    LocalQueue.kueue.x-k8s.io: 5
    ClusterQueue.kueue.x-k8s.io: 5
    ResourceFlavor.kueue.x-k8s.io: 1
clientConnection:
  qps: 300
  burst: 500
resources:
  excludeResourcePrefixes:
  - ephemeral-storage
integrations:
  frameworks:
"""


def configuration(site: Site) -> str:
    """The text, as the chart's `managerConfig.controllerManagerConfigYaml` takes it."""
    return _TEXT + "".join(f"  - {each}\n" for each in frameworks(site))
