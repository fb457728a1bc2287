"""What of users' files and values reaches programs of a rehearsal."""

import json
from typing import Any

import pytest

from muster.rehearsal.kubernetes import kueue
from muster.rehearsal.kubernetes.rehearsed_kinds import is_rehearsed
from muster.rehearsal.kubernetes.volcano import scheduler_configuration
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.outcome import Verdict
from tests.factories import a_blueprint
from tests.rehearsal.clusters import a_gpu_job, played

LEFT_OUT = """
    admissionregistration.k8s.io/v1 MutatingWebhookConfiguration
    admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy
    apiextensions.k8s.io/v1 CustomResourceDefinition
    apiregistration.k8s.io/v1 APIService
    certificates.k8s.io/v1 CertificateSigningRequest
    flowcontrol.apiserver.k8s.io/v1 FlowSchema
    kueue.x-k8s.io/v1beta1 MultiKueueCluster
    kueue.x-k8s.io/v1beta2 Workload
    resource.k8s.io/v1 ResourceSlice
    storage.k8s.io/v1 CSINode
    v1 Binding
    v1 Endpoints
    v1 Node
    nobody Node
    gateway.networking.k8s.io/v1 HTTPRoute
    kubeflow.org/v1 Notebook
"""
"""Kinds that call addresses or decide about pods, and the last ones, which no control plane has."""
CREATED = """
    v1 ConfigMap
    v1 PersistentVolume
    networking.k8s.io/v1 NetworkPolicy
    rbac.authorization.k8s.io/v1 ClusterRole
    resource.k8s.io/v1 ResourceClaimTemplate
    kueue.x-k8s.io/v1beta2 ClusterQueue
    scheduling.volcano.sh/v1beta1 Queue
    monitoring.coreos.com/v1 ServiceMonitor
"""


def things(listed: str) -> list[dict[str, Any]]:
    each = (line.split() for line in listed.strip().splitlines())
    return [{"apiVersion": version, "kind": kind, "metadata": {"name": "evil"}} for version, kind in each]


@pytest.mark.rehearsal
@pytest.mark.usefixtures("shared_plane")
def test_an_object_that_is_not_rehearsed_is_left_out_and_named() -> None:
    """And makes no difference to the job; what a job needs is created."""
    outcome = played(a_gpu_job(), None, *things(LEFT_OUT))
    left = [each.name for each in outcome.simulated_parts if each.simulated_by == "left out"]
    assert (outcome.verdict, left) == (Verdict.STARTS, [f"{each['kind']} evil" for each in things(LEFT_OUT)])
    assert not any(map(is_rehearsed, things(LEFT_OUT)))
    assert all(map(is_rehearsed, things(CREATED)))


@pytest.mark.parametrize(
    "override",
    [
        "tiers: [{plugins: [{name: gang}, {name: extender, arguments: {extender.urlPrefix: 'http://192.0.2.1/'}}]}]",
        "{metrics: {type: prometheus, address: 'http://192.0.2.1/'}, tiers: []}",
        "- a list",
        "{not: [YAML",
    ],
)
def test_volcano_calls_no_address_of_the_description(override: str):
    with pytest.raises(RehearsalError, match="scheduler_config_override"):
        scheduler_configuration([], {"custom": {"scheduler_config_override": override}}, claims=False)


def test_volcano_schedules_as_the_description_says():
    own = {"actions": "enqueue, allocate", "tiers": [{"plugins": [{"name": "gang"}, {"name": "predicates"}]}]}
    values = {"custom": {"scheduler_config_override": json.dumps(own)}}
    assert json.loads(scheduler_configuration([], values, claims=False)) == own


def test_kueue_serves_and_calls_no_address_of_the_description():
    text = (
        "{pprofBindAddress: '0.0.0.0:6060', multiKueue: {gcInterval: 1s}, webhook: {certDir: /tmp}, "
        "tls: {cipherSuites: []}, waitForPodsReady: {enable: true}, featureGates: {VisibilityOnDemand: true}}"
    )
    values = {"managerConfig": {"controllerManagerConfigYaml": text}}
    assert kueue.configuration(a_blueprint({"addons.kueue": {"values": values}})) == {
        "waitForPodsReady": {"enable": True},
        "featureGates": {"VisibilityOnDemand": False, "UnadmittedWorkloadsObservability": True},
    }
