"""Makes a job for a cluster with Kubernetes: its nodes, its queue, its file system, and its rendered template."""

from dataclasses import dataclass
from typing import Any

from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import KubernetesGroup
from muster.blueprint.hyperpod import auto_resume
from muster.blueprint.labels import nvlink_label
from muster.config.description.node_group import Purpose
from muster.jobs import images, job_metadata
from muster.jobs.group_selection import (
    AUTO_RESUME,
    NO_OPTIONS,
    DoesNotFit,
    JobOptions,
    Reasons,
    chosen_group,
    launcher_group,
    launcher_selector,
    missing_addons,
    node_count,
    plugins_of,
    tolerations_of,
    unfit,
)
from muster.jobs.job import Form, Job, Queue, Storage, System
from muster.jobs.job_metadata import DEFAULT_NAMESPACE, FileSystemClaim, KueueQueue
from muster.jobs.rendering import render, render_documents
from muster.jobs.workers import Workers, pulling, sharing_faults, workers_of

NO_CHECKPOINTS = "the job keeps no checkpoints, and starts from the beginning after a failure"


@dataclass(frozen=True, slots=True)
class KubernetesJob:
    """A job for a cluster."""

    claim_templates: tuple[dict[str, Any], ...]
    """The templates of its claims for devices, which are submitted before it; none if its workers claim no devices."""
    documents: tuple[dict[str, Any], ...]
    """Its manifest, then the objects that are submitted with it; empty for a text."""
    text: str
    """The text of a format that is no manifest; else empty."""
    notes: tuple[str, ...]
    """Notes for the user who submits it, one line each."""
    group: KubernetesGroup | None
    """The group of its workers; for a job without workers, of its pods, if that is a group of the description."""


def make(job: Job, blueprint: Blueprint, ask: JobOptions = NO_OPTIONS, form: Form | None = None) -> KubernetesJob:
    """The job for a cluster.

    Args:
        job: the job.
        blueprint: the cluster.
        ask: the options.
        form: its format; None for the manifest.

    Raises:
        DoesNotFit: this cluster cannot run it, or the format cannot express it; every reason at once.
    """
    form, reasons = form or job.manifest, Reasons()
    if form.only_hyperpod and blueprint.hyperpod is None:
        raise DoesNotFit("the format is only for HyperPod's nodes, but the stack has none; use --format kubectl")
    reasons.of(lambda: _check_options(job, ask))
    workers = reasons.of(lambda: _workers(job, form, blueprint, ask)) if job.has_workers else None
    system = reasons.of(lambda: _system_group(job, blueprint))
    queue = reasons.of(lambda: _queue(job, blueprint, ask))
    claim = reasons.of(lambda: _claim(job, blueprint, ask))
    reasons.check()
    if workers and (refused := tuple(form.refuses(blueprint, workers))):
        raise DoesNotFit(*refused)
    resumed = form.auto_resume and blueprint.hyperpod is not None
    metadata = job_metadata.object_metadata(
        job.name,
        queue if isinstance(queue, KueueQueue) else None,
        claim,
        AUTO_RESUME if resumed else None,
        auto_resume.NAMESPACE if resumed else DEFAULT_NAMESPACE,
    )
    values = {
        "name": job.name,
        "stack": " ".join(blueprint.stack.split()),
        "metadata": metadata,
        "namespace": metadata.get("namespace", DEFAULT_NAMESPACE),
        "workers": workers,
        "system": _on_system_nodes(blueprint, system),
        "queue": queue,
        "claim": claim,
        "image": ask.image or images.image_of_job(blueprint, job.image),
        "nvlink_label": nvlink_label(blueprint),
    }
    is_manifest = ".yaml." in form.template
    return KubernetesJob(
        claim_templates=_claim_templates(workers, metadata.get("namespace")),
        documents=tuple(render_documents(form.template, **values)) if is_manifest else (),
        text="" if is_manifest else render(form.template, **values),
        notes=tuple(_notes(job, blueprint, ask, workers, claim, values["namespace"] if resumed else None)),
        group=workers.group if workers else system,
    )


def _check_options(job: Job, ask: JobOptions) -> None:
    reasons = Reasons()
    reasons.of(lambda: images.check_image(ask.image))
    if job.storage is Storage.NONE and ask.storage is not None:
        reasons.listed.append(f"{job.name} mounts no file system; leave out --storage {ask.storage}")
    given = [f"--{each}" for each in ("group", "nodes", "queue") if getattr(ask, each) is not None]
    if given and not job.has_workers:
        reasons.listed.append(f"{job.name} has no workers, and is in no queue; leave out {', '.join(given)}")
    reasons.check()


def _workers(job: Job, form: Form, blueprint: Blueprint, ask: JobOptions) -> Workers:
    why = {each.name: unfit(each, job.lacking, efa=job.efa) for each in blueprint.groups}
    group = blueprint.group(chosen_group(why, ask.group, job.having))
    operator = (form.operator,) if form.operator else ()
    needed = (*plugins_of(group, efa=job.efa), *operator)
    reasons = Reasons()
    reasons.listed += [*missing_addons(blueprint, needed), *sharing_faults(group), *job.refuses(blueprint, group)]
    if job.cuda and ask.image is None and (without := images.without_kernels(group)):
        reasons.listed.append(without)
    count = reasons.of(lambda: node_count(group, ask)) or 0
    if job.most_nodes:
        most = job.most_nodes(group)
        if ask.nodes is None:
            count = min(count, most)
        elif ask.nodes > most and not ask.beyond_the_group:
            reasons.listed.append(
                f"--nodes {ask.nodes}: {job.name} can use {most} nodes of group '{group.name}'; give at most {most}"
            )
    reasons.check()
    return workers_of(
        blueprint,
        group,
        job.name,
        count,
        efa=job.efa,
        huge_pages=job.efa and job.huge_pages,
        all_memory=job.all_memory,
    )


def _system_group(job: Job, blueprint: Blueprint) -> KubernetesGroup | None:
    """The group of the job's pods on system nodes."""
    has_one = any(group.described.purpose is Purpose.SYSTEM for group in blueprint.groups)
    if job.system is System.NONE or (job.system is System.ALL and not has_one):
        return None
    return launcher_group(blueprint)


def _on_system_nodes(blueprint: Blueprint, group: KubernetesGroup | None) -> dict[str, Any]:
    secrets = pulling(blueprint.described.image_pull_secrets)
    if group is None:
        return {"nodeSelector": {"kubernetes.io/arch": "amd64"}, **secrets}
    return {"nodeSelector": launcher_selector(blueprint, group), **tolerations_of(group), **secrets}


def _queue(job: Job, blueprint: Blueprint, ask: JobOptions) -> KueueQueue | str | None:
    if job.queue is Queue.VOLCANO:
        return job_metadata.volcano_queue(blueprint, ask)
    return job_metadata.kueue_queue(blueprint, ask) if job.queue else None


def _claim(job: Job, blueprint: Blueprint, ask: JobOptions) -> FileSystemClaim | None:
    mounts = any(
        each.kind.service and each.kind.driver in blueprint.described.addons.chosen for each in blueprint.storage
    )
    optional = job.storage is Storage.OPTIONAL and ask.storage is None
    if job.storage is Storage.NONE or (optional and not mounts):
        return None
    return job_metadata.file_system_claim(blueprint, ask)


def _claim_templates(workers: Workers | None, namespace: str | None) -> tuple[dict[str, Any], ...]:
    if workers is None:
        return ()
    return tuple(
        document
        for claim, (device_class, count) in workers.claims.items()
        for document in render_documents(
            "claim-template.yaml.jinja",
            metadata={"name": workers.template(claim), **({"namespace": namespace} if namespace else {})},
            name=claim,
            device_class=device_class,
            count=count,
        )
    )


def _notes(
    job: Job,
    blueprint: Blueprint,
    ask: JobOptions,
    workers: Workers | None,
    claim: FileSystemClaim | None,
    resumed_in: str | None,
) -> list[str]:
    """The notes; `resumed_in` is the namespace of a job that HyperPod should resume."""
    notes = []
    if resumed_in is not None and not auto_resume.resumes_in(resumed_in):
        notes.append(
            f"HyperPod resumes only jobs in the namespace '{auto_resume.NAMESPACE}' and in namespaces that begin with "
            f"'{auto_resume.NAMESPACE_PREFIX}'; this job is in '{resumed_in}', the namespace of its queue or its claim"
        )
    if job.storage is Storage.OPTIONAL and claim is None:
        notes.append(f"the stack has no file system that pods can mount: {NO_CHECKPOINTS}")
    if ask.image is None and job.image in images.IMAGES:
        notes.append(images.placeholder_note(blueprint, job.image))
    if ask.image is None and job.cuda and workers:
        notes += images.unknown_driver(workers.group)
    return [*notes, *job.notes]
