"""Claims of lesson 00."""

import synthrisk_edu as sr
from claims import after


@after("4e638f58")
def seven_facts_leave_the_widow_alone(steps):
    assert steps.left.tolist() == [10000, 5301, 697, 501, 477, 222, 9, 1, 1]


@after("c435c4b5")
def for_most_persons_eight_facts_leave_ten_or_more(people, facts):
    all_eight = people.groupby(facts, observed=True)["SEX"].transform("size")
    assert round((all_eight >= 10).mean(), 2) == 0.86
    assert all_eight[2] >= 10


@after("c435c4b5")
def three_persons_with_one_rare_value_each(people, facts):
    rare = {95: ("RACE", 1), 115: ("WAOB", 0.3), 164: ("RACE", 1)}
    for person, (name, percent) in rare.items():
        same = (people[name] == people[name][person]).sum()
        assert round(same / 100, 1 if percent < 1 else 0) == percent and 30 <= same <= 130
        assert sr.narrow_down(people, facts, person).left.iloc[-1] <= 2
        assert sr.narrow_down(people, facts, person, facts=4).left.iloc[-1] < 10


@after("c435c4b5")
def the_few_with_rare_combinations_carry_most_of_the_risk(people, facts):
    c = people.groupby(facts, observed=True)["SEX"].transform("size")
    assert (1 / c[c < 10]).sum() > 0.8 * (1 / c).sum()
