"""What a stack's files say now beside what they said at a git ref: what changes, and what it costs on a live cluster.

Both are read by today's program. What was deployed since, or changed by hand, no file says.
"""
