"""Every topic that an account is asked about, one file each."""

from muster.account.topic import Topic
from muster.account.topics.buckets import BUCKETS
from muster.account.topics.clusters import CLUSTERS
from muster.account.topics.file_systems import FILE_SYSTEMS
from muster.account.topics.hyperpod_clusters import HYPERPOD_CLUSTERS
from muster.account.topics.hyperpod_quotas import HYPERPOD_QUOTAS
from muster.account.topics.identity import IDENTITY
from muster.account.topics.images import IMAGES
from muster.account.topics.network import NETWORK
from muster.account.topics.offerings import OFFERINGS
from muster.account.topics.own_images import OWN_IMAGES
from muster.account.topics.permissions import PERMISSIONS
from muster.account.topics.reservations import RESERVATIONS
from muster.account.topics.resource_quotas import RESOURCE_QUOTAS
from muster.account.topics.security_groups import SECURITY_GROUPS
from muster.account.topics.training_plans import TRAINING_PLANS
from muster.account.topics.vcpu_quotas import VCPU_QUOTAS
from muster.account.topics.versions import VERSIONS

TOPICS: tuple[Topic, ...] = (
    IDENTITY,
    RESERVATIONS,
    TRAINING_PLANS,
    OFFERINGS,
    VCPU_QUOTAS,
    RESOURCE_QUOTAS,
    HYPERPOD_QUOTAS,
    NETWORK,
    SECURITY_GROUPS,
    VERSIONS,
    CLUSTERS,
    HYPERPOD_CLUSTERS,
    IMAGES,
    OWN_IMAGES,
    FILE_SYSTEMS,
    BUCKETS,
    PERMISSIONS,
)
"""In the order in which people read the answers."""
