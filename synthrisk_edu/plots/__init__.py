"""How does it look? `draw_*(ax, …)` fills axes it is given, and computes nothing.

One module for each room it draws; `look` holds the colours and markers that every lesson shares.
`frame_*` draws what stays while a slider moves, `draw_*` what moves.
"""

from synthrisk_edu.plots.look import figure, show
from synthrisk_edu.plots.matching import (
    draw_box,
    draw_interval,
    draw_lineup,
    draw_match_counts,
    draw_narrowing,
    draw_record_sweep,
    draw_share,
    draw_summaries,
    draw_surface,
    draw_sweep,
    frame_box,
    frame_interval,
    frame_lineup,
    frame_match_counts,
    frame_narrowing,
    frame_record_sweep,
    frame_share,
    frame_summaries,
    frame_surface,
    frame_sweep,
)

__all__ = [
    "draw_box",
    "draw_interval",
    "draw_lineup",
    "draw_match_counts",
    "draw_narrowing",
    "draw_record_sweep",
    "draw_share",
    "draw_summaries",
    "draw_surface",
    "draw_sweep",
    "figure",
    "frame_box",
    "frame_interval",
    "frame_lineup",
    "frame_match_counts",
    "frame_narrowing",
    "frame_record_sweep",
    "frame_share",
    "frame_summaries",
    "frame_surface",
    "frame_sweep",
    "show",
]
