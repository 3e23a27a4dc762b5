"""Claims of lesson 04."""
