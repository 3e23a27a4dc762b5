"""Claims of lesson 08."""
