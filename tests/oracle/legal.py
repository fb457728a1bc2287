"""Runs in an environment with AWS ParallelCluster's package: what its schema says of configurations.

Reads ``{NAME: configuration}`` as JSON from stdin, and writes ``{NAME: messages}``. A name that ends with ``.image`` is
a configuration of an image.
"""

import json
import os
import sys

from pcluster.schemas.cluster_schema import ClusterSchema
from pcluster.schemas.imagebuilder_schema import ImageBuilderSchema

os.environ["AWS_DEFAULT_REGION"] = "us-west-2"  # some values depend on whether the Region is isolated
messages = {
    name: (ImageBuilderSchema() if name.endswith(".image") else ClusterSchema(cluster_name="name")).validate(given)
    for name, given in json.load(sys.stdin).items()
}
json.dump(messages, sys.stdout, default=str)
