"""What was shipped? The lessons by their names, and where they are.

A teacher may keep other notebooks beside the lessons, also a student's. What is not named here is
never run, copied or listed.
"""

from pathlib import Path

# In their order: a core, then what goes further from it.
LESSONS = """
00_start_here
01_matching_approach further/01_many_files_and_a_game
02_radius_illustrations further/02_ends further/02_surface
03_acs_example further/03_files further/03_makers further/03_measures further/03_mixture
04_ce_example further/04_files further/04_line further/04_published further/04_repels
05_intruder_knowledge further/05_in_the_file further/05_model_and_choice
further/05_what_else_is_known
06_disco_walkthrough further/06_definitions further/06_differential_privacy further/06_flags
further/06_owner
07_household_risk further/07_population further/07_protection further/07_useful
08_members_and_others further/08_cheats further/08_households further/08_sizes
09_your_own_data further/09_every_year
further/10_paper_and_code
""".split()

# What lessons and guide link to; the pictures of gallery and website lie in `pictures`.
PAGES = """
class_hour.ipynb gallery.md glossary.md reference.md
guide/all_lessons.md guide/answers_to_discuss.md guide/before_you_begin.md guide/grades.md
guide/how_to_teach_with_this.md guide/lab_points.csv guide/longer.md guide/the_class.md
guide/the_demonstration.md guide/the_lab.md guide/what_students_get_wrong.md
""".split()


# An installed package has them inside; in a checkout they stand beside it.
PACKAGE = Path(__file__).parent
IS_INSTALLED = (PACKAGE / "files").is_dir()
NOTEBOOKS = PACKAGE / "files" if IS_INSTALLED else PACKAGE.parent / "notebooks"


def all_files():
    """List all files that were shipped, as further/06_flags.ipynb: lessons, pages and pictures."""
    pictures = NOTEBOOKS / "pictures"
    pictures = sorted([*pictures.rglob("*.png"), *pictures.rglob("*.webp")])
    return [
        *(f"{name}.ipynb" for name in LESSONS),
        *PAGES,
        *(path.relative_to(NOTEBOOKS).as_posix() for path in pictures),
    ]
