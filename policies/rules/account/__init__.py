"""Rules about the account that a stack is deployed to, and what is known of it."""
