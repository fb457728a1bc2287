"""Every topic that an account is asked about, one file each."""

from muster.account.topic import Topic
from muster.account.topics.buckets import BUCKETS
from muster.account.topics.clusters import CLUSTERS
from muster.account.topics.file_systems import FILE_SYSTEMS
from muster.account.topics.identity import IDENTITY
from muster.account.topics.images import IMAGES
from muster.account.topics.versions import VERSIONS

TOPICS: tuple[Topic, ...] = (IDENTITY, VERSIONS, CLUSTERS, IMAGES, FILE_SYSTEMS, BUCKETS)
"""In the order in which people read the answers."""
