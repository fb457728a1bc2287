"""Cases by topic, as the rules are."""
