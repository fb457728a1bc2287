"""An etcd that speaks what torchx asks."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import Fleet
from tests.factories import a_fleet
from tests.policies.addons import PLUGINS, a_chart, a_manifest, beside_plugins, with_addons
from tests.policies.case import case, cases

# etcd-speaks-v2


cases(
    our_etcd_without_v2=lambda: a_fleet(a_manifest("etcd", "v3.6.4")),
    our_etcd_with_v2=lambda: a_fleet(a_manifest("etcd", "v3.5.21")),
    an_etcd_of_a_version_without_v2=lambda: with_addons({**PLUGINS, "etcd": {"version": "v3.6.4"}}),
    an_etcd_as_it_is_pinned=lambda: with_addons({**PLUGINS, "etcd": {}}),
)


FOR_TORCHX: Mapping[str, Any] = {"extraArgs": ["--enable-v2=true"]}


cases(
    a_chart_of_etcd_without_v2=lambda: beside_plugins(a_chart("etcd", "12.0.20", **FOR_TORCHX)),
    a_chart_of_etcd_with_v2=lambda: beside_plugins(a_chart("etcd", "12.0.20", **FOR_TORCHX, image={"tag": "v3.5.20"})),
    a_chart_of_etcd_for_something_else=lambda: beside_plugins(a_chart("etcd", "12.0.20")),
)


@case
def a_chart_of_etcd_that_is_told_not_to() -> Fleet:
    env = [{"name": "ETCD_ENABLE_V2", "value": "false"}]
    return beside_plugins(a_chart("etcd", "12.0.20", extraEnvVars=env, extraArgs=["--enable-v2=false"]))


@case
def a_chart_of_etcd_that_is_told_by_its_environment() -> Fleet:
    env = [{"name": "ETCD_NAME", "value": "store"}, {"name": "ETCD_ENABLE_V2", "value": "true"}]
    return beside_plugins(a_chart("etcd", "12.0.20", extraEnvVars=env))


cases(
    a_chart_of_etcd_that_is_told_by_its_configuration=lambda: beside_plugins(
        a_chart("etcd", "12.0.20", configuration="name: store\nenable-v2: true\n")
    ),
    a_chart_of_etcd_that_nobody_knows=lambda: beside_plugins(a_chart("etcd", "0.8.7", **FOR_TORCHX)),
)
