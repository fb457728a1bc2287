"""An etcd that speaks what torchx asks."""

from tests.factories import a_fleet
from tests.policies.addons import a_manifest
from tests.policies.case import cases

# etcd-speaks-v2


cases(
    our_etcd_without_v2=lambda: a_fleet(a_manifest("etcd", "v3.6.4")),
)
