"""What lesson 05 says, held to its numbers."""

from claims import after


@after("2ab3d713")
def the_intruder_believes_ten_and_gets_three_and_a_half_right(risk):
    assert risk.summary().to_dict() == {"perceived": 10, "expected": 3.5, "true": 3}


@after("36cbb1a6")
def there_are_2562_youths_in_46_facilities(youth):
    assert (len(youth), youth.facility.nunique()) == (2562, 46)


@after("32272479")
def perceived_risk_falls_steeply_under_averaging(table):
    perceived = table.perceived["averaging"]
    assert 140 < perceived[2] < 180 and perceived[10] < 25


@after("h5a00006")
def at_a_quarter_as_many_are_perceived_as_are_right(at_a_quarter):
    assert abs(at_a_quarter.perceived - at_a_quarter.expected) <= 1


@after("6c177faa")
def the_coefficients_give_more_right_matches_than_the_files(live):
    assert live.expected["and f(β)"] > live.expected["three files"]


@after("2bf8c2af")
def the_order_of_the_means_for_three_files(means):
    order = ["f(β) (mode)", "models (mean β)", "nothing (averaged)"]
    assert means.expected.xs(3, level="m")[order].is_monotonic_decreasing


@after("2bf8c2af")
def the_models_add_22_18_and_13(means):
    added = means.expected["models (mean β)"] - means.expected["nothing (averaged)"]
    assert added.round().tolist() == [22, 18, 13]
