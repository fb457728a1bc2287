"""A Kubernetes control plane on this machine, with the operators of jobs, for the duration of a `with` block."""

import base64
import contextlib
import json
import secrets
import socket
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from muster import child_process
from muster.rehearsal import machine_limits
from muster.rehearsal.kubernetes import components, resource_slices
from muster.rehearsal.kubernetes.binaries import KUBERNETES, MANIFESTS, Binary, find_binaries, minor
from muster.rehearsal.kubernetes.client import ApiError, Client, NotFound
from muster.rehearsal.kubernetes.components import Access
from muster.rehearsal.kubernetes.operators import (
    KUEUE,
    VOLCANO_SCHEDULING,
    Operator,
    custom_resources,
    operators_for,
    stored_version,
)
from muster.rehearsal.kubernetes.pod_lifecycle import STAGES
from muster.rehearsal.loopback import LOOPBACK, Authority, ReservedPort, Serving
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.processes import Processes
from muster.rehearsal.progress import Progress, time_step


def webhook_configurations(
    operator: Operator, manifests: list[dict[str, Any]], kinds: Collection[str], port: int, authority: bytes
) -> Iterator[dict[str, Any]]:
    """The webhook configurations of an operator for jobs of these kinds and their pods, with the address of the
    operator's server on this machine."""
    plurals = {each["spec"]["names"]["plural"] for each in custom_resources(manifests, kinds)}
    for each in manifests:
        if each["kind"].endswith("WebhookConfiguration"):
            yield {
                "apiVersion": each["apiVersion"],
                "kind": each["kind"],
                "metadata": {"name": operator.webhooks_name or _name(operator, each["metadata"]["name"])},
                "webhooks": list(_here(operator, each["webhooks"], plurals, port, authority)),
            }


def _name(operator: Operator, name: str) -> str:
    """The name of a webhook configuration. Adds the operator's name as a prefix if it does not have it."""
    return name if name.startswith(operator.name) else f"{operator.name}-{name}"


def _here(
    operator: Operator, webhooks: list[dict[str, Any]], plurals: set[str], port: int, authority: bytes
) -> Iterator[dict[str, Any]]:
    """The webhooks of the chosen kinds, reached on loopback instead of through a Service."""
    for webhook in webhooks:
        resources = {name for rule in webhook["rules"] for name in rule["resources"]}
        of_pods = resources == {"pods"} and bool(operator.pod_label)
        of_others = operator.manages_jobs and not resources <= plurals
        if resources <= plurals or of_pods or of_others:
            here = _reached(webhook["clientConfig"]["service"]["path"], port, authority)
            labelled = {"matchExpressions": [{"key": operator.pod_label, "operator": "Exists"}]}
            yield {
                **webhook,
                "clientConfig": here,
                **({"objectSelector": labelled} if of_pods else {}),
                **({"namespaceSelector": _namespaces_of_jobs(operator)} if of_others else {}),
            }


def _reached(path: str, port: int, authority: bytes) -> dict[str, str]:
    """The client configuration with which the API server reaches a webhook on loopback."""
    return {"url": f"https://{LOOPBACK}:{port}{path}", "caBundle": base64.b64encode(authority).decode()}


def _namespaces_of_jobs(operator: Operator) -> dict[str, Any]:
    """The selector of its installation for the namespaces of jobs (for Kueue,
    `config/components/webhook/kustomization.yaml`)."""
    others = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system", operator.namespace]}
    return {"matchExpressions": [others]}


def _converting(
    operator: Operator, resources: list[Mapping[str, Any]], port: int, authority: bytes
) -> Iterator[Mapping[str, Any]]:
    """The custom resources. Those whose versions the operator's webhook converts refer to that webhook."""
    webhook = {"clientConfig": _reached("/convert", port, authority), "conversionReviewVersions": ["v1"]}
    for each in resources:
        own = each["spec"]["names"]["kind"] in operator.converted
        yield (
            {**each, "spec": {**each["spec"], "conversion": {"strategy": "Webhook", "webhook": webhook}}}
            if own
            else each
        )


_START_SECONDS = 60.0
"""Seconds for a component to be ready. Some machines are slow."""
_POLL_SECONDS = 0.02

_BEHAVES_BACK_TO = 3
"""How many minor versions back Kubernetes' programs can emulate (KEP-4330; `--emulated-version` rejects others)."""

_CLAIMS_EXTENDED_RESOURCES = (1, 36)

QUEUES = f"/apis/{VOLCANO_SCHEDULING}/queues"
"""The path of Volcano's queues."""

DEFAULT_QUEUE = "default"
"""The queue that Volcano's scheduler creates when it starts, for jobs without a queue."""

PROGRAMS = ("etcd", *KUBERNETES, "kwok")
"""What every control plane runs."""


class ControlPlane:
    """kube-apiserver, scheduler, controllers and KWOK, in their own folder. All of it is removed when the block ends.

        with ControlPlane() as plane:
            plane.client.create(...)

    Attributes:
        client: talks to it.
        kubeconfig: a file for kubectl and others.
        seconds: how long each step of the start took, by its name.
        version: the Kubernetes version that it is, or emulates (``1.35``).
        requested: the requested version; None if there is none.
    """

    client: Client
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
        progress: Progress | None = None,
        folder: Path | None = None,
    ) -> None:
        """Sets what to start.

        Args:
            kubernetes: the version to emulate (``1.34``). Default: the version of the binaries, which is also used if
                they are older (`requested` and `version` then differ).
            jobs: kinds of jobs (``PyTorchJob``, ``MPIJob``) whose operators run.
            schedulers: the names of schedulers (``volcano``) that run beside the default one.
            values: add-on -> the values of its chart. Default: the defaults of the chart.
            controllers: besides the usual ones: `components.QUOTAS` if there will be ResourceQuotas (otherwise pods are
                refused there), `components.GARBAGE` if something is deleted that owns pods.
            kueue: the configuration of Kueue, if it runs; `create_job_webhooks` creates its webhooks.
            progress: shows what is being built, if anything must be.
            folder: the parent of the rehearsal's folder. Default: the machine's temporary folder.

        Raises:
            ValueError: no operator of the rehearsal runs such a job.
        """
        self.requested = kubernetes
        self._operators = {**operators_for(jobs, schedulers), **({KUEUE: ()} if kueue is not None else {})}
        self._kueue = kueue
        self._job_webhooks: dict[str, tuple[int, list[dict[str, Any]]]] = {}
        self._values = values or {}
        self._more = tuple(controllers)
        self._progress = progress
        self._base = folder
        self._stack = contextlib.ExitStack()
        self.binaries: Mapping[str, Binary] = {}
        self.seconds: dict[str, float] = {}

    @property
    def _emulated(self) -> str | None:
        """The older version to emulate; None if the binaries are not newer, or do not report their version."""
        own = minor(self.binaries["kube-apiserver"].version)
        return self.requested if self.requested and minor(self.requested) < own else None

    @property
    def extended_resources_are_claimed(self) -> bool:
        """Whether the scheduler allocates a request for an extended resource from a DRA driver whose DeviceClass names
        the resource: by default from Kubernetes 1.36 on (KEP-5004)."""
        own = minor(self.binaries["kube-apiserver"].version)
        return (
            minor(self.requested) >= _CLAIMS_EXTENDED_RESOURCES if self.requested else own >= _CLAIMS_EXTENDED_RESOURCES
        )

    @property
    def _gates(self) -> tuple[str, ...]:
        """The feature gates that the stack's version enables by default, and that of the binaries does not."""
        own = minor(self.binaries["kube-apiserver"].version)
        older = own < _CLAIMS_EXTENDED_RESOURCES
        return ("DRAExtendedResource",) if older and self.extended_resources_are_claimed else ()

    def _can_behave(self) -> None:
        """Checks that the binaries can emulate the requested version.

        Raises:
            RehearsalError: they cannot.
        """
        server = self.binaries["kube-apiserver"]
        if self._emulated is None or self.requested is None:
            return
        major, own = minor(server.version)
        if minor(self.requested) < (major, own - _BEHAVES_BACK_TO):
            raise RehearsalError(
                f"the stack uses Kubernetes {self.requested}, but kube-apiserver {server.version} can only emulate "
                f"{major}.{own - _BEHAVES_BACK_TO} to {major}.{own}; put {', '.join(KUBERNETES)} of version "
                f"{self.requested} on PATH or into $KUBEBUILDER_ASSETS, or use one of these versions in the stack"
            )

    def __enter__(self) -> Self:
        machine_limits.require_open_files()
        names = (*PROGRAMS, *(binary for each in self._operators for binary in each.binaries))
        with time_step(self.seconds, "binaries"):
            self.binaries = find_binaries(names, self._progress)
        self._can_behave()
        try:
            self._start()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def check(self) -> None:
        """Checks whether every component still runs.

        Raises:
            ComponentDied: one ended by itself; the message has the end of its log.
        """
        self._processes.check()

    def wait(self, seconds: float) -> None:
        """Waits this long, unless a component dies meanwhile.

        Raises:
            ComponentDied: one ended by itself.
        """
        self._processes.wait(seconds)
        self.check()

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
            self.wait(look)

    @property
    def runs_kueue(self) -> bool:
        """Whether Kueue is one of its operators."""
        return KUEUE in self._operators

    def create_job_webhooks(self) -> None:
        """Creates the webhooks of job managers, which the API server calls for all pods, once they listen. On a real
        cluster, they also come after the other add-ons.

        Raises:
            RehearsalError: it does not listen in time.
        """
        for name, (port, webhooks) in self._job_webhooks.items():
            self.wait_until(partial(_listens, port), f"the {name} did not become ready")
            self.client.each(self.client.create, webhooks)
        self._job_webhooks = {}

    def wait_for_queue(self, name: str) -> None:
        """Waits until a queue of Volcano is open: its webhooks reject jobs of other queues.

        Raises:
            RehearsalError: it does not open in time.
        """
        self.wait_until(lambda: self._opened(name), f"Volcano's queue '{name}' did not open")

    def _opened(self, name: str) -> bool:
        try:
            queue = self.client.get(f"{QUEUES}/{name}")
        except NotFound:
            return False
        return bool((queue.get("status") or {}).get("state") == "Open")

    def memory_mib(self) -> dict[str, int]:
        """The most memory each component has had so far, in MiB."""
        return self._processes.memory_mib()

    @property
    def pids(self) -> dict[str, int]:
        """The components' processes."""
        return {name: process.pid for name, process in self._processes.running.items()}

    @property
    def schedulers(self) -> frozenset[str]:
        """The names of the schedulers that run beside the default one."""
        return frozenset(each.scheduler for each in self._operators if each.scheduler)

    @property
    def folder(self) -> Path:
        """Where it keeps its files, until it ends."""
        return self._processes.folder

    def _start(self) -> None:
        enter = self._stack.enter_context
        with time_step(self.seconds, "apiserver"):
            self._processes = enter(Processes(self._base))
            self._nowhere = f"http://{LOOPBACK}:{enter(ReservedPort()).number}"
            self._run("etcd", components.etcd())
            authority = Authority(self.folder)
            access = self._api_server(enter(ReservedPort()), authority)
            self.client = enter(Client(access.server, access.token, authority.pem.decode(), self.check))
            self.kubeconfig = access.kubeconfig
            # This includes a pause of about 0.7 s before it creates the priority classes. Not waiting for them would
            # not help: the controller manager waits for them, and checks only once a second.
            self.wait_until(self.client.ready, "kube-apiserver did not become ready")
            found = self.client.get("/version")
            self.version = ".".join(found.get(f"emulation{part}") or found[part.lower()] for part in ("Major", "Minor"))
        with time_step(self.seconds, "controllers"):
            configuration, stages = self.folder / "scheduler.json", self.folder / "kwok.yaml"
            configuration.write_text(components.scheduler_configuration(access))
            stages.write_text(STAGES)
            self._run("kube-scheduler", components.kube_scheduler(configuration, self._emulated, self._gates))
            self._run(
                "kube-controller-manager",
                components.kube_controller_manager(access, self._emulated, self._more, self._gates),
            )
            self._run("kwok", components.kwok(access, stages))
            for operator, kinds in self._operators.items():
                self._start_operator(operator, kinds, access, authority)
            # Everything else depends on this: the API server admits no pod without that account.
            self.wait_until(self._has_service_account, "kube-controller-manager did not begin its work")

    def _api_server(self, port: ReservedPort, authority: Authority) -> Access:
        token = secrets.token_urlsafe(32)
        tokens = self.folder / "tokens.csv"
        tokens.touch(mode=0o600)
        tokens.write_text(f"{token},rehearsal,rehearsal,system:masters\n")
        admission = self.folder / "admission.json"
        admission.write_text(components.admission_configuration())
        serving, signing = authority.serving("kube-apiserver"), authority.signing_key("service-accounts")
        # Otherwise its first try fails, and the next is a second later.
        self.wait_until((self.folder / components.ETCD_SOCKET).exists, "etcd did not become ready")
        self._run(
            "kube-apiserver",
            components.kube_apiserver(port.release(), serving, signing, tokens, admission, self._emulated, self._gates),
        )
        return Access.write(self.folder, f"https://{LOOPBACK}:{port.number}", token, authority.file)

    def _start_operator(self, operator: Operator, kinds: Collection[str], access: Access, authority: Authority) -> None:
        manifests = json.loads((self.binaries[operator.binaries[0]].path.parent / MANIFESTS).read_text())
        kinds = tuple(dict.fromkeys((*kinds, *operator.further_kinds)))
        values = self._values.get(operator.addon, {})
        resources = custom_resources(manifests, kinds, every_version=bool(operator.converted))
        if not operator.webhooks:
            self._define(resources)
            arguments = components.operator_without_webhooks(operator, access, values)
            self._run(operator.name, arguments)
            return
        port = self._stack.enter_context(ReservedPort())
        own = f"{operator.name}-webhook" if operator.certificates_key else components.WEBHOOK_CERTIFICATES
        folder = self.folder / own
        if operator.configuration:
            folder.mkdir(parents=True)
        if operator.certificates_name:
            authority = Authority(folder, operator.certificates_name)
        self._define(list(_converting(operator, resources, port.number, authority.pem)))
        webhooks = list(webhook_configurations(operator, manifests, kinds, port.number, authority.pem))
        if operator.manages_jobs:
            self._job_webhooks[operator.name] = port.number, webhooks
        else:
            self.client.each(self.client.create, webhooks)
        others: dict[str, list[str]] = {}
        if operator.scheduler:
            # In its own folder: the scheduler reads it again whenever a file beside it changes.
            configuration = self.folder / f"{operator.name}-scheduler" / "volcano-scheduler.conf"
            configuration.parent.mkdir()
            claims = self.client.knows(resource_slices.VERSION, "ResourceClaim")
            text = components.volcano_scheduler_configuration(manifests, values, claims=claims)
            configuration.write_text(text, encoding="utf-8")
            serving = authority.serving(operator.name)
            names = [each["metadata"]["name"] for each in webhooks]
            arguments = components.volcano_webhooks(access, manifests, names, port.number, serving, authority.file)
            others = components.volcano(access, configuration, claims=claims)
        elif operator.configuration:
            configuration = self.folder / f"{operator.name}.json"
            serving = authority.serving(operator.name, folder, *_service_names(operator))
            installed = self._kueue if operator is KUEUE else None
            configuration.write_text(
                components.operator_configuration(operator, port.number, folder, installed), encoding="utf-8"
            )
            if operator.certificates_name:
                self._keep_certificates(operator, authority, serving)
            arguments = components.configured_operator(access, configuration)
        else:
            serving = authority.serving(operator.name)
            arguments = components.training_operator(access, kinds, port.number, serving)
        port.release()
        self._run(operator.binaries[0], arguments)
        if not operator.manages_jobs:
            self.wait_until(lambda: _listens(port.number), f"the {operator.name} did not become ready")
        for name, arguments in others.items():
            self._run(name, arguments)

    def _define(self, resources: list[Mapping[str, Any]]) -> None:
        """Creates custom resources, and waits until the API server serves their kinds."""
        self.client.each(self.client.create, resources)
        for each in resources:
            self.client.kind(stored_version(each), each["spec"]["names"]["kind"])

    def _keep_certificates(self, operator: Operator, authority: Authority, serving: Serving) -> None:
        """Gives an operator the Secret with its certificates, so that it does not create them."""
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": operator.namespace}}
        self.client.apply(namespace)
        found = {
            "ca.crt": authority.pem,
            "ca.key": authority.key_pem,
            "tls.crt": serving.certificate.read_bytes(),
            "tls.key": serving.key.read_bytes(),
        }
        self.client.apply(
            {
                "apiVersion": "v1",
                "kind": "Secret",
                "metadata": {"name": components.certificates_secret(operator), "namespace": operator.namespace},
                "data": {name: base64.b64encode(content).decode() for name, content in found.items()},
            }
        )

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
        self._processes.start(name, [self.binaries[name].path, *arguments], env)

    def _has_service_account(self) -> bool:
        try:
            self.client.get("/api/v1/namespaces/default/serviceaccounts/default")
        except ApiError:
            return False
        return True


def _service_names(operator: Operator) -> tuple[str, ...]:
    """The DNS names of its webhooks' Service, of an operator that looks for them in its certificate."""
    return (f"{components.webhook_service(operator)}.{operator.namespace}.svc",) if operator.certificates_name else ()


def _listens(port: int) -> bool:
    try:
        socket.create_connection((LOOPBACK, port), timeout=1).close()
    except OSError:
        return False
    return True
