"""The FSDP job in the formats of the HyperPod CLI (aws/sagemaker-hyperpod-cli).

There are two formats, for two programs with that name. The current CLI (`hyp`, `pip install sagemaker-hyperpod`, every
published version is 3.x) creates a HyperPodPyTorchJob, which HyperPod's own training operator runs. Its format is
`--format hyperpod-cli`, after `hyperpod-pytorch-job-template` v1_1 at 011ca92. The CLI of the AWS blog (`hyperpod
start-job`, 2.2.0, only in the repository's tags) creates a PyTorchJob, which the Kubeflow training operator runs with
HyperPod's auto-resume. Its format is `--format hyperpod-cli-2`, after `examples/basic-job-example-config.yaml` at
v2.2.0.

Neither supports huge pages or a volume in memory: both use the node's own /dev/shm, as in AWS's examples.
"""

from typing import Any

from muster.blueprint import labels
from muster.blueprint.hyperpod import auto_resume
from muster.blueprint.kubernetes import Blueprint
from muster.jobs import group_selection, images, job_metadata, pytorch_fsdp
from muster.jobs.group_selection import DoesNotFit, selector
from muster.jobs.job_metadata import DEFAULT_NAMESPACE, FileSystemClaim, KueueQueue, namespace_of
from muster.jobs.job_options import JobOptions
from muster.jobs.worker_set import SHARED_MEMORY, WorkerSet

OPERATOR = group_selection.HYPERPOD_OPERATOR
"""The add-on that runs the jobs of `hyp`."""

_MIB_OF_GIB = 1024


def config(blueprint: Blueprint, ask: JobOptions) -> dict[str, Any]:
    """`config.yaml` for `hyp create`.

    Raises:
        DoesNotFit: this cluster cannot run it, or the CLI cannot express it; every reason at once.
    """
    made, (queue, claim) = _parts(blueprint, ask, OPERATOR)
    _sayable(made)
    share, namespace = made.share, namespace_of(queue, claim)
    memory = share.memory.mib * 10 // _MIB_OF_GIB / 10  # in GiB, to a tenth below
    return {
        "template": "hyp-pytorch-job",
        "version": 1.1,
        "job_name": pytorch_fsdp.NAME,
        **({} if namespace == DEFAULT_NAMESPACE else {"namespace": namespace}),
        "image": _image(blueprint, ask),
        "pull_policy": "Always",
        "command": ["hyperpodrun"],
        "args": [
            f"--nnodes={made.count}",
            f"--nproc_per_node={share.devices}",
            pytorch_fsdp.SCRIPT,
            *pytorch_fsdp.arguments(job_metadata.PATH if claim else None),
        ],
        "environment": pytorch_fsdp.environment(made),
        "instance_type": made.group.described.instance_type,
        "replica_count": made.count,
        "tasks_per_node": str(share.devices),
        "label_selector": _nodes(made),
        **({"queue_name": queue.name} if queue else {}),
        **({"priority": queue.priority} if queue and queue.priority else {}),
        "accelerators": share.devices,
        "accelerators_limit": share.devices,
        "memory": memory,
        "memory_limit": memory,
        "efa": share.efa,
        "efa_limit": share.efa,
        "max_retry": group_selection.MAX_RETRIES,
        "volume": [
            {"name": "shmem", "type": "hostPath", "mount_path": SHARED_MEMORY, "path": SHARED_MEMORY},
            {"name": "local", "type": "hostPath", "mount_path": "/local", "path": "/tmp"},  # noqa: S108  (of the node)
            *(
                [
                    {
                        "name": "data",
                        "type": "pvc",
                        "mount_path": job_metadata.PATH,
                        "claim_name": claim.name,
                        "read_only": False,
                    }
                ]
                if claim
                else ()
            ),
        ],
    }


def notes(blueprint: Blueprint, ask: JobOptions) -> tuple[str, ...]:
    """Notes for the user who submits the job with `hyp create`.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return pytorch_fsdp.notes(blueprint, ask, OPERATOR)


def config_2(blueprint: Blueprint, ask: JobOptions) -> dict[str, Any]:
    """`config.yaml` for `hyperpod start-job --config-file`.

    Raises:
        DoesNotFit: this cluster cannot run it, or the CLI cannot express it; every reason at once.
    """
    made, (queue, claim) = _parts(blueprint, ask, pytorch_fsdp.OPERATOR)
    if not made.share.whole or ask.efa is not None or ask.memory is not None:
        raise DoesNotFit("the HyperPod CLI 2 uses only whole nodes; leave out --gpus, --efa and --memory")
    _sayable(made)
    namespace = namespace_of(queue, claim, auto_resume.NAMESPACE)
    return {
        "defaults": [{"override hydra/job_logging": "stdout"}],
        "hydra": {"run": {"dir": "."}, "output_subdir": None},
        "training_cfg": {
            "entry_script": pytorch_fsdp.SCRIPT,
            "script_args": [_pair(each) for each in pytorch_fsdp.arguments(job_metadata.PATH if claim else None)],
            "run": {"name": pytorch_fsdp.NAME, "nodes": made.count, "ntasks_per_node": made.share.devices},
        },
        "cluster": {
            "cluster_type": "k8s",
            "instance_type": made.group.described.instance_type,
            "cluster_config": {
                "annotations": {
                    auto_resume.ENABLED: True,
                    auto_resume.RETRIES: group_selection.MAX_RETRIES,
                },
                "service_account_name": None,
                "persistent_volume_claims": [{"claimName": claim.name, "mountPath": job_metadata.PATH}]
                if claim
                else None,
                "namespace": namespace,
                "custom_labels": queue.labels if queue else None,
                "priority_class_name": None,
                "volumes": [
                    {"volumeName": "shmem", "hostPath": SHARED_MEMORY, "mountPath": SHARED_MEMORY},
                    {"volumeName": "local", "hostPath": "/tmp", "mountPath": "/local"},  # noqa: S108  (of the node)
                ],
                "label_selector": {"required": {key: [value] for key, value in _nodes(made).items()}},
                "pullPolicy": "Always",
                "restartPolicy": auto_resume.RESTART_POLICY,
                "scheduler_type": "Kueue" if queue else "None",
            },
        },
        "base_results_dir": "./result",
        "container": _image(blueprint, ask),
        "env_vars": pytorch_fsdp.environment(made),
    }


def _parts(
    blueprint: Blueprint, ask: JobOptions, operator: str
) -> tuple[WorkerSet, tuple[KueueQueue | None, FileSystemClaim | None]]:
    """The workers, the queue and the claim, as for the manifest.

    Raises:
        DoesNotFit: HyperPod runs none of the cluster's nodes, or they cannot run it; every reason at once.
    """
    if not group_selection.is_hyperpod(blueprint):
        raise DoesNotFit(
            "the HyperPod CLI submits jobs only to HyperPod's nodes, but the stack has none; use --format kubectl"
        )
    return pytorch_fsdp.parts(blueprint, ask, operator)


def _nodes(made: WorkerSet) -> dict[str, str]:
    """The labels by which the job selects its nodes, because two groups may have the same instance type. Both formats
    already select the type."""
    return {**selector(made.group, labels.GROUP), **group_selection.HEALTHY_NODES}


def _image(blueprint: Blueprint, ask: JobOptions) -> str:
    return ask.image or images.image_address(blueprint, pytorch_fsdp.IMAGE)


def _pair(argument: str) -> dict[str, str]:
    name, _, value = argument.partition("=")
    return {name: value}


def _sayable(made: WorkerSet) -> None:
    """Checks that the CLI can express the job.

    Raises:
        DoesNotFit: huge pages; no EFA interfaces, because it then requests all of them (`quota_allocation_util.py`);
            shared GPUs; taints.
    """
    reasons = []
    if made.share.huge_pages.mib:
        reasons.append("the HyperPod CLI does not support huge pages; leave out --huge-pages, or use --format kubectl")
    if not made.share.efa:
        reason = "the HyperPod CLI gives all EFA interfaces to a job that requests none"
        reasons.append(f"{reason}; add --efa 1, or use --format kubectl")
    if made.share.claims:
        reason = "the HyperPod CLI cannot express claims for devices, and a DRA driver offers them"
        reasons.append(f"{reason}; use --format kubectl")
    if made.share.node.sharing:
        reason = "the HyperPod CLI cannot request shared GPUs: it requests at most the GPUs of the instance type"
        reasons.append(f"{reason}; use --format kubectl")
    kept_off = [str(taint) for taint in sorted(made.group.taints) if taint.blocks]
    if kept_off:
        reason = f"the HyperPod CLI cannot set tolerations, but group '{made.group.name}' has taints"
        reasons.append(f"{reason} ({', '.join(kept_off)}); remove them, or use --format kubectl")
    if reasons:
        raise DoesNotFit(*reasons)
