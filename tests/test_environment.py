"""What the first lesson asks before it starts: is everything in place?"""

from importlib import metadata

from synthrisk_classroom import check_environment


def test_everything_a_lesson_needs_is_asked_for_and_nothing_else():
    table = check_environment().set_index("needs")
    assert {"Python", "pandas", "ipywidgets"} <= set(table.index)
    assert not {"pytest", "voila", "duckdb"} & set(table.index)  # of extras
    assert table.fine.all()


def test_what_is_missing_or_too_old_is_not_fine(monkeypatch):
    versions = {"pandas": "0.1"}

    def version(package):
        if package == "numpy":
            raise metadata.PackageNotFoundError(package)
        return versions.get(package) or installed(package)

    installed = metadata.version
    monkeypatch.setattr(metadata, "version", version)
    table = check_environment().set_index("needs")
    assert table.index[~table.fine].tolist() == ["numpy", "pandas"]
    assert table.found["numpy"] == "missing" and table.found["pandas"] == "0.1"
