"""Ways to break a legal description, by what is broken; `broken_clusters.Broken` names each and says what it yields."""
