"""The account: what it has quotas for, who asked, when, and where."""
