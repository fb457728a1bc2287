"""What an account has that a new stack could take: who holds instances, which VPCs they could be in.

Inquiries in the style of topics: pure generators that yield questions and return what the answers come to.
"""
