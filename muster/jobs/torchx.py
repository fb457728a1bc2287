"""The BERT jobs as components of TorchX: a file that the user hands to `torchx run`.

After torchx 0.7.0: what a component is (`torchx/specs/file_linter.py`), what becomes of it on Kubernetes
(`torchx/schedulers/kubernetes_scheduler.py`: a Volcano Job with a task a pod). Checked by that version's
`torchx run --dryrun` (`tests/jobs/test_torchx.py`). Where TorchX says less than a manifest:

- It names limits, by the word "devices", and takes any resource there; Kubernetes then requests as much. Its own
  `memMB` would request less than it limits.
- Pods get no tolerations. On EKS those for the taints of devices that they ask for are added (admission plugin
  ExtendedResourceToleration, EKS user guide, "platform versions"); other taints keep them off.
- Pods are placed by their instance type alone: groups of one type are one to it.
"""

from collections.abc import Iterator
from textwrap import indent

from muster.fleet.blueprint import Blueprint, KubernetesGroup
from muster.fleet.matching import KEEPS_OFF
from muster.jobs import bert, storage
from muster.jobs.ask import Ask
from muster.jobs.fit import DoesNotFit
from muster.jobs.home import DEFAULT
from muster.jobs.share import Share

ROLE = "worker"


def component(blueprint: Blueprint, ask: Ask, run: bert.Run) -> str:
    """The component's file, whole.

    Raises:
        DoesNotFit: this cluster cannot run it, or TorchX cannot say it; every reason at once.
    """
    made = bert.parts(blueprint, ask)
    if reasons := tuple(_unsayable(made.crew.group, made.crew.share)):
        raise DoesNotFit(*reasons)
    function = run.name.replace("-", "_")
    # TorchX fills these in for each pod; its job's name is not known before.
    first = "{specs.macros.app_id}-" + f"{ROLE}-0-0." + "{specs.macros.app_id}"
    line = bert.launch(run, "{nnodes}", made.crew.share.cores, "{specs.macros.replica_id}", first)
    steps = "".join(
        f"        f'{each}\\n'\n"
        for each in (*bert.caches("{specs.macros.replica_id}"), f"exec {line} {{script_args}}")
    )
    return _TEXT.format(
        title=f"{run.name} for stack {blueprint.stack}, printed by `muster job {run.name} --format torchx`.",
        file=f"{function}.py",
        cfg=",".join(_cfg(made)),
        function=function,
        image=made.image,
        nodes=made.crew.count,
        steps=steps,
        name=run.name,
        role=ROLE,
        environment=indent(_mapping(bert.ENVIRONMENT), " " * 16).strip(),
        instance=made.crew.group.described.instance_type,
        devices=indent(_mapping(made.crew.share.resources), " " * 20).strip(),
        retries=bert.RETRIES,
        claim=made.claim.name,
        path=storage.PATH,
    )


def _cfg(made: bert.Parts) -> Iterator[str]:
    """Where TorchX sends it."""
    yield f"queue={made.queue}"
    if made.claim.namespace != DEFAULT:
        yield f"namespace={made.claim.namespace}"


def _mapping(said: "dict[str, str] | dict[str, int | str]") -> str:
    return "{\n" + "".join(f'    "{key}": {_literal(value)},\n' for key, value in said.items()) + "}"


def _literal(value: int | str) -> str:
    return str(value) if isinstance(value, int) else f'"{value}"'


def _unsayable(group: KubernetesGroup, part: Share) -> Iterator[str]:
    """What TorchX has no word for."""
    tolerated = frozenset(part.resources)
    for taint in sorted(group.taints):
        if taint.effect in KEEPS_OFF and not (taint.key in tolerated and taint.effect == "NoSchedule"):
            yield (
                f"TorchX gives its pods no tolerations, and group '{group.name}' has the taint {taint}; "
                "take it away, or use --format kubectl"
            )


_TEXT = '''\
"""{title}

    torchx run -s kubernetes --workspace "" -cfg {cfg} {file}:{function}
"""

import torchx.specs as specs


def {function}(
    image: str = "{image}",
    nnodes: int = {nodes},
    script_args: str = "",
) -> specs.AppDef:
    """Trains BERT-large on whole Trainium nodes.

    Args:
        image: the training image
        nnodes: how many nodes
        script_args: more arguments of the training script
    """
    script = (
{steps}    )
    return specs.AppDef(
        name="{name}",
        roles=[
            specs.Role(
                name="{role}",
                image=image,
                entrypoint="/bin/bash",
                args=["-c", script],
                env={environment},
                num_replicas=nnodes,
                max_retries={retries},
                retry_policy=specs.RetryPolicy.APPLICATION,
                resource=specs.Resource(
                    cpu=0,
                    gpu=0,
                    memMB=0,
                    capabilities={{"node.kubernetes.io/instance-type": "{instance}"}},
                    devices={devices},
                ),
                mounts=[specs.VolumeMount(src="{claim}", dst_path="{path}")],
            )
        ],
    )
'''
