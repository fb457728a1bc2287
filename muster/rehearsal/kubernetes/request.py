"""What a rehearsal on Kubernetes is asked: a cluster, a job, and what follows of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from muster.blueprint.cluster import Blueprint
from muster.jobs.pod_roles import Controller, JobRoles
from muster.rehearsal.kubernetes import kueue, resource_claims
from muster.rehearsal.kubernetes.addons import InstalledAddons, addon_values
from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.operators import (
    KUBERAY,
    KUEUE,
    SCHEDULERS,
    VOLCANO,
    Operator,
    batch_scheduler,
    operator_of,
    operators_for,
)
from muster.rehearsal.kubernetes.pending_pods import JobResumer
from muster.rehearsal.kubernetes.resource_claims import ClaimReference

if TYPE_CHECKING:
    from muster.addons.charts import Charts


@dataclass(frozen=True, slots=True)
class RehearsalRequest:
    """The inputs of a rehearsal."""

    blueprint: Blueprint
    job: JsonObject
    """The job's manifest."""
    shape: JobRoles
    beside: tuple[JsonObject, ...] = ()
    """Objects that are submitted with it: claims, configuration, queues."""
    earlier: tuple[RehearsalRequest, ...] = ()
    """The jobs that are submitted before it, and run or wait beside it."""
    charts: Charts | None = None
    lost: int = 0
    """How many nodes are lost after the job has started."""
    build: bool = False
    """Whether all programs are built from source."""
    notes: tuple[str, ...] = ()
    objects_at: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Kind and name of an object of the user's file -> its place; empty for a job of Muster."""
    requests_at: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Role and resource -> the place of the request in the user's file; empty for a job of Muster."""

    def installed(self) -> InstalledAddons:
        """The add-ons of the cluster.

        Raises:
            RehearsalError: a chart cannot be rendered.
        """
        return InstalledAddons.of(self.blueprint, self.charts)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the jobs that operators run."""
        shapes = (*(each.shape for each in self.earlier), self.shape)
        return tuple(dict.fromkeys(each.kind for each in shapes if operator_of(each.controller)))

    @property
    def schedulers(self) -> tuple[str, ...]:
        """The schedulers of the job's pods besides the default one: those that they request, and the one that an
        operator sets, if an add-on of the description installs it."""
        names = dict.fromkeys((*self.shape.schedulers, *self._set_by_operator()))
        chosen = self.blueprint.described.addons.chosen
        own = (name for name in names if name in SCHEDULERS and SCHEDULERS[name].addon in chosen)
        return tuple(dict.fromkeys((*own, *(name for each in self.earlier for name in each.schedulers))))

    def _set_by_operator(self) -> Iterator[str]:
        if self.shape.controller is Controller.VOLCANO:
            yield VOLCANO.scheduler
        if self.shape.controller is Controller.KUBERAY:
            yield batch_scheduler(addon_values(self.blueprint).get(KUBERAY.addon, {}))

    @property
    def has_kueue(self) -> bool:
        """Whether the cluster or the job's file has Kueue."""
        return kueue.runs_on(self.blueprint, self.beside)

    @property
    def operators(self) -> tuple[Operator, ...]:
        """The operators that run for the job, and Kueue if it runs."""
        return (*operators_for(self.kinds, self.schedulers), *((KUEUE,) if self.has_kueue else ()))

    @property
    def queues(self) -> tuple[JsonObject, ...]:
        """The queues of the description and of the job's file."""
        return kueue.queue_objects(self.blueprint, self.beside)

    @property
    def claims(self) -> frozenset[ClaimReference]:
        """The resource claims and resource claim templates that the job's pods use."""
        return resource_claims.claim_references(self.shape)

    @property
    def resumer(self) -> JobResumer:
        """What resumes the job, if it is suspended."""
        return JobResumer.of(self.blueprint, self.beside)

    @property
    def resumes_job(self) -> bool:
        """Whether the rehearsal resumes the job, because Kueue does not manage it here."""
        unseen = self.resumer is JobResumer.KUEUE and self.shape.controller is Controller.REHEARSAL
        return bool(self.shape.queue) and (unseen or self.resumer is JobResumer.GOVERNANCE)
