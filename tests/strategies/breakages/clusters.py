"""Ways to break what is said of a whole cluster: its version, its add-ons, the one that exists."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st

from muster.addons.catalogue import CATALOGUE
from muster.blueprint.dra import DRIVERS
from muster.versions import EKS_CALENDAR
from tests.factories import DROP
from tests.strategies.breakages.breakage import Break, Places, found_at
from tests.strategies.described import Described
from tests.strategies.readings import lacked_by


def with_plugins(legal: Described) -> dict[str, Any]:
    """The add-ons of a cluster with device plugins in place of DRA drivers, which need a newer Kubernetes."""
    plugins = {addon.serves: name for name, addon in CATALOGUE.items() if addon.serves}
    addons = legal.document["addons"].items()
    return {
        plugins[DRIVERS[name]] if name in DRIVERS else name: {} if name in DRIVERS else said for name, said in addons
    }


def of_version(name: str) -> Break:
    def break_(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
        # What else is wrong with another version, the add-ons that do not name it say: they are left out.
        kept = {each: said for each, said in with_plugins(legal).items() if CATALOGUE[each].serves}
        return legal.edit({"kubernetes": name, "addons": kept}), found_at("kubernetes")

    return break_


def later(after: str, until: str) -> Break:
    """Nothing changes but the date."""

    def break_(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
        support = EKS_CALENDAR[legal.document["kubernetes"]]
        first = getattr(support, after) + timedelta(days=1)
        last = getattr(support, until) if until else first + timedelta(days=1000)
        return replace(legal, as_of=draw(st.dates(first, last))), found_at("kubernetes")

    return break_


def plugin_missing(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    groups = legal.document["groups"]
    served = {each: CATALOGUE[each].serves or DRIVERS.get(each) for each in legal.document["addons"]}
    name = draw(st.sampled_from([each for each, device in served.items() if device]))
    serves = served[name]
    hit = [f"groups.{each}.instance" for each, group in groups.items() if serves in lacked_by(group)]
    return legal.edit({f"addons.{name}": DROP}), found_at(*hit)


def plugin_for_nothing(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = "addons.efa-device-plugin"
    return legal.edit({at: {}}), found_at(at)


def cluster_told(at: str, **said: str) -> Break:
    """AWS says something else of the cluster that exists."""

    def break_(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
        existing = legal.document["control-plane"]["existing"]
        return legal.learn("clusters", existing["name"], **said), found_at(at)

    return break_


def version_refused(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    return legal.learn("kubernetesVersions", legal.document["kubernetes"], offered=False), found_at("kubernetes")
