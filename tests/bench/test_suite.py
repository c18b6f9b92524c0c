from pathlib import Path

import pytest

from s2s.bench.programs.description import find_suite, read_suite
from s2s.source.diagnostics import UserError

GOOD = """\
suite = "s"
time = '^t ([0-9.]+)$'
[cases.a]
sources = ["a.c"]
sizes.small = ["1"]
sizes.default = ["2", "3"]
published = { "popp-2t" = 1.5 }
[cases.b]
sources = ["a.c"]
sizes.small = []
sizes.default = []
time = '([0-9]+) ms'
tolerance = 1e-5
"""


def write(folder: Path, text: str) -> Path:
    (folder / "a.c").write_text("int main(void) { return 0; }\n")
    description = folder / "suite.toml"
    description.write_text(text)
    return description


def test_a_case_adds_to_and_overrides_what_its_suite_says(tmp_path: Path) -> None:
    first, second = read_suite(write(tmp_path, GOOD))
    assert (first.suite, first.name, first.sources) == ("s", "a", (tmp_path / "a.c",))
    assert first.sizes == {"small": ("1",), "default": ("2", "3")}
    assert first.published == {"popp-2t": 1.5}
    assert (first.time.pattern, second.time.pattern) == ("^t ([0-9.]+)$", "([0-9]+) ms")
    assert (first.tolerance, second.tolerance) == (0.0, 1e-5)


def test_sources_lie_in_the_root_where_one_is_given(tmp_path: Path) -> None:
    description = write(tmp_path, GOOD)
    elsewhere = tmp_path / "checkout"
    elsewhere.mkdir()
    with pytest.raises(UserError, match=r"no such file: .*checkout/a\.c"):
        read_suite(description, elsewhere)
    (elsewhere / "a.c").touch()
    assert read_suite(description, elsewhere)[0].sources == (elsewhere / "a.c",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("a.c", "b.c", "case 'a': no such file: .*b.c"),
        ("sizes.small", "sizes.large", "case 'a': sizes: must give small and default"),
        ('["1"]', "[1]", "case 'a': sizes: must be a string"),
        ('["1"]', '"1"', "case 'a': sizes: must be a list of strings"),
        ("published", "printed", "case 'a': unknown key 'printed'"),
        ("1.5", "'fast'", "case 'a': published: must be a number"),
        ("([0-9.]+)", "[0-9.]+", "case 'a': time: needs one group"),
        ("([0-9.]+)", "([0-9.+)", "case 'a': time: unterminated character set"),
        ('suite = "s"', "", "case 'a': 'suite' is missing"),
        ("time = '^t ([0-9.]+)$'", "", "case 'a': 'time' is missing"),
        ("[cases.a]", "[cases.a", "suite.toml: Expected"),
    ],
)
def test_names_what_is_wrong(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert GOOD.replace(old, new, 1) != GOOD
    with pytest.raises(UserError, match=message):
        read_suite(write(tmp_path, GOOD.replace(old, new, 1)))


def test_finds_a_suite_by_file_folder_name_and_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    own = write(folder, GOOD)
    (folder / "other.toml").write_text(GOOD)
    assert find_suite(None, None).resolve() == own
    assert find_suite("other", None).resolve() == folder / "other.toml"
    assert find_suite(str(own), None) == own
    assert find_suite(str(folder), None) == own
    assert find_suite(None, folder) == own
    with pytest.raises(UserError, match="no benchmark suite 'third'; looked for third, "):
        find_suite("third", None)
    with pytest.raises(UserError, match="no benchmark suite here"):
        find_suite(None, tmp_path / "nowhere")


def test_suites_come_with_s2s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    own = read_suite(find_suite(None, None))
    assert "jacobi" in {case.name for case in own}
    assert all(source.is_file() for case in own for source in case.sources)
    assert find_suite("kastors", None).name == "suite.toml"
