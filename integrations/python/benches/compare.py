"""quakefs beside vgio and zipfile on the same archives: medians of nine, in turn, in milliseconds.

    python benches/compare.py [a.pak]
"""

import os
import pathlib
import statistics
import sys
import tempfile
import time
import zipfile

import vgio.quake.pak

import quakefs

TURNS = 9


def archives(folder: pathlib.Path) -> None:
    """A pak and a pk3 with 400 files of 80 KB, like a mod, and a pak with 20,000 small files."""
    text = b"".join(b'"origin" "%d %d %d"\n' % (i, i * 7 % 4096, i * 13 % 512) for i in range(2000))[:40_000]
    mod = {f"progs/model{i}.mdl": text + os.urandom(40_000) for i in range(400)}
    for name in ("mod.pak", "mod.pk3"):
        with quakefs.PakFile(folder / name, "w") as pak:
            for entry, content in mod.items():
                pak.writestr(entry, content)
    with quakefs.PakFile(folder / "many.pak", "w") as pak:
        for i in range(20_000):
            pak.writestr(f"sound/group{i % 40}/sound{i}.wav", b"%d" % i * 40)


def all_of(opened):
    with opened as archive:
        return [len(archive.read(name)) for name in archive.namelist()]


def lent(opened):
    with opened as archive:
        return [len(archive.view(info)) for info in archive.infolist()]


def by_name(opened):
    with opened as archive:
        return [len(archive.read(f"sound/group{i % 40}/sound{i}.wav")) for i in range(0, 20_000, 10)]


def compared(what: str, ours, other: str, theirs) -> None:
    assert ours() == theirs(), what
    taken = ([], [])
    for _ in range(TURNS):
        for times, work in zip(taken, (ours, theirs), strict=True):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
    mine, others = (statistics.median(times) * 1000 for times in taken)
    print(f"{what:44} {mine:9.2f} {other:8} {others:9.2f} {others / mine:7.1f} x")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        archives(folder)
        pak, pk3, many = (str(folder / name) for name in ("mod.pak", "mod.pk3", "many.pak"))
        ours, vgio_ = quakefs.PakFile, vgio.quake.pak.PakFile
        print(f"{'':44} {'quakefs':>9} {'':8} {'other':>9}")
        compared("pak: open and list, 20,000 entries", lambda: ours(many).namelist(), "vgio", lambda: vgio_(many).namelist())
        compared("pak: list and read all, 400 of 80 KB", lambda: all_of(ours(pak)), "vgio", lambda: all_of(vgio_(pak)))
        compared("the same, lent as views", lambda: lent(ours(pak)), "vgio", lambda: all_of(vgio_(pak)))
        compared("pak: list and read all, 20,000 small", lambda: all_of(ours(many)), "vgio", lambda: all_of(vgio_(many)))
        compared("pak: 2,000 by name of 20,000", lambda: by_name(ours(many)), "vgio", lambda: by_name(vgio_(many)))
        for path in sys.argv[1:]:
            name = f"{len(ours(path).namelist())} entries, {os.path.getsize(path) >> 20} MB"
            compared(f"{name}: list and read all", lambda: all_of(ours(path)), "vgio", lambda: all_of(vgio_(path)))
            compared(f"{name}: lent as views", lambda: lent(ours(path)), "vgio", lambda: all_of(vgio_(path)))
        compared("pk3: list and read all, 400 of 80 KB", lambda: all_of(ours(pk3)), "zipfile", lambda: all_of(zipfile.ZipFile(pk3)))


if __name__ == "__main__":
    main()
