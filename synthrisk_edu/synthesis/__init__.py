"""How is synthetic data made? One module for each way to make it.

| function | idea |
|---|---|
| `redraw` | borrow from a random record that looks alike |
| `synthesize_cart` | the same, and a tree says who looks alike |
| `synthesize_linear` | a Bayesian regression line, with its uncertainty |
| `synthesize_dpmpm` | a mixture of simple tables, for categories |
| `fit_multinomial` | a chain of multinomial regressions that keeps its estimates, and draws |
"""

from synthrisk_edu.synthesis.cart import synthesize_cart
from synthrisk_edu.synthesis.dpmpm import synthesize_dpmpm
from synthrisk_edu.synthesis.linear import synthesize_linear
from synthrisk_edu.synthesis.lookalikes import redraw
from synthrisk_edu.synthesis.multinomial import fit_multinomial
