"""Read-only queries to an AWS account, and the facts that the answers give.

A *topic* (`topics/`) lists the queries that a stack needs about one kind of resource, and reads the answers; it is
pure. The *query runner* runs the queries of all topics in parallel. Only `session` and `query_runner` use botocore.
"""
