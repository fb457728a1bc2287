"""Rules about the account that a stack is deployed to, and the facts about it."""
