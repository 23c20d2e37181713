//! Rule files: no text panics, rules survive TOML, and a mount under valid rules stays below the base
//! directory and the home folder.
#![no_main]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use quakefs::camino::Utf8Path;
use quakefs::{Engine, Rules, SearchPath};
use quakefs_fuzz::{Image, Name, pick};
use testutils::Folder;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    engine: u8,
    /// Numbers of keys, each with the number of a value of some engine, or with any text.
    changes: Vec<(u8, Value<'a>)>,
    /// Text after them.
    text: &'a str,
    games: Vec<&'a str>,
    archive: Image,
    names: Vec<Name>,
}

#[derive(Arbitrary, Debug)]
enum Value<'a> {
    OfAnEngine(u8),
    Text(&'a str),
    Number(u32),
    List(Vec<&'a str>),
}

/// Every key of the engines' rules, with all values that the engines have for it.
static KEYS: LazyLock<Vec<(String, Vec<String>)>> = LazyLock::new(|| {
    let mut keys: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for engine in Engine::ALL {
        let table: toml::Table = engine.rules().to_toml().parse().unwrap();
        for (key, value) in table {
            match value {
                toml::Value::Table(inner) => inner.into_iter().for_each(|(inner, value)| {
                    keys.entry(format!("{key}.{inner}")).or_default().insert(value.to_string());
                }),
                value => drop(keys.entry(key).or_default().insert(value.to_string())),
            }
        }
    }
    keys.into_iter().map(|(key, values)| (key, values.into_iter().collect())).collect()
});

fuzz_target!(|input: Input<'_>| {
    check(input.text);
    let mut lines = BTreeMap::from([("inherit", format!("'{}'", pick(Engine::ALL, input.engine)))]);
    for (key, value) in &input.changes {
        let (key, values) = pick(&KEYS, *key);
        let value = match value {
            Value::OfAnEngine(number) => pick(values, *number).clone(),
            Value::Text(text) => toml::Value::from(*text).to_string(),
            Value::Number(number) => number.to_string(),
            Value::List(list) => toml::Value::from(list.clone()).to_string(),
        };
        lines.insert(key, value);
    }
    let text: String = lines.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
    check(&format!("{text}{}", input.text));
    if let Some(rules) = check(&text) {
        mount(rules, &input);
    }
});

/// Reads rules, writes them as text, and compares them with the rules read from that text.
fn check(text: &str) -> Option<Rules> {
    match Rules::from_toml(text) {
        Ok(rules) => {
            assert_eq!(Rules::from_toml(&rules.to_toml()).as_ref(), Ok(&rules));
            assert_eq!(rules.validate(), []);
            Some(rules)
        }
        Err(error) => {
            drop(error.to_string());
            None
        }
    }
}

fn mount(rules: Rules, input: &Input<'_>) {
    let all = Folder::new();
    let image = input.archive.to_bytes();
    for folder in ["base/id1", "base/mod", "home", ".", "base"] {
        all.write(&format!("{folder}/a.cfg"), folder);
        all.write(&format!("{folder}/pak0.pak"), &image);
    }
    let before = all.tree("");
    let builder = SearchPath::builder(all.join("base")).home(all.join("home")).rules(rules);
    let mounted = input.games.iter().fold(builder, |builder, game| builder.game(*game)).mount();
    let Ok(quake) = mounted else { return };
    let (base, home) = (all.join("base"), all.join("home"));
    let inside = |path: &Utf8Path| {
        let path = path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
        let up = path.components().any(|part| part.as_str() == "..");
        assert!(!up && (path.starts_with(&base) || path.starts_with(&home)), "{path}");
    };
    quake.layers().filter_map(|layer| layer.system_path()).for_each(|path| inside(&path));
    quake.write_dir().into_iter().for_each(inside);
    for file in quake.files() {
        file.system_path().iter().for_each(|path| inside(path));
        let _ = file.read();
    }
    quake.findings().for_each(|finding| drop(finding.to_string()));
    assert_eq!(all.tree(""), before);
    for name in &input.names {
        for copy in quake.copies(name) {
            copy.system_path().iter().for_each(|path| inside(path));
        }
        if let Ok(written) = quake.write(name, "new") {
            inside(&written);
        }
    }
    for outside in ["a.cfg", "pak0.pak"] {
        let expected = if outside == "a.cfg" { b"." } else { &*image };
        assert_eq!(std::fs::read(all.join(outside)).unwrap(), expected);
    }
    let mut names = all.names("");
    names.retain(|name| name != "home");
    assert_eq!(names, ["a.cfg", "base", "pak0.pak"]);
}
