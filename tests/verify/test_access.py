"""Reading a cluster: what is asked, and every failure in words."""

import socket
import ssl
import sys
from pathlib import Path
from typing import Any

import pytest

from muster.rehearsal.loopback import Certificate
from muster.verify import cluster_reader
from muster.verify.cluster_reader import RESOURCE_SLICES, RIGHTS, NoAccess, cluster_role, load, read_cluster
from tests.verify.clusters import a_cluster
from tests.verify.servers import Answer, a_kubeconfig, listing, refusing, serving

EXPECTED = a_cluster().expected
V1 = "client.authentication.k8s.io/v1"


def fault(file: Path, patience: float = 10) -> str:
    with pytest.raises(NoAccess) as raised:
        read_cluster(load(file, None, {}), EXPECTED, patience)
    return str(raised.value)


def test_what_is_asked_is_lists_and_nothing_else(tmp_path: Path) -> None:
    """With GET, with the token; they are what the ClusterRole allows. Deployments are asked for where an operator is
    expected: else the right to is not needed."""
    cluster = a_cluster()
    plain = a_cluster({"addons": {"nvidia-device-plugin": {}, "efa-device-plugin": {}}}).expected
    with serving(listing({"nodes": list(cluster.nodes.values()), "pods": cluster.pods})) as served:
        configuration = load(a_kubeconfig(tmp_path, served.address), None, {})
        seen = read_cluster(configuration, EXPECTED)
        asked = served.asked.copy()
        read_cluster(configuration, plain)
    paths = ["/api/v1/nodes", "/api/v1/pods", "/apis/apps/v1/daemonsets", "/apis/apps/v1/deployments"]
    assert [(method, path.partition("?")[0], token) for method, path, token in asked] == [
        ("GET", path, "Bearer secret") for path in paths
    ]
    assert len(served.asked) == len(asked) + 3
    assert {path.rpartition("/")[2] for path in paths} == {
        each.plural for each in RIGHTS if each is not RESOURCE_SLICES
    }
    assert {verb for rule in cluster_role()["rules"] for verb in rule["verbs"]} == {"list"}
    assert (seen.cluster, seen.context) == (served.address, "here")
    assert [node.name for node in seen.nodes] == ["system-0", "workers-0"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (refusing(401, "Unauthorized"), "answers 401 to a list of nodes: Unauthorized; "),
        (refusing(403, "no {kind} for you", only="/pods"), "answers 403 to a list of pods: no pods for you; "),
        (refusing(500, "etcdserver: no leader"), "answers 500 to a list of nodes: etcdserver: no leader; "),
        (lambda _: (200, "text/html", "<html>hello</html>"), "is not a Kubernetes API server"),
        (lambda _: (200, "application/json", {"items": [{"hello": 1}]}), "is not a Kubernetes API server"),
        (lambda _: (200, "application/json", []), "is not a Kubernetes API server"),
        (lambda _: (302, "text/html", ""), "answers 302 to a list of nodes"),
        (lambda _: (403, "text/html", "a proxy"), "answers 403 to a list of nodes"),
    ],
)
def test_a_server_that_does_not_let_us_look(tmp_path: Path, answer: Answer, said: str) -> None:
    """Is told with what it said, and what to do."""
    with serving(answer) as served:
        told = fault(a_kubeconfig(tmp_path, served.address))
    assert told.startswith(f"{served.address} {said}")


def a_port() -> int:
    """One on which nothing listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def test_a_server_that_is_gone(tmp_path: Path) -> None:
    """Refused, unknown, silent; or behind a proxy of the kubeconfig's that is not there."""
    server = f"https://127.0.0.1:{a_port()}"
    assert fault(a_kubeconfig(tmp_path, server)).startswith(f"{server} cannot be reached: ")
    assert "cannot be reached: " in fault(a_kubeconfig(tmp_path, "https://nowhere.invalid"))
    proxied = a_kubeconfig(tmp_path, "http://k8s.invalid", **{"proxy-url": server.replace("https", "http")})
    assert fault(proxied).startswith("http://k8s.invalid cannot be reached: ")
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        server = f"http://127.0.0.1:{silent.getsockname()[1]}"
        assert fault(a_kubeconfig(tmp_path, server), 0.3).startswith(f"{server} cannot be reached: ")


def a_tls(certificate: Certificate) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.file, certificate.key)
    return context


def test_certificates(tmp_path: Path) -> None:
    """The kubeconfig's authority is asked; another's certificate, and none, are said."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    own, other = Certificate(tmp_path / "a"), Certificate(tmp_path / "b")
    with serving(listing({}), a_tls(own)) as served:
        good = a_kubeconfig(tmp_path, served.address, **{"certificate-authority": str(own.file)})
        assert read_cluster(load(good, None, {}), EXPECTED).nodes == ()
        bad = a_kubeconfig(tmp_path, served.address, name="bad", **{"certificate-authority": str(other.file)})
        assert "certificate" in fault(bad)
    with serving(listing({})) as plain:
        server = plain.address.replace("http", "https")
        assert fault(a_kubeconfig(tmp_path, server)).startswith(f"{server} cannot be reached: ")
    (tmp_path / "junk").write_text("junk")
    for name in ("junk", "none"):
        file = a_kubeconfig(tmp_path, "https://127.0.0.1:1", **{"certificate-authority": name})
        assert fault(file).startswith("context 'here' cannot be used: ")


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
    ("body", "timeout"),
    [
        ("sys.exit(' '.join([*sys.argv, os.environ['AWS_SECRET_ACCESS_KEY']]))", 30),
        ("print(*sys.argv)", 30),
        ("print('{}')", 30),
        ("print('[]')", 30),
        ("print(json.dumps({'status': {'token': 'HUSH'}})); sys.exit(1)", 30),
        ("import time; time.sleep(60)", 0.3),
    ],
)
def test_a_program_that_prints_no_token_gives_no_secret_away(tmp_path: Path, body: str, timeout: float) -> None:
    """A client's secret is among the arguments of OIDC's programs, which repeat what they do not understand."""
    user = a_program(tmp_path, body)
    user["exec"]["args"] = ["get-token", "--oidc-client-secret=HUSH1", "--password", "HUSH2", "--cluster", "prod"]
    user["exec"]["env"] = [{"name": "AWS_SECRET_ACCESS_KEY", "value": "HUSH3"}]
    with pytest.raises(NoAccess) as raised:
        cluster_reader.run_credential_program(load(a_kubeconfig(tmp_path, "https://x", user), None, {}), timeout)
    assert str(raised.value).startswith(f"'{tmp_path}/get-token' printed no token ")
    assert "HUSH" not in str(raised.value)


@pytest.mark.parametrize(
    ("user", "words"),
    [
        ({"exec": {"apiVersion": V1, "command": "aws-not-here"}}, "'aws-not-here' printed no token (No such"),
        ({"exec": {"apiVersion": "v9", "command": "aws-not-here"}}, "version v9"),
        ({"client-certificate-data": "%%"}, "context 'here'"),
    ],
)
def test_a_user_that_cannot_be_used(tmp_path: Path, user: dict[str, Any], words: str) -> None:
    """The error names the program, or the version of the protocol that Muster does not know, or the context."""
    assert words in fault(a_kubeconfig(tmp_path, "https://x", user))
