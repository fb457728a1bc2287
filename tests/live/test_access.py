"""Reading a cluster: what is asked, and every failure in words."""

import json
import socket
import ssl
import sys
from pathlib import Path
from typing import Any

import pytest

from muster.extras.verify import kubeconfig
from muster.extras.verify.cluster_reader import RESOURCE_SLICES, RIGHTS, cluster_role, read_cluster
from muster.extras.verify.kubeconfig import NoAccess, load
from muster.rehearsal.loopback import Authority
from tests.live.clusters import a_cluster
from tests.live.servers import Answer, a_kubeconfig, listing, refusing, serving

EXPECTED = a_cluster().expected
V1 = "client.authentication.k8s.io/v1"


def fault(file: Path, patience: float = 10) -> str:
    with pytest.raises(NoAccess) as raised:
        read_cluster(load(file, None, {}), EXPECTED, patience)
    return str(raised.value)


def test_what_is_asked_is_lists_and_nothing_else(tmp_path: Path) -> None:
    """Four, with GET, with the token; they are what the ClusterRole allows."""
    cluster = a_cluster()
    items = {
        "nodes": list(cluster.nodes.values()),
        "pods": cluster.pods,
        "daemonsets": list(cluster.daemon_sets.values()),
    }
    with serving(listing(items)) as served:
        seen = read_cluster(load(a_kubeconfig(tmp_path, served.address), None, {}), EXPECTED)
    assert [(method, path.partition("?")[0], token) for method, path, token in served.asked] == [
        ("GET", "/api/v1/nodes", "Bearer secret"),
        ("GET", "/api/v1/pods", "Bearer secret"),
        ("GET", "/apis/apps/v1/daemonsets", "Bearer secret"),
        ("GET", "/apis/apps/v1/deployments", "Bearer secret"),
    ]
    assert {path.partition("?")[0].rpartition("/")[2] for _, path, _ in served.asked} == {
        each.plural for each in RIGHTS if each is not RESOURCE_SLICES
    }
    assert {verb for rule in cluster_role()["rules"] for verb in rule["verbs"]} == {"list"}
    assert (seen.cluster, seen.context) == (served.address, "here")
    assert [node.name for node in seen.nodes] == ["system-0", "workers-0"]


def test_deployments_are_asked_for_where_an_operator_is_expected(tmp_path: Path) -> None:
    """Else the right to is not needed."""
    plain = a_cluster({"addons": {"nvidia-device-plugin": {}, "efa-device-plugin": {}}}).expected
    with serving(listing({})) as served:
        read_cluster(load(a_kubeconfig(tmp_path, served.address), None, {}), plain)
    assert not [path for _, path, _ in served.asked if "deployments" in path]


def test_slices_are_asked_for_where_a_driver_is_expected(tmp_path: Path) -> None:
    """Else the right to is not needed. A server that does not have them is too old."""
    drivers = a_cluster({"addons": {"nvidia-dra-driver": {}, "efa-dra-driver": {}}}).expected
    with serving(listing({})) as served:
        read_cluster(load(a_kubeconfig(tmp_path, served.address), None, {}), drivers)
    assert [path.partition("?")[0] for _, path, _ in served.asked if "resource" in path] == [
        "/apis/resource.k8s.io/v1/resourceslices"
    ]


def test_long_lists_come_in_parts(tmp_path: Path) -> None:
    """And all of them are read."""
    nodes = list(a_cluster(counts={"workers": 3}).nodes.values())

    def answer(path: str) -> tuple[int, str, Any]:
        if "/nodes" not in path:
            return listing({})(path)
        here = int(path.partition("continue=")[2].partition("&")[0] or 0)
        more = {"continue": str(here + 1)} if here + 1 < len(nodes) else {}
        return 200, "application/json", {"metadata": {"resourceVersion": "1", **more}, "items": [nodes[here]]}

    with serving(answer) as served:
        seen = read_cluster(load(a_kubeconfig(tmp_path, served.address), None, {}), EXPECTED)
    assert len(seen.nodes) == len(nodes)
    assert "limit=500" in served.asked[0][1]


FORBIDDEN = 'User "me" cannot list resource "{kind}" in API group "" at the cluster scope'


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            refusing(401, "Unauthorized"),
            ("{server} does not accept your credentials (401): the token of context 'here' is for another "),
        ),
        (
            refusing(403, FORBIDDEN),
            (
                '{server} denies access: User "me" cannot list resource "nodes" in API group "" at the cluster '
                "scope; missing permissions: list nodes, list pods, list daemonsets.apps, list deployments.apps in the "
                "whole cluster. the documentation of `muster verify` has a ClusterRole with them"
            ),
        ),
        (
            refusing(403, FORBIDDEN, only="/pods"),
            (
                '{server} denies access: User "me" cannot list resource "pods" in API group "" at the cluster '
                "scope; missing permissions: list pods in the whole cluster. the documentation of"
            ),
        ),
        (refusing(500, "etcdserver: no leader"), "{server} answers 500 to a list of nodes: etcdserver: no leader"),
        (
            lambda _: (200, "text/html", "<html>hello</html>"),
            "{server} is not a Kubernetes API server: its answer is not a list of Kubernetes objects",
        ),
        (
            lambda _: (200, "application/json", {"items": [{"hello": 1}]}),
            "{server} is not a Kubernetes API server: its answer is not a list of Kubernetes objects",
        ),
        (
            lambda _: (200, "application/json", []),
            "{server} is not a Kubernetes API server: its answer is not a list of Kubernetes objects",
        ),
        (
            lambda _: (404, "text/html", "nothing"),
            "{server} is not a Kubernetes API server: it answers 404 to a list of nodes",
        ),
        (
            lambda _: (302, "text/html", ""),
            ("{server} is not a Kubernetes API server: it answers 302 to a list of nodes"),
        ),
        (lambda _: (403, "text/html", "a proxy"), "{server} is not a Kubernetes API server: it answers 403"),
    ],
)
def test_a_server_that_does_not_let_us_look(tmp_path: Path, answer: Answer, said: str) -> None:
    """Is told with what it said, and what to do."""
    with serving(answer) as served:
        told = fault(a_kubeconfig(tmp_path, served.address))
    assert told.startswith(said.format(server=served.address))


def a_port() -> int:
    """One on which nothing listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def test_a_server_that_is_gone(tmp_path: Path) -> None:
    """Refused, unknown, silent."""
    server = f"https://127.0.0.1:{a_port()}"
    told = fault(a_kubeconfig(tmp_path, server))
    assert told.startswith(f"{server} cannot be reached: ")
    assert "Connection refused" in told
    assert "check whether it is in a private network" in told
    told = fault(a_kubeconfig(tmp_path, "https://nowhere.invalid"))
    assert told.startswith("the host 'nowhere.invalid' does not exist: the cluster is deleted")
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        server = f"http://127.0.0.1:{silent.getsockname()[1]}"
        assert fault(a_kubeconfig(tmp_path, server), 0.3) == f"{server} took longer than 0.3 s to answer; try again"


def test_a_proxy_that_is_not_there(tmp_path: Path) -> None:
    """The kubeconfig's proxy is used."""
    file = a_kubeconfig(tmp_path, "http://k8s.invalid", **{"proxy-url": f"http://127.0.0.1:{a_port()}"})
    assert fault(file).startswith("http://k8s.invalid cannot be reached: ")


def a_tls(authority: Authority) -> ssl.SSLContext:
    serving_ = authority.serving("kube-apiserver")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(serving_.certificate, serving_.key)
    return context


def test_certificates(tmp_path: Path) -> None:
    """The kubeconfig's authority is asked; another's certificate, and none, are said."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    own, other = Authority(tmp_path / "a"), Authority(tmp_path / "b")
    with serving(listing({}), a_tls(own)) as served:
        good = a_kubeconfig(tmp_path, served.address, **{"certificate-authority": str(own.file)})
        assert read_cluster(load(good, None, {}), EXPECTED).nodes == ()
        bad = a_kubeconfig(tmp_path, served.address, name="bad", **{"certificate-authority": str(other.file)})
        told = fault(bad)
        assert told.startswith(f"{served.address} has a certificate that the kubeconfig's authority did not sign (")
        assert told.endswith("): the kubeconfig is of another cluster, or another server intercepts the connection")
    with serving(listing({})) as plain:
        server = plain.address.replace("http", "https")
        assert fault(a_kubeconfig(tmp_path, server)).startswith(
            f"{server} does not use TLS like a Kubernetes API server: "
        )
    (tmp_path / "junk").write_text("junk")
    file = a_kubeconfig(tmp_path, "https://127.0.0.1:1", **{"certificate-authority": "junk"})
    assert fault(file).startswith("the certificates of context 'here' cannot be used: ")


PROGRAM = """#!{python}
import json, os, sys
asked = json.loads(os.environ["KUBERNETES_EXEC_INFO"])
assert asked["apiVersion"] == "{version}" and not asked["spec"]["interactive"]
assert not sys.stdin.read()
{body}
"""


def a_program(folder: Path, body: str, version: str = V1) -> dict[str, Any]:
    """A user whose token a program says."""
    file = folder / "get-token"
    file.write_text(PROGRAM.format(python=sys.executable, version=version, body=body))
    file.chmod(0o755)
    return {
        "exec": {
            "apiVersion": version,
            "command": str(file),
            "args": ["eks"],
            "env": [{"name": "AWS_PROFILE", "value": "mine"}],
            "interactiveMode": "IfAvailable",
        }
    }


@pytest.mark.parametrize("version", [V1, f"{V1}beta1"])
def test_a_program_says_the_token(tmp_path: Path, version: str) -> None:
    """Each version of the protocol; it has its arguments and its environment, and nobody to ask."""
    body = 'print(json.dumps({"status": {"token": "-".join([*sys.argv[1:], os.environ["AWS_PROFILE"]])}}))'
    user = a_program(tmp_path, body, version)
    with serving(listing({})) as served:
        read_cluster(load(a_kubeconfig(tmp_path, served.address, user), None, {}), EXPECTED)
    assert {token for _, _, token in served.asked} == {"Bearer eks-mine"}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "sys.exit('Unable to locate credentials')",
            "printed no token: Unable to locate credentials; run it by hand, ",
        ),
        ("sys.exit(255)", "printed no token: exit code 255; run it by hand, "),
        ("print('hello')", "printed no token (no ExecCredential with a status.token)"),
        ("print('{}')", "printed no token (no ExecCredential with a status.token)"),
        ("print('[]')", "printed no token (no ExecCredential with a status.token)"),
    ],
)
def test_a_program_that_says_no_token(tmp_path: Path, body: str, said: str) -> None:
    """Is told with its own words."""
    told = fault(a_kubeconfig(tmp_path, "https://127.0.0.1:1", a_program(tmp_path, body)))
    assert told.startswith(f"'{tmp_path}/get-token' {said}")


@pytest.mark.parametrize(
    ("body", "timeout"),
    [
        ("sys.exit(' '.join([*sys.argv, os.environ['AWS_SECRET_ACCESS_KEY']]))", 30),
        ("import time; time.sleep(60)", 0.3),
    ],
)
def test_a_programs_secrets_are_not_printed(tmp_path: Path, body: str, timeout: float) -> None:
    """A client's secret is among the arguments of OIDC's programs, which repeat what they do not understand."""
    user = a_program(tmp_path, body)
    user["exec"]["args"] = ["get-token", "--oidc-client-secret=HUSH1", "--password", "HUSH2", "--cluster", "prod"]
    user["exec"]["env"] = [{"name": "AWS_SECRET_ACCESS_KEY", "value": "HUSH3"}]
    with pytest.raises(NoAccess) as raised:
        kubeconfig.run_credential_program(load(a_kubeconfig(tmp_path, "https://x", user), None, {}), timeout)
    assert "HUSH" not in str(raised.value)
    assert str(raised.value).endswith("run it by hand, with the arguments in the kubeconfig for context 'here'")
    assert ("' printed no token within 0 s; run it by hand, " in str(raised.value)) is ("sleep" in body)
    assert ("--oidc-client-secret=... --password ... --cluster prod ..." in str(raised.value)) is ("argv" in body)


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    """Is told, with the kubeconfig's own hint where it has one."""
    user = {"exec": {"apiVersion": V1, "command": "aws-not-here"}}
    assert fault(a_kubeconfig(tmp_path, "https://x", user)) == (
        "the kubeconfig gets its token from 'aws-not-here', which is not on PATH; install it, or choose another context"
    )
    user["exec"]["installHint"] = "get it\nfrom us"
    assert fault(a_kubeconfig(tmp_path, "https://x", user)).endswith("which is not on PATH; get it from us")
    user["exec"]["apiVersion"] = "v9"
    assert fault(a_kubeconfig(tmp_path, "https://x", user)).startswith(
        "the kubeconfig's exec has version v9, which Muster"
    )


def test_a_user_of_the_wrong_form(tmp_path: Path) -> None:
    """Is words too."""
    file = a_kubeconfig(tmp_path, "https://x", {"token": 5})
    assert fault(file).startswith(f"user 'u' in {file} is invalid: token is not text; ")
    told = fault(a_kubeconfig(tmp_path, "https://x", **{"insecure-skip-tls-verify": "maybe"}))
    assert told.startswith("context 'here' cannot be used: ")
    assert json.dumps(told)
