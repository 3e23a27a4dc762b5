"""What was compared, and what was not looked at? The first part of the report, and the last."""

from synthrisk_edu.report.section import Section

SMALL_CELL = 10


def files_section(roles):
    """What was compared, and how the roles were chosen."""
    n, n_synthetic = len(roles.confidential), len(roles.synthetic)
    numbers = [
        ("records, confidential", n, "the number of rows of the confidential table"),
        ("records, synthetic", n_synthetic, "the number of rows of the synthetic table"),
        ("shared columns", len(roles.shared), "the number of columns that both tables have"),
    ]
    return Section("files", "What was compared", list(roles.sentences), numbers)


def open_section(sections, n):
    """What is not measured, and who may see the report; n is the number of records."""
    sentences = [
        "An intruder who knows other columns than these, or more about how the data were made "
        "(lesson 05), may do better or worse.",
        "It is assumed that the intruder knows the person to be in the table; whether somebody is "
        "in it (membership) is not measured, nor how many people outside share the same values "
        "(lesson 07).",
        "Values that are nearly right count for numbers within the radius only, and for keys and "
        "targets only where they fall into the same group.",
        "Other tables that could be linked with this one, and several releases together, are not "
        "looked at.",
        "These are numbers of one synthetic table: another draw of the same synthesis gives "
        "others.",
    ]
    if any(0 < round(count) < SMALL_CELL for count in _counts(sections, n)):
        sentences.append(
            f"Small cells: this report gives counts below {SMALL_CELL}. A small count can itself "
            "point at a person, so decide who may see the report, and round it before you publish."
        )
    return Section("open", "What this report does not say", sentences)


def _counts(sections, n):
    """Yield the numbers of the report that stand for so many records."""
    for section in sections:
        for measure, value, meaning in section.numbers:
            if measure.startswith("unique matches"):
                yield value
            elif measure.startswith("true match rate"):
                yield value * n
            elif section.name == "disclosure" and meaning.startswith("%"):
                yield value * n / 100
