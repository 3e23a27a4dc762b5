"""Claims of lesson 00."""

from claims import after


@after("4e638f58")
def seven_facts_leave_the_widow_alone(steps):
    assert steps.left.tolist() == [10000, 5301, 697, 501, 477, 222, 9, 1, 1]


@after("c435c4b5")
def for_most_persons_eight_facts_leave_ten_or_more(people, facts):
    all_eight = people.groupby(facts)["SEX"].transform("size")
    assert round((all_eight >= 10).mean(), 2) == 0.86
    assert all_eight[2] >= 10
