"""What a cluster costs, derived from its blueprint and a table of prices. Pure: the questions to AWS stand in
muster.account."""
