"""The consumer in Python: what it registers from a planned stack's outputs."""

import pulumi
import pytest

from muster.offline.plan import Plan
from muster.offline.recording import Recording
from tests.examples.programs import made, run

QUOTA = {"requests.nvidia.com/gpu": "8", "requests.vpc.amazonaws.com/efa": "32"}


@pytest.mark.parametrize("preview", [False, True])
def test_what_it_makes(planned: Plan, preview: bool) -> None:
    """A stack's outputs are known in previews, too."""
    recording = run(planned, preview=preview)
    assert made(recording) == {
        "pulumi:providers:kubernetes cluster": {
            "kubeconfig": planned.outputs["kubeconfig"],
            "clusterIdentifier": planned.outputs["cluster"]["arn"],
        },
        "kubernetes:core/v1:Namespace team": {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": "research"},
        },
        "kubernetes:core/v1:ResourceQuota devices": {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {"name": "devices", "namespace": "research"},
            "spec": {"hard": QUOTA},
        },
    }
    assert recording.outputs == {"namespace": "research", "quota": QUOTA}
    assert recording.secret_outputs == set()


def test_the_quota_grows_with_the_group(planned: Plan) -> None:
    groups = {**planned.outputs["nodeGroups"]}
    groups["workers"] = {**groups["workers"], "count": {"min": 0, "start": 2, "max": 4}}
    wider = Recording((), {**planned.outputs, "nodeGroups": groups}, planned.secret_outputs)
    assert run(wider).outputs["quota"] == {"requests.nvidia.com/gpu": "32", "requests.vpc.amazonaws.com/efa": "128"}


def test_a_group_that_is_not_there_is_told(planned: Plan) -> None:
    with pytest.raises(pulumi.RunError, match=r"^no node group 'wrokers' \(there are: system, workers\)$"):
        run(planned, {"consumer-python:group": "wrokers"})
