"""Runs one program on one stack, each time with a clean state."""

import asyncio
import contextvars
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pulumi.runtime import set_all_config
from pulumi.runtime.mocks import MockEngine, MockSettings
from pulumi.runtime.settings import configure, set_root_resource
from pulumi.runtime.stack import run_in_stack

from muster.fleet.registration import Registration
from muster.offline.monitor import OfflineMonitor, StackOutputs


@dataclass(frozen=True, slots=True)
class Recording:
    """The resources that a program registered, and its outputs."""

    registrations: tuple[Registration, ...]
    """Sorted by URN, because the order of registration varies."""
    outputs: Mapping[str, Any]
    secret_outputs: frozenset[str]


def record(
    program: Callable[[], Any],
    *,
    project: str = "muster",
    stack: str = "dev",
    region: str = "us-west-2",
    config: Mapping[str, Any] | None = None,
    preview: bool = False,
    existing_clusters: Mapping[str, Mapping[str, Any]] | None = None,
    stack_outputs: Mapping[str, StackOutputs] | None = None,
) -> Recording:
    """Runs a program as `pulumi up` would (with `preview`: as `pulumi preview` would, with unknown ids), without an
    engine.

    `existing_clusters` are the clusters that exist in AWS: name -> properties (see `existing_cluster`).
    `stack_outputs` are the stacks that the program may refer to: full name -> outputs (a plan, or another recording).

    Raises:
        NotModelled: the program needs something that only AWS or a provider knows.
        Exception: any exception of the program itself.
    """
    monitor = OfflineMonitor(project, stack, region, preview, existing_clusters or {}, stack_outputs or {})
    texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in (config or {}).items()}
    settings = {"aws:region": region, **texts}
    contextvars.copy_context().run(_run, program, monitor, settings)
    outputs = next(each.outputs for each in monitor.registrations.values() if each.type == "pulumi:pulumi:Stack")
    return Recording(
        tuple(monitor.registrations[urn] for urn in sorted(monitor.registrations)), outputs, monitor.secret_outputs
    )


def _run(program: Callable[[], Any], monitor: OfflineMonitor, config: Mapping[str, str]) -> None:
    """Runs in a new context: the SDK keeps its state in context variables, so the next run starts with a clean
    state."""
    logger = logging.getLogger("muster.offline")
    configure(
        MockSettings(  # type: ignore[no-untyped-call]
            monitor=monitor,
            monitor_features=set(monitor.GetDeploymentInfo(None).supportedFeatures),  # type: ignore[no-untyped-call]
            engine=MockEngine(logger),
            project=monitor.project,
            stack=monitor.stack,
            dry_run=monitor.preview,
            organization="organization",
            root_directory=".",
            callbacks=monitor.transforms,
            # The SDK's mock settings keep these from the last run: after a program that raised, tasks of a closed loop.
            outputs=set(),
            package_refs={},
        )
    )
    set_root_resource(None)  # type: ignore[arg-type]
    set_all_config(dict(config))
    asyncio.run(_in_stack(program, monitor))


async def _in_stack(program: Callable[[], Any], monitor: OfflineMonitor) -> None:
    """Raises the first error. asyncio does not print the errors of all resources that waited for it."""
    monitor.transforms.run_on(asyncio.get_running_loop())
    asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
    await run_in_stack(program)
