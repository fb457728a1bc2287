"""Read-only queries to an AWS account, and the facts from the answers.

A *topic* (`topics/`) lists a stack's queries about one kind of resource, and reads the answers; it is pure. The *query
runner* runs the queries of all topics in parallel. Only `query_runner` uses botocore.
"""
