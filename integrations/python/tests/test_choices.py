"""Which base directory and which engine a folder gives: the rows of testdata/choices.json, as in the suites of all tongues."""

import json
import pathlib
import zipfile

import pytest

import quakefs

ROWS = json.loads((pathlib.Path(__file__).parents[3] / "testdata/choices.json").read_text())


def fill(folder, files):
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        suffix = path.suffix.lower()
        if suffix == ".pak":
            with quakefs.PakFile(path, "w") as pak:
                pak.writestr("default.cfg", "bind")
        elif suffix == ".pk3":
            with zipfile.ZipFile(path, "w") as pk3:
                pk3.writestr("default.cfg", "bind")
        else:
            path.write_text("content")


@pytest.mark.parametrize("row", ROWS, ids=[row["folder"] for row in ROWS])
def test_a_folder_gives_the_same_engine_and_base_in_every_tongue(tmp_path, row):
    fill(tmp_path, row["files"])
    if row.get("refused"):
        with pytest.raises(FileNotFoundError):
            quakefs.mount(folder=tmp_path, on=row.get("on"))
        return
    quake = quakefs.mount(folder=tmp_path, on=row.get("on"))
    assert quake.verdict().verdict == row["verdict"]
    chosen = quake.describe().chosen
    assert (chosen.engine, chosen.because) == (row["engine"], row["because"])
    base = row["base"] if row["base"] is None else str((tmp_path / row["base"]).resolve())
    assert (chosen.base and str(pathlib.Path(chosen.base).resolve())) == base
