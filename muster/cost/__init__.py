"""The cost of a cluster, derived from its blueprint and a table of prices. Pure: queries to AWS are in
muster.account."""
