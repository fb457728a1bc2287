"""Slurm's accounting database."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from muster.fleet.description.part import Change, Part, field

_ARN = r"arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[A-Za-z0-9/_+=.@-]+"
_SERVER = r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?"
_DATABASE = r"[0-9a-z_]{1,64}"
"""ParallelCluster's letters (`DatabaseSchema`), and MySQL's length."""

MOST_LETTERS_OF_A_USER = 32
"""MySQL's."""


def _secret(value: str) -> str:
    if not re.fullmatch(_ARN, value):
        raise ValueError(f"'{value}' is not a secret's ARN; write arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME")
    return value


def _server(value: str) -> str:
    if not re.fullmatch(_SERVER, value):
        raise ValueError(f"'{value}' is not a database server; write its DNS name, with :PORT where that is not 3306")
    return value


def _user(value: str) -> str:
    if not 1 <= len(value) <= MOST_LETTERS_OF_A_USER:
        got = f"'{value}' has {len(value)} letters, and a user of MySQL"
        raise ValueError(f"{got} 1 to {MOST_LETTERS_OF_A_USER}; write the name that the database knows")
    return value


def _database(value: str) -> str:
    if not re.fullmatch(_DATABASE, value):
        raise ValueError(f"'{value}' is not a database's name here; use lower-case letters, digits and _, 64 at most")
    return value


class Accounting(Part):
    """A MySQL-compatible database that exists, for Slurm's accounting. Muster makes none.

    It must let the head node in: by the security group `nodes` of the stack's outputs, or by one of its own in
    `head.security-groups`.
    """

    server: Annotated[str, AfterValidator(_server), Field(json_schema_extra={"pattern": f"^{_SERVER}$"})] = field(
        "Its DNS name, with :PORT where that is not 3306.", Change.FLEET_STOP
    )
    user: Annotated[
        str,
        AfterValidator(_user),
        Field(json_schema_extra={"minLength": 1, "maxLength": MOST_LETTERS_OF_A_USER}),
    ] = field("The user that Slurm is to it.", Change.FLEET_STOP)
    password_secret: Annotated[str, AfterValidator(_secret), Field(json_schema_extra={"pattern": f"^{_ARN}$"})] = field(
        "The secret in Secrets Manager that holds the password, as plain text.", Change.FLEET_STOP
    )
    database: (
        Annotated[str, AfterValidator(_database), Field(json_schema_extra={"pattern": f"^{_DATABASE}$"})] | None
    ) = field("The database's name; ParallelCluster's choice without it.", Change.IN_PLACE, default=None)
