"""Chart values follow from the nodes that are there."""

import pytest

from muster.addon_sheets import ADDONS
from muster.addons.catalogue import CATALOGUE
from muster.addons.values import over_defaults, workloads_of
from muster.addons.workload import Workload
from muster.config.description.addons import Addons
from muster.plain_data import merged
from tests.addons.contexts import values_over


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ({}, {"a": {"b": 1, "c": [1]}, "d": 2}),
        ({"a": None}, {"d": 2}),
        ({"a": {"b": None}}, {"a": {"c": [1]}, "d": 2}),
        ({"a": {"c": [{"e": None}]}}, {"a": {"b": 1, "c": [{}]}, "d": 2}),
        ({"a": {"f": {"g": None}}}, {"a": {"b": 1, "c": [1], "f": {}}, "d": 2}),
        ({"d": {"h": 1}}, {"a": {"b": 1, "c": [1]}, "d": {"h": 1}}),
    ],
)
def test_templates_see_the_charts_defaults_below(given: dict, seen: dict) -> None:
    """A null deletes one of them; what is deleted is not there, and not null."""
    assert over_defaults({"a": {"b": 1, "c": [1]}, "d": 2}, given) == seen


def test_catalogue_description_and_versions_name_the_same_addons() -> None:
    """Each sheet is an add-on, with a key in a description and a pinned version."""
    described = {info.alias or name for name, info in Addons.model_fields.items()}
    described -= {"charts", "eks-addons", "installed-by"}
    assert set(CATALOGUE) == described == set(ADDONS)


@pytest.mark.parametrize(
    ("derived", "own", "result"),
    [
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 3}}, {"a": {"b": 1, "c": 3}}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
        ({"a": {"b": 1}}, {"a": 2}, {"a": 2}),
        ({}, {"a": {"b": 1}}, {"a": {"b": 1}}),
        ({"a": {"b": 1}}, {"a": None}, {"a": None}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": None}}, {"a": {"b": None, "c": 2}}),
    ],
)
def test_own_values_are_laid_over_as_helm_does(derived: dict, own: dict, result: dict) -> None:
    """Maps are merged, lists replaced, a null is handed on; the derived values are not changed."""
    before = repr(derived)
    assert merged(derived, own) == result
    assert repr(derived) == before


@pytest.mark.parametrize("values", [{"nodeSelector": 3}, {"devicePlugin": "on"}, {"tolerations": 1}, {"resources": []}])
def test_values_without_a_form_are_no_workloads_or_some(values: dict) -> None:
    """Never a crash: what a chart makes of them is Helm's to say."""
    for addon in CATALOGUE.values():
        assert len([each.manifest for each in workloads_of(addon, values)]) == len(workloads_of(addon, values))
    assert workloads_of(CATALOGUE["nvidia-device-plugin"], {"nodeSelector": 3}) == ()


def test_a_pods_requests_are_those_of_all_its_containers() -> None:
    """A limit stands in for a request that is missing; parts are added up before they are rounded."""
    workload = Workload(
        "DaemonSet",
        "agents",
        "default",
        resources={"requests": {"cpu": "10m", "memory": "1Mi"}, "limits": {"cpu": "1", "example.org/tape": 2}},
        beside=({"limits": {"cpu": "500u"}, "requests": None}, {"requests": {"cpu": "500u"}}, {}),
    )
    assert workload.requests == {"cpu": 11, "memory": 2**20, "example.org/tape": 2}
    with pytest.raises(ValueError, match="'much' is not an amount"):
        _ = Workload("DaemonSet", "agents", "default", resources={"requests": {"cpu": "much"}}).requests


@pytest.mark.parametrize("name", CATALOGUE)
def test_what_an_addon_serves_one_of_its_daemon_sets_serves(name: str) -> None:
    """And an operator runs something instead. HyperPod's chart brings plugins of its own where there are no others."""
    addon = CATALOGUE[name]
    made = addon.workloads(values_over(name))
    served = [each.serves for each in made if each.serves]
    assert served == ([addon.serves] if addon.serves else []) or name == "hyperpod"
    assert all(each.kind == "DaemonSet" for each in made if each.serves)
    assert not (addon.runs and addon.serves)
