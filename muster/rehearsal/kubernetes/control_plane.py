"""A Kubernetes control plane on this machine, with the operators of jobs, for the duration of a `with` block."""

import contextlib
import json
import secrets
import socket
import time
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Self

from muster import child_process
from muster.rehearsal.kubernetes import components, volcano
from muster.rehearsal.kubernetes.binaries import (
    MANIFESTS,
    OF_EVERY_PLANE,
    PROGRAMS,
    Located,
    find_binaries,
    minor,
    pinned_binary,
)
from muster.rehearsal.kubernetes.client import Client, JsonObject
from muster.rehearsal.kubernetes.operators import KUEUE, Operator, Start, operators_for
from muster.rehearsal.loopback import LOOPBACK, Certificate, ReservedPort
from muster.rehearsal.machine_limits import SILENT, Progress, RehearsalError
from muster.rehearsal.processes import Processes

_START_SECONDS = 60.0
"""Seconds for a component to be ready. Some machines are slow."""
_POLL_SECONDS = 0.02

_BEHAVES_BACK_TO = 3
"""How many minor versions back Kubernetes' programs can emulate (KEP-4330; `--emulated-version` rejects others)."""

_CLAIMS_EXTENDED_RESOURCES = (1, 36)

_BUILT = minor(pinned_binary("kube-apiserver").version)
"""The minor version of the binaries."""

QUEUES = f"/apis/{volcano.SCHEDULING}/queues"
"""The path of Volcano's queues."""

DEFAULT_QUEUE = "default"
"""The queue that Volcano's scheduler creates when it starts, for jobs without a queue."""


class ControlPlane:
    """kube-apiserver, scheduler, controllers and KWOK, in their own folder. All of it is removed when the block ends.

        with ControlPlane() as plane:
            plane.client.create(...)

    Attributes:
        client: talks to it.
        processes: its components.
        folder: where it keeps its files, until it ends.
        kubeconfig: a file for kubectl and others.
        version: the Kubernetes version that it is, or emulates (``1.35``).
        requested: the requested version; None if there is none.
    """

    client: Client
    processes: Processes
    folder: Path
    kubeconfig: Path
    version: str

    def __init__(
        self,
        *,
        kubernetes: str | None = None,
        jobs: Collection[str] = (),
        schedulers: Collection[str] = (),
        values: Mapping[str, Mapping[str, Any]] | None = None,
        controllers: Collection[str] = (),
        kueue: Mapping[str, Any] | None = None,
        build: bool = False,
        progress: Progress = SILENT,
        folder: Path | None = None,
    ) -> None:
        """Sets what to start.

        Args:
            kubernetes: the version to emulate (``1.34``). Default: the version of the binaries, which is also used if
                they are older (`requested` and `version` then differ).
            jobs: kinds of jobs (``PyTorchJob``, ``MPIJob``) whose operators run.
            schedulers: the names of schedulers (``volcano``) that run beside the default one.
            values: add-on -> the values of its chart. Default: the defaults of the chart.
            controllers: besides the usual ones, for example `components.QUOTAS` if there will be ResourceQuotas
                (otherwise pods are refused there).
            kueue: the configuration of Kueue, if it runs; `create_job_webhooks` creates its webhooks.
            build: runs only programs that are built from source.
            progress: shows what is being downloaded or built, if anything must be.
            folder: the parent of the rehearsal's folder. Default: the machine's temporary folder.
        """
        self.requested = kubernetes
        self._operators = operators_for(jobs, schedulers)
        if kueue is not None:
            self._operators[KUEUE] = ()
        self._kueue = kueue
        self._of_kueue: tuple[int, list[JsonObject]] | None = None
        self._values = values or {}
        self._more = tuple(controllers)
        self._build, self._progress = build, progress
        self._base = folder
        self._stack = contextlib.ExitStack()
        self.binaries: Mapping[str, Located] = {}

    @property
    def _emulated(self) -> str | None:
        """The older version to emulate; None if the binaries are not newer."""
        return self.requested if self.requested and minor(self.requested) < _BUILT else None

    @property
    def _gates(self) -> tuple[str, ...]:
        """The feature gate that the stack's version enables by default, and that of the binaries does not: the
        scheduler allocates a request for an extended resource from a DRA driver whose DeviceClass names the resource
        (KEP-5004)."""
        claimed = self.requested is not None and minor(self.requested) >= _CLAIMS_EXTENDED_RESOURCES
        return ("DRAExtendedResource",) if claimed and _BUILT < _CLAIMS_EXTENDED_RESOURCES else ()

    def __enter__(self) -> Self:
        oldest = (_BUILT[0], _BUILT[1] - _BEHAVES_BACK_TO)
        if self._emulated and minor(self._emulated) < oldest:
            raise RehearsalError(
                f"the stack uses Kubernetes {self.requested}, but rehearsals run {_named(oldest)} to {_named(_BUILT)}; "
                "use one of these versions in the stack"
            )
        names = (*OF_EVERY_PLANE, *(binary for each in self._operators for binary in each.binaries))
        self.binaries = find_binaries(names, self._progress, build=self._build)
        try:
            self._start()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def wait_until(
        self,
        ready: Callable[[], bool],
        what: str,
        seconds: float = _START_SECONDS,
        look: float = _POLL_SECONDS,
        why: Callable[[], str] = str,
    ) -> None:
        """Waits until a condition is true, as long as the components run.

        Args:
            ready: returns whether it is true.
            what: the error's text if it is not true in time.
            seconds: the timeout.
            look: seconds between two polls.
            why: returns details for the error's text.

        Raises:
            ComponentDied: a component ended by itself.
            RehearsalError: the condition was not true in time.
        """
        until = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > until:
                raise RehearsalError(f"{what} within {seconds:.0f} s" + (f": {reason}" if (reason := why()) else ""))
            self.processes.wait(look)

    @property
    def runs_kueue(self) -> bool:
        """Whether Kueue is one of its operators."""
        return KUEUE in self._operators

    def create_job_webhooks(self) -> None:
        """Creates Kueue's webhooks, which the API server calls for all pods, once it listens. On a real cluster, they
        also come after the other add-ons.

        Raises:
            RehearsalError: it does not listen in time.
        """
        if self._of_kueue:
            port, webhooks = self._of_kueue
            self.wait_until(partial(_listens, port), "Kueue did not become ready")
            self.client.each(self.client.create, webhooks)
            self._of_kueue = None

    def wait_for_queue(self, name: str) -> None:
        """Waits until a queue of Volcano is open: its webhooks reject jobs of other queues.

        Raises:
            RehearsalError: it does not open in time.
        """

        def opened() -> bool:
            found = self.client.items(QUEUES, fieldSelector=f"metadata.name={name}")
            return any((each.get("status") or {}).get("state") == "Open" for each in found)

        self.wait_until(opened, f"Volcano's queue '{name}' did not open")

    @property
    def schedulers(self) -> frozenset[str]:
        """The names of the schedulers that run beside the default one."""
        return frozenset(each.scheduler for each in self._operators if each.scheduler)

    def _start(self) -> None:
        enter = self._stack.enter_context
        self.processes = enter(Processes(self._base))
        self.folder = self.processes.folder
        self._nowhere = f"http://{LOOPBACK}:{enter(ReservedPort()).number}"
        self._run("etcd", components.etcd())
        names = (KUEUE.authority, f"{KUEUE.service}.{KUEUE.namespace}.svc")
        certificate, token = Certificate(self.folder, *names), secrets.token_urlsafe(32)
        server = f"https://{LOOPBACK}:{self._api_server(enter(ReservedPort()), certificate, token)}"
        self.kubeconfig = self.folder / "kubeconfig"
        components.write_kubeconfig(self.kubeconfig, server, token, certificate.file)
        self.client = enter(Client(server, token, certificate.file.read_text(), self.processes.check))
        # This includes a pause of about 0.7 s before it creates the priority classes. Not waiting for them would
        # not help: the controller manager waits for them, and checks only once a second.
        self.wait_until(self.client.ready, "kube-apiserver did not become ready")
        found = self.client.get("/version")
        self.version = ".".join(found.get(f"emulation{part}") or found[part.lower()] for part in ("Major", "Minor"))
        configuration = self.folder / "scheduler.json"
        configuration.write_text(components.scheduler_configuration(self.kubeconfig))
        self._run("kube-scheduler", components.kube_scheduler(configuration, self._emulated, self._gates))
        self._run(
            "kube-controller-manager",
            components.kube_controller_manager(self.kubeconfig, self._emulated, self._more, self._gates),
        )
        self._run("kwok", components.kwok(self.kubeconfig, PROGRAMS / "kwok-stages.yaml"))
        for operator, kinds in self._operators.items():
            self._start_operator(operator, kinds, certificate)
        # Everything else depends on this: the API server admits no pod without that account.
        accounts = partial(self.client.items, "/api/v1/namespaces/default/serviceaccounts")
        self.wait_until(lambda: bool(accounts()), "kube-controller-manager did not begin its work")

    def _api_server(self, port: ReservedPort, certificate: Certificate, token: str) -> int:
        """Starts it. Returns its port."""
        tokens = self.folder / "tokens.csv"
        tokens.touch(mode=0o600)
        tokens.write_text(f"{token},rehearsal,rehearsal,system:masters\n")
        # Otherwise its first try fails, and the next is a second later.
        self.wait_until((self.folder / components.ETCD_SOCKET).exists, "etcd did not become ready")
        arguments = components.kube_apiserver(port.release(), certificate, tokens, self._emulated, self._gates)
        self._run("kube-apiserver", arguments)
        return port.number

    def _start_operator(self, operator: Operator, kinds: Collection[str], certificate: Certificate) -> None:
        folder = self.folder / operator.name
        folder.mkdir()
        port = self._stack.enter_context(ReservedPort())
        start = Start(
            client=self.client,
            kubeconfig=self.kubeconfig,
            certificate=certificate,
            port=port.number,
            folder=folder,
            manifests=json.loads((self.binaries[operator.binaries[0]].path.parent / MANIFESTS).read_text()),
            values=self._values.get(operator.addon, {}),
            kinds=tuple(dict.fromkeys((*kinds, *operator.further_kinds))),
            kueue=self._kueue or {},
        )
        resources, webhooks = operator.resources(start), operator.webhook_configurations(start)
        self.client.each(self.client.create, resources)
        for each in resources:  # waits until the API server serves its kind
            stored = next(version["name"] for version in each["spec"]["versions"] if version["storage"])
            self.client.kind(f"{each['spec']['group']}/{stored}", each["spec"]["names"]["kind"])
            self._date_back(each["metadata"]["name"])
        if operator is KUEUE:
            self._of_kueue = port.number, webhooks
        else:
            self.client.each(self.client.create, webhooks)
        port.release()
        for name, arguments in operator.commands(start).items():
            self._run(name, arguments)
            if name == operator.binaries[0] and operator.webhooks and operator is not KUEUE:
                self.wait_until(lambda: _listens(port.number), f"the {operator.name} did not become ready")

    def _date_back(self, name: str) -> None:
        """Sets the time since which a kind is served. In the first 2 s, the API server holds each new object back for
        2 s, because other API servers may not serve its kind yet (`apiextensions-apiserver`,
        `customresource_handler.go`)."""
        path = f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}"
        conditions = self.client.get(path)["status"]["conditions"]
        dated = [{**each, "lastTransitionTime": "2000-01-01T00:00:00Z"} for each in conditions]
        self.client.patch(f"{path}/status", {"status": {"conditions": dated}})

    def _run(self, name: str, arguments: list[str]) -> None:
        # HOME: KWOK reads settings from there, and must not use the user's.
        # Proxies: objects can name addresses to call, as KubeRay calls the dashboards of Ray. Requests go to a port
        # without a server, and no name leaves the machine. Go does not use a proxy for loopback.
        env = {
            **child_process.environment(),
            **components.ENVIRONMENT,
            "HOME": str(self.folder),
            "TMPDIR": str(self.folder),
            **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY"), self._nowhere),
        }
        self.processes.start(name, [self.binaries[name].path, *arguments], env)


def _named(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _listens(port: int) -> bool:
    try:
        socket.create_connection((LOOPBACK, port), timeout=1).close()
    except OSError:
        return False
    return True
