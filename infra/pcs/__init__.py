"""Components of clusters on AWS PCS."""
