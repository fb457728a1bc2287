"""Programs of other teams: run in their own interpreter, or read from files that the Pulumi engine saved.

Both return registrations in the same format as the offline monitor, and a list of the gaps: what Muster could not see.
Nothing here applies rules.
"""
