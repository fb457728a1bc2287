"""Read-only questions to an AWS account, and what the answers come to.

A *topic* (`topics/`) says which questions a stack has about one kind of thing, and reads the answers; it is pure. The
*asker* puts the questions of all topics side by side. Only `session` and `asking` know botocore.
"""
