"""Which version of Kubernetes a new stack gets."""

from datetime import date

from muster.versions import ADDONS, EKS_ADDONS, EKS_CALENDAR, HYPERPOD_KUBERNETES


def kubernetes_version(as_of: date) -> tuple[str, str]:
    """The version, and why that one.

    The newest that all of Muster's add-ons and HyperPod are stated for: adding one later then takes no other. Where
    standard support of all those has ended, the newest that EKS's own add-ons are pinned for.
    """
    ranges = [HYPERPOD_KUBERNETES, *(pin.kubernetes for pin in ADDONS.values())]
    standing = [each for each in EKS_ADDONS if as_of <= EKS_CALENDAR[each].standard_ends]
    fitting = [each for each in standing if all(_within(each, *between) for between in ranges)]
    version = max(fitting or standing or EKS_ADDONS, key=_number)
    why = f"in standard support until {EKS_CALENDAR[version].standard_ends}"
    return version, f"{why}; the newest that every add-on here is stated for" if version in fitting else why


def _within(version: str, first: str, last: str | None) -> bool:
    return _number(first) <= _number(version) and (last is None or _number(version) <= _number(last))


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
