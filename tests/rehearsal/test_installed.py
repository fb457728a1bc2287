"""Add-ons on the control plane: from charts where they are at hand, else played; what cannot run is named."""

from typing import Any

import pytest

from muster.addons.addon import Addon
from muster.addons.charts import NoChart, Rendered
from muster.addons.values import workloads_of
from muster.rehearsal.outcome import Verdict
from tests.rehearsal.clusters import a_gpu_job, played

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]


def an_object(version: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": kind.lower(), "namespace": "kube-system"}, **more}


HOOK = {
    "name": "a.b.c",
    "sideEffects": "None",
    "admissionReviewVersions": ["v1"],
    "clientConfig": {"url": "https://127.0.0.1:1"},
}
CANNOT_RUN = (
    an_object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", webhooks=[HOOK]),
    an_object("monitoring.coreos.com/v1", "ServiceMonitor", spec={}),
)


class Charts:
    """Has a chart of the NVIDIA plugin, with what cannot run here, and of nothing else."""

    def rendered(self, addon: Addon, version: str, values: Any, kubernetes: str) -> Rendered:
        if addon.name != "nvidia-device-plugin":
            raise NoChart(f"no chart of {addon.name} here")
        things = (*(each.manifest for each in workloads_of(addon, values)), *CANNOT_RUN)
        return Rendered(things, f"chart {addon.name} {version}", version)


def test_what_has_a_chart_is_not_played_and_what_cannot_run_is_left_out() -> None:
    """And the report says of each which. Webhooks of controllers that do not run would refuse every pod; kinds that
    nobody defines are not known."""
    outcome = played(a_gpu_job(), charts=Charts())
    assert outcome.verdict is Verdict.STARTS
    simulated = {each.name: each.why for each in outcome.simulated_parts}
    assert "nvidia-device-plugin" not in simulated
    assert simulated["efa-device-plugin"] == "no chart of efa-device-plugin here"
    assert any(note.startswith("nvidia-device-plugin: chart nvidia-device-plugin ") for note in outcome.notes)
    said = " ".join(outcome.notes)
    assert "nvidia-device-plugin: 1 ValidatingWebhookConfiguration left out: no controller runs" in said
    assert "nvidia-device-plugin: ServiceMonitor servicemonitor is left out: the control plane has no" in said
