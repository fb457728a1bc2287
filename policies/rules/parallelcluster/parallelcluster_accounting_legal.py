"""Slurm's accounting."""

import re
from collections.abc import Iterator

from muster.fleet.resources import Fleet, ParallelCluster
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.unknown import UNKNOWN
from muster.whole_number import whole_number

_SERVER = re.compile(r"(//)?[^/:@\s]+(:(?P<port>\d+))?")
_HIGHEST_PORT = 65535
_SECRET = re.compile(r"arn:aws[a-z-]*:secretsmanager:(?P<region>[a-z0-9-]+):\d{12}:secret:.+")


@rule(
    "parallelcluster-accounting-legal",
    title="Slurm accounting sets one database by its host, and a secret in this Region",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="The address of the database is a host and a port: ParallelCluster refuses a mysql:// prefix. It reads the "
    "password from Secrets Manager in the cluster's Region. An external slurmdbd needs its munge key, and excludes a "
    "database.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/database_validators.py#L17",
    ),
    remedy="Set the database to HOST:PORT, and the password to the ARN of a secret in this Region.",
    facts=("rules.md#61",),
)
def parallelcluster_accounting_legal(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.external_accounting is True and cluster.accounting is True:
        got = "accounting sets both a database and an external slurmdbd (ExternalSlurmdbd)"
        yield rule.finding(cluster.place, at="accounting", got=got, remedy="remove Database or ExternalSlurmdbd")
    if cluster.external_accounting is True and cluster.munge_key is False:
        got = "an external slurmdbd (ExternalSlurmdbd) is set without the munge key that it shares with the cluster"
        yield rule.finding(cluster.place, at="accounting", got=got, remedy="set MungeKeySecretArn")
    if cluster.database is None:
        return
    uri, secret = cluster.database.uri, cluster.database.secret
    if UNKNOWN in (uri, secret):
        yield rule.unjudged(cluster.place, "the database or the secret of accounting (known only after `pulumi up`)")
    if isinstance(uri, str) and (fault := _server_fault(uri)):
        in_program = "set Database.Uri to HOST or HOST:PORT"
        remedy = "set only HOST or HOST:PORT"
        yield rule.finding(cluster.place, at="accounting.server", got=fault, remedy=remedy, program_remedy=in_program)
    if not isinstance(secret, str):
        return
    parts = _SECRET.fullmatch(secret)
    if parts is None:
        got = f"'{secret}' is not the ARN of a secret in Secrets Manager"
        form = "arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME"
        yield rule.finding(
            cluster.place,
            at="accounting.password-secret",
            got=got,
            remedy=f"set the secret's ARN, {form}",
            program_remedy=f"set Database.PasswordSecretArn to the secret's ARN, {form}",
        )
    elif fleet.region and parts["region"] != fleet.region:
        got = f"the secret of the password is in {parts['region']}, but the cluster is in {fleet.region}"
        copy = f"replicate the secret to {fleet.region}"
        yield rule.finding(
            cluster.place,
            at="accounting.password-secret",
            got=got,
            remedy=f"{copy}, and set the ARN of the replica",
            program_remedy=f"{copy}, and set Database.PasswordSecretArn to the ARN of the replica",
        )


def _server_fault(uri: str) -> str | None:
    server = _SERVER.fullmatch(uri)
    if server is None:
        return f"'{uri}' is not the address of a database server"
    port = server["port"]
    if port is not None and (whole_number(port, 1) or _HIGHEST_PORT + 1) > _HIGHEST_PORT:
        return f"'{uri}' has port {port}, but ports are 1 to {_HIGHEST_PORT}"
    return None
