"""YAML as Kubernetes reads it: dates are text, and a lone `=` is too (both stand in CRDs)."""

from typing import Any

import yaml

_TEXT_IN_KUBERNETES = {"tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:value"}

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where PyYAML was built with it


class _Loader(_Base):  # type: ignore[misc]  # whichever there is
    yaml_implicit_resolvers = {  # noqa: RUF012  # yaml's own attribute, and its own type
        first: [(tag, form) for tag, form in resolvers if tag not in _TEXT_IN_KUBERNETES]
        for first, resolvers in _Base.yaml_implicit_resolvers.items()
    }


def documents(text: str) -> list[Any]:
    """All of them, empty ones as None.

    Raises:
        ValueError: no YAML; the message is one line.
    """
    try:
        return list(yaml.load_all(text, _Loader))  # a SafeLoader, as above
    except yaml.YAMLError as fault:
        raise ValueError(" ".join(str(fault).split())) from fault
