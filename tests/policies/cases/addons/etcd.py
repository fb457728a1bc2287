"""An etcd that speaks what torchx asks."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import Fleet
from tests.factories import a_fleet
from tests.policies.addons import NOBODY_SAYS, PLUGINS, a_chart, a_manifest, beside_plugins, conflict, with_addons
from tests.policies.case import case

# etcd-speaks-v2

ETCD = "etcd-speaks-v2"


@case(f"{ETCD} @ addons.etcd.version")
def our_etcd_without_v2() -> Fleet:
    return a_fleet(a_manifest("etcd", "v3.6.4"))


@case()
def our_etcd_with_v2() -> Fleet:
    return a_fleet(a_manifest("etcd", "v3.5.21"))


@conflict(f"{ETCD} @ addons.etcd.version")
def an_etcd_of_a_version_without_v2() -> Fleet:
    return with_addons({**PLUGINS, "etcd": {"version": "v3.6.4"}})


@conflict()
def an_etcd_as_it_is_pinned() -> Fleet:
    return with_addons({**PLUGINS, "etcd": {}})


FOR_TORCHX: Mapping[str, Any] = {"extraArgs": ["--enable-v2=true"]}


@conflict(f"{ETCD} @ addons.charts.our-etcd.values.image.tag")
def a_chart_of_etcd_without_v2() -> Fleet:
    return beside_plugins(a_chart("etcd", "12.0.20", **FOR_TORCHX))


@conflict()
def a_chart_of_etcd_with_v2() -> Fleet:
    return beside_plugins(a_chart("etcd", "12.0.20", **FOR_TORCHX, image={"tag": "v3.5.20"}))


@conflict()
def a_chart_of_etcd_for_something_else() -> Fleet:
    return beside_plugins(a_chart("etcd", "12.0.20"))


@conflict()
def a_chart_of_etcd_that_is_told_not_to() -> Fleet:
    env = [{"name": "ETCD_ENABLE_V2", "value": "false"}]
    return beside_plugins(a_chart("etcd", "12.0.20", extraEnvVars=env, extraArgs=["--enable-v2=false"]))


@conflict(f"{ETCD} @ addons.charts.our-etcd.values.image.tag")
def a_chart_of_etcd_that_is_told_by_its_environment() -> Fleet:
    env = [{"name": "ETCD_NAME", "value": "store"}, {"name": "ETCD_ENABLE_V2", "value": "true"}]
    return beside_plugins(a_chart("etcd", "12.0.20", extraEnvVars=env))


@conflict(f"{ETCD} @ addons.charts.our-etcd.values.image.tag")
def a_chart_of_etcd_that_is_told_by_its_configuration() -> Fleet:
    return beside_plugins(a_chart("etcd", "12.0.20", configuration="name: store\nenable-v2: true\n"))


@conflict(unjudged=(*NOBODY_SAYS, f"{ETCD} @ addons.charts.our-etcd"))
def a_chart_of_etcd_that_nobody_knows() -> Fleet:
    return beside_plugins(a_chart("etcd", "0.8.7", **FOR_TORCHX))
