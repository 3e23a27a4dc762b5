"""Claims of lesson 07."""
