"""Add-ons on the control plane: from charts where they are at hand, else played; what cannot run is named."""

from dataclasses import dataclass
from typing import Any

import pytest

from muster.addons.addon import Addon
from muster.addons.charts import NoChart, Rendered
from muster.addons.values import workloads_of
from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Verdict
from tests.factories import a_blueprint
from tests.rehearsal.clusters import GPU

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

JOB = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "train"},
    "spec": {"containers": [{"name": "c", "image": "c", "resources": {"limits": {GPU: 8}}}]},
}


def an_object(version: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": kind.lower(), "namespace": "kube-system"}, **more}


@dataclass
class Charts:
    """Has a chart of the NVIDIA plugin, and of nothing else."""

    more: tuple[dict[str, Any], ...] = ()

    def rendered(self, addon: Addon, version: str, values: Any, kubernetes: str) -> Rendered:
        if addon.name != "nvidia-device-plugin":
            raise NoChart(f"no chart of {addon.name} here")
        return Rendered(
            (*(each.manifest for each in workloads_of(addon, values)), *self.more),
            f"chart {addon.name} {version}",
            version,
        )


def played(*more: dict[str, Any]) -> Any:
    charts: Any = Charts(more)
    return rehearse(RehearsalRequest(a_blueprint(), JOB, roles_of(JOB), charts=charts))


def test_what_has_a_chart_is_not_played_and_what_has_none_is():
    """And the report says of each which."""
    outcome = played()
    assert outcome.verdict is Verdict.STARTS
    assert "nvidia-device-plugin" not in {each.name for each in outcome.simulated_parts}
    assert {each.name: each.why for each in outcome.simulated_parts}[
        "efa-device-plugin"
    ] == "no chart of efa-device-plugin here"
    assert any(note.startswith("nvidia-device-plugin: chart nvidia-device-plugin ") for note in outcome.notes)


def test_objects_that_cannot_run_here_are_left_out_and_named():
    """Webhooks of controllers that do not run would refuse every pod; kinds that nobody defines are not known."""
    hook = {
        "name": "a.b.c",
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        "clientConfig": {"url": "https://127.0.0.1:1"},
    }
    webhooks = an_object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", webhooks=[hook])
    monitor = an_object("monitoring.coreos.com/v1", "ServiceMonitor", spec={})
    outcome = played(webhooks, monitor)
    said = " ".join(outcome.notes)
    assert outcome.verdict is Verdict.STARTS
    assert "nvidia-device-plugin: 1 ValidatingWebhookConfiguration left out: no controller runs" in said
    assert (
        "nvidia-device-plugin: ServiceMonitor servicemonitor is left out: the control plane has no such kind"
    ) in said
