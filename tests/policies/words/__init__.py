"""The words of every rule, in each of their forms, by topic as the cases are."""
