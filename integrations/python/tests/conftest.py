"""The games and archives of the repository, which the tests and the examples of the documentation are about."""

import pathlib

import pytest

import quakefs

REPOSITORY = pathlib.Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch, doctest_namespace):
    monkeypatch.chdir(REPOSITORY)
    doctest_namespace["quakefs"] = quakefs


@pytest.fixture
def quake():
    return quakefs.mount("testdata/game", engine="quakespasm", games="mymod")


@pytest.fixture
def base(tmp_path):
    """A game of which the tests may change the files."""
    (tmp_path / "id1").mkdir()
    with quakefs.PakFile(tmp_path / "id1/pak0.pak", "w") as pak:
        pak.writestr("default.cfg", "echo packed\n")
        pak.writestr("progs/ogre.mdl", bytes(range(256)) * 512)
    return tmp_path
