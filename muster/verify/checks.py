"""The checks of a running cluster, by id (the `rule` of their findings), each with its remedy and its source."""

from dataclasses import dataclass
from typing import NamedTuple

import yaml

from muster.finding import Finding, Level
from muster.hardware.tables import read_text
from muster.message_text import list_names


class Check(NamedTuple):
    """One check."""

    title: str
    remedy: str
    source: str


CHECKS = {id_: Check(**texts) for id_, texts in yaml.safe_load(read_text("checks.yaml", "muster.verify")).items()}
"""By id."""


@dataclass(frozen=True, slots=True, order=True)
class Deviation:
    """One deviation from the expectations. Equal deviations of several nodes become one finding."""

    check: str
    level: Level
    resource: str
    """The group or add-on in the description."""
    what: str
    """The text after the nodes' names, or the whole text if there are none."""
    subject: str = ""
    """The node or pod of the deviation."""
    key: str = ""
    """The key below the resource that plans it, if there is one."""


def merge_deviations(deviations: list[Deviation]) -> tuple[Finding, ...]:
    """The findings: one for all nodes (or pods) with the same deviation, with the first few names."""
    alike: dict[tuple[str, str, Level, str, str], list[str]] = {}
    for each in deviations:
        where = f"{each.resource}.{each.key}" if each.key else each.resource
        subjects = alike.setdefault((where, each.check, each.level, each.what, each.resource), [])
        subjects.extend([each.subject] if each.subject else [])
    return tuple(
        sorted(
            Finding(
                where,
                check,
                level,
                f"{list_names(sorted(set(subjects)))}: {what}" if subjects else what,
                CHECKS[check].remedy,
                resource,
            )
            for (where, check, level, what, resource), subjects in alike.items()
        )
    )
