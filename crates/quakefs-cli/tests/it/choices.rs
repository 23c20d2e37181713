//! Which base directory and which engine a folder gives: the rows of `testdata/choices.json`, as in the
//! suites of all tongues.

use serde_json::Value;
use testutils::Folder;

#[test]
#[cfg_attr(windows, ignore = "its disk ignores case")]
fn a_folder_gives_the_same_engine_and_base_in_every_tongue() {
    let rows: Vec<Value> = serde_json::from_str(include_str!("../../../../testdata/choices.json")).unwrap();
    for row in rows {
        let files = row["files"].as_array().unwrap().iter().map(|file| {
            let file = file.as_str().unwrap().to_owned();
            let content = match file.to_ascii_lowercase().rsplit_once('.') {
                Some((_, "pak")) => crate::archive(&[(b"default.cfg", b"bind")]),
                Some((_, "pk3")) => testutils::zip([("default.cfg", "bind")]),
                _ => b"content".to_vec(),
            };
            (file, content)
        });
        let folder = Folder::with(files);
        let on = row["on"].as_str().map(|on| ["--on", on]);
        let mut command = crate::binary::quakefs(&["--json", "path"]);
        command.args(on.into_iter().flatten()).current_dir(folder.path());
        let answer = command.output().unwrap();
        if row["refused"] == true {
            assert_eq!(answer.status.code(), Some(2), "{row}");
            continue;
        }
        let first = String::from_utf8(answer.stdout).unwrap();
        let first: Value = serde_json::from_str(first.lines().next().unwrap_or_default()).unwrap();
        for key in ["engine", "because"] {
            assert_eq!(first[key], row[key], "{row}");
        }
        let wanted = row["base"].as_str().map(|base| folder.join(base).canonicalize_utf8().unwrap());
        let base = first["base"].as_str().map(|base| folder.join(base).canonicalize_utf8().unwrap());
        assert_eq!(base, wanted, "{row}");
        let mut command = crate::binary::quakefs(&["--json", "check"]);
        command.args(row["on"].as_str().map(|on| ["--on", on]).into_iter().flatten());
        let answer = command.current_dir(folder.path()).output().unwrap();
        let lines = String::from_utf8(answer.stdout).unwrap();
        let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let verdict = rows.iter().find(|line| line["type"] == "verdict-of-game").unwrap();
        assert_eq!(verdict["verdict"], row["verdict"], "{row}");
    }
}
