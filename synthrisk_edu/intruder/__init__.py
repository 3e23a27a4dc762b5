"""What if the intruder knows more? Probabilities over draws of what was synthesized."""

from synthrisk_edu.intruder.risk import (
    IntruderRisk,
    by_sampling_fraction,
    intruder_baselines,
    intruder_risk,
    mode_guess,
    model_draws,
)
from synthrisk_edu.intruder.together import match_together, together_by_m
