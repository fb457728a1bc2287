"""Prints the blocks of ParallelCluster's configuration, for `tools/published_keys.py`.

Runs in an environment with AWS ParallelCluster's package; the argument is a folder with another version of it. The
schemas are marshmallow's, which refuses keys that they do not have ("Unknown field").
"""

import json
import os
import sys

os.environ["AWS_DEFAULT_REGION"] = "us-west-2"

sys.path[:0] = sys.argv[1:]

from marshmallow import fields  # noqa: E402
from pcluster.schemas import cluster_schema  # noqa: E402

blocks = {}


def kind_of(field):
    """The kind of a field's values."""
    if isinstance(field, fields.Nested):
        name = block_of(field.schema)
        if type(field).__name__ == "OneOrManyCustomActionField":
            blocks[name]["Sequence"] = f"[{name}]"
        return f"[{name}]" if field.many else name
    if isinstance(field, fields.List):
        return f"[{kind_of(field.inner)}]"
    if isinstance(field, fields.Dict):
        return "{any}"
    return "any" if type(field) is fields.Raw else "value"


def block_of(schema):
    """The name of a schema's block, which it adds to the blocks."""
    of = type(schema)
    name = of.__name__.removesuffix("Schema")
    name = name if of.__module__ == cluster_schema.__name__ else f"Common{name}"
    if name not in blocks:
        blocks[name] = {}
        blocks[name] = {field.data_key or key: kind_of(field) for key, field in schema.fields.items()}
    return name


block_of(cluster_schema.ClusterSchema(cluster_name="name"))
json.dump(blocks, sys.stdout)
