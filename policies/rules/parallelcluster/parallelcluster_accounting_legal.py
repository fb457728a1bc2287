"""Slurm's accounting."""

import re
from collections.abc import Iterator

from muster.fleet.resources import Fleet, ParallelCluster
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Verdict, rule

_SERVER = re.compile(r"(//)?[^/:@\s]+(:(?P<port>\d+))?")
_HIGHEST_PORT = 65535
_SECRET = re.compile(r"arn:aws[a-z-]*:secretsmanager:(?P<region>[a-z0-9-]+):\d{12}:secret:.+")


@rule(
    "parallelcluster-accounting-legal",
    title="Slurm's accounting names one database by its host, and a secret of this Region",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="The database's address is a host and a port: ParallelCluster refuses mysql:// before it. The password is read "
    "from Secrets Manager in the cluster's Region. A slurmdbd from elsewhere wants its munge key, and no database "
    "beside it.",
    source="aws-parallelcluster 3.16.1, DatabaseUriValidator, PasswordSecretArnValidator, slurm_settings_validator.py",
    remedy="Write HOST:PORT, and a secret's ARN of this Region.",
    facts=("rules.md#61",),
)
def parallelcluster_accounting_legal(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.external_accounting is True and cluster.accounting is True:
        got = "both a database and a slurmdbd from elsewhere (ExternalSlurmdbd) are named for accounting"
        yield rule.finding(cluster.place, at="accounting", got=got, remedy="leave Database or ExternalSlurmdbd out")
    if cluster.external_accounting is True and cluster.munge_key is False:
        got = "a slurmdbd from elsewhere (ExternalSlurmdbd) without the munge key that it shares with the cluster"
        yield rule.finding(cluster.place, at="accounting", got=got, remedy="write MungeKeySecretArn")
    if cluster.database is None:
        return
    uri, secret = cluster.database.uri, cluster.database.secret
    if UNKNOWN in (uri, secret):
        yield rule.unjudged(cluster.place, "the database or the secret of accounting, not known before creation")
    if isinstance(uri, str) and (fault := _server_fault(uri)):
        yield rule.finding(cluster.place, at="accounting.server", got=fault, remedy="write HOST or HOST:PORT alone")
    if not isinstance(secret, str):
        return
    parts = _SECRET.fullmatch(secret)
    if parts is None:
        got = f"'{secret}' is no secret of Secrets Manager"
        remedy = "write its ARN, arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME"
        yield rule.finding(cluster.place, at="accounting.password-secret", got=got, remedy=remedy)
    elif fleet.region and parts["region"] != fleet.region:
        got = f"the password's secret is in {parts['region']}, and the cluster in {fleet.region}"
        remedy = f"replicate the secret to {fleet.region}, and write that ARN"
        yield rule.finding(cluster.place, at="accounting.password-secret", got=got, remedy=remedy)


def _server_fault(uri: str) -> str | None:
    server = _SERVER.fullmatch(uri)
    if server is None:
        return f"'{uri}' is no address of a database server"
    port = server["port"]
    if port is not None and not 1 <= int(port) <= _HIGHEST_PORT:
        return f"'{uri}' has port {port}, and ports are 1 to {_HIGHEST_PORT}"
    return None
