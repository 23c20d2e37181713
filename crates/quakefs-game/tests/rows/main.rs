//! What other languages know of the rows: their JSON Schema in `docs/answers.schema.json`, the types of the
//! npm package and the classes of Python. `UPDATE=1 cargo test -p quakefs-game --features schema --test rows`
//! writes them anew.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a suite: what panics fails a test"
)]

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

use quakefs::Engine;
use quakefs::rules::Host;
use quakefs_game::*;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The version of the schema: it rises if a key goes or changes its meaning.
const VERSION: u32 = 1;

/// The schemas of the answers and of everything in them, by name. Each prints itself as a sentence.
fn answers() -> Map<String, Value> {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut names = BTreeSet::new();
    let mut add = Adding(&mut generator, &mut names);
    add.row::<CauseRow>().row::<Caveats>().row::<ChangeRow>().row::<ChosenRow>().row::<CompanionRow>();
    add.row::<CompanionsAnswer>().row::<CopyRow>().row::<DifferenceRow>().row::<EffectsRow>();
    add.row::<AdviceRow>().row::<ExistingRow>().row::<FileRow>();
    add.row::<FindingRow>().row::<FitRow>().row::<IncidentRow>().row::<InstalledAnswer>();
    add.row::<InstalledRow>().row::<LayerRow>().row::<LevelRow>().row::<ModRow>();
    add.row::<NeedDifferenceRow>().row::<NeedRow>().row::<NeedsAnswer>().row::<OverriddenRow>();
    add.row::<PartRow>().row::<PathAnswer>().row::<PlaceAnswer>().row::<ReasonRow>();
    add.row::<RegistrationRow>().row::<StartRow>().row::<SubstituteRow>();
    add.row::<SkippedRow>()
        .row::<VerdictRow>()
        .row::<JournalRow>()
        .row::<UndoAnswer>()
        .row::<UndoneRow>()
        .row::<UnusedRow>()
        .row::<UserDirectoryRow>();
    add.row::<WhichRow>().row::<WinnerRow>();
    let made = generator.take_definitions(true);
    let inside: Vec<_> = made.keys().filter(|name| !names.contains(*name)).collect();
    assert!(inside.is_empty(), "add these rows too: {inside:?}");
    made
}

/// The schemas of what a person can say.
fn options() -> Map<String, Value> {
    let mut generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    let _ = generator.subschema_for::<Options>();
    let _ = generator.subschema_for::<EngineOn>();
    generator.take_definitions(true)
}

struct Adding<'g>(&'g mut SchemaGenerator, &'g mut BTreeSet<String>);

impl Adding<'_> {
    fn row<T: JsonSchema + Display>(&mut self) -> &mut Self {
        let _ = self.0.subschema_for::<T>();
        self.1.insert(T::schema_name().into_owned());
        self
    }
}

/// A language: the words for the types of JSON.
struct Language {
    any_text: &'static str,
    number: &'static str,
    flag: &'static str,
    null: &'static str,
    list: fn(&str) -> String,
    by_name: fn(&str) -> String,
}

const TYPESCRIPT: Language = Language {
    any_text: "string",
    number: "number",
    flag: "boolean",
    null: "null",
    list: |of| if of.contains(' ') { format!("readonly ({of})[]") } else { format!("readonly {of}[]") },
    by_name: |of| format!("Readonly<Record<string, {of}>>"),
};

const PYTHON: Language = Language {
    any_text: "str",
    number: "int",
    flag: "bool",
    null: "None",
    list: |of| format!("list[{of}]"),
    by_name: |of| format!("dict[str, {of}]"),
};

impl Language {
    /// The type of a property.
    fn of(&self, schema: &Value) -> String {
        if let Some(name) = schema["$ref"].as_str() {
            return name.rsplit('/').next().unwrap().to_owned();
        }
        if let Some(any) = schema["anyOf"].as_array() {
            return any.iter().map(|one| self.of(one)).collect::<Vec<_>>().join(" | ");
        }
        if let Some(several) = schema["type"].as_array() {
            let one = |name: &Value| {
                let mut schema = schema.clone();
                schema["type"] = name.clone();
                self.of(&schema)
            };
            return several.iter().map(one).collect::<Vec<_>>().join(" | ");
        }
        match schema["type"].as_str() {
            Some("string") => self.any_text.to_owned(),
            Some("integer" | "number") => self.number.to_owned(),
            Some("boolean") => self.flag.to_owned(),
            Some("null") => self.null.to_owned(),
            Some("array") => (self.list)(&self.of(&schema["items"])),
            Some("object") => (self.by_name)(&self.of(&schema["additionalProperties"])),
            _ => panic!("no type: {schema}"),
        }
    }
}

fn words<'w>(all: impl Iterator<Item = &'w str>) -> String {
    all.map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" | ")
}

/// A description in one line.
fn description(schema: &Value) -> String {
    // a link of the documentation is only its word
    schema["description"]
        .as_str()
        .unwrap_or_default()
        .replace('\n', " ")
        .replace("[`", "`")
        .replace("`]", "`")
}

/// A description in a docstring.
fn in_python(schema: &Value) -> String {
    description(schema).replace('\\', "\\\\").replace("null", "None")
}

fn typescript() -> String {
    let mut text = format!(
        "// Made from the rows of the crate quakefs-game by its suite `rows`: do not edit.\n\n\
         /** The name of an engine. */\nexport type Engine = {};\n\n\
         /** The system that an engine runs on. */\nexport type Host = {};\n",
        words(Engine::ALL.iter().map(|engine| engine.name())),
        words(Host::ALL.iter().map(|host| host.name())),
    );
    for (name, schema) in options().iter().chain(&answers()) {
        let _ = write!(text, "\n/** {} */\nexport interface {name} {{\n", description(schema));
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (field, property) in schema["properties"].as_object().unwrap() {
            let r#type = match (&**name, &**field) {
                ("Options" | "EngineOn", "engine") => "Engine".to_owned(),
                ("Options" | "EngineOn", "on") => "Host | null".to_owned(),
                _ => TYPESCRIPT.of(property),
            };
            let optional = if required.contains(&&**field) { "" } else { "?" };
            let _ =
                write!(text, "  /** {} */\n  readonly {field}{optional}: {type};\n", description(property));
        }
        text.push_str("}\n");
    }
    text
}

fn python() -> String {
    let answers = answers();
    let names = answers.keys().map(String::as_str).chain(["Engine", "Host"]);
    let mut text = format!(
        "# Made from the rows of the crate quakefs-game by its suite `rows`: do not edit.\n\
         \"\"\"The answers about a game.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from dataclasses import dataclass\n\
         from typing import Literal\n\n\
         __all__ = [{}]\n\n\
         Engine = Literal[{}]\n\
         Host = Literal[{}]\n",
        words(names).replace(" |", ","),
        words(Engine::ALL.iter().map(|engine| engine.name())).replace(" |", ","),
        words(Host::ALL.iter().map(|host| host.name())).replace(" |", ","),
    );
    for (name, schema) in &answers {
        let _ = write!(
            text,
            "\n\n@dataclass(frozen=True, slots=True)\nclass {name}:\n    \"\"\"{}\"\"\"\n\n",
            in_python(schema)
        );
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut fields: Vec<_> = schema["properties"].as_object().unwrap().iter().collect();
        // those with a default come last
        fields.sort_by_key(|(field, _)| !required.contains(&&***field));
        for (field, property) in fields {
            // a reserved word
            let end = if ["class", "from"].contains(&&**field) { "_" } else { "" };
            let kind = PYTHON.of(property);
            let default = match (required.contains(&&**field), kind.ends_with("None")) {
                (true, _) => "",
                (false, true) => " = None",
                (false, false) => " | None = None",
            };
            let said = in_python(property);
            let _ = write!(text, "    {field}{end}: {kind}{default}\n    \"\"\"{said}\"\"\"\n");
        }
    }
    text
}

/// The objects about a game that the command prints: their `type` and their row.
const PRINTED: [(&str, &str); 26] = [
    ("cause", "CauseRow"),
    ("chosen", "ChosenRow"),
    ("companion", "CompanionRow"),
    ("difference", "DifferenceRow"),
    ("effects", "EffectsRow"),
    ("existing", "ExistingRow"),
    ("file", "FileRow"),
    ("finding", "FindingRow"),
    ("game", "InstalledRow"),
    ("incident", "IncidentRow"),
    ("journal", "JournalRow"),
    ("layer", "LayerRow"),
    ("mod", "ModRow"),
    ("need", "NeedRow"),
    ("need-difference", "NeedDifferenceRow"),
    ("overridden", "OverriddenRow"),
    ("placed", "PartRow"),
    ("registration", "RegistrationRow"),
    ("start", "StartRow"),
    ("substitute", "SubstituteRow"),
    ("skipped", "SkippedRow"),
    ("undone", "UndoneRow"),
    ("unused", "UnusedRow"),
    ("user-directory", "UserDirectoryRow"),
    ("verdict-of-game", "VerdictRow"),
    ("which", "WhichRow"),
];

fn schema() -> String {
    let printed = PRINTED.map(|(word, row)| {
        json!({
            "if": { "properties": { "type": { "const": word } } },
            "then": {
                "allOf": [{ "$ref": format!("#/$defs/{row}") }, { "$ref": "#/$defs/Caveats" }],
                "properties": { "type": {} },
                "unevaluatedProperties": false,
            },
        })
    });
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "version": VERSION,
        "title": "The answers of quakefs about a game",
        "description": "An object of `quakefs --json`. Its `type` tells which row it is, and it has the \
            caveats of the game besides. Rows without a `type` are answers of the packages for Python and \
            npm.",
        "type": "object",
        "required": ["type"],
        "allOf": printed,
        "$defs": answers(),
    });
    serde_json::to_string_pretty(&schema).unwrap() + "\n"
}

/// Compares a file of the repository, or writes it.
fn check(path: &str, made: &str) {
    let file = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    if testutils::update() {
        std::fs::write(file, made).unwrap();
    } else {
        let again = "`UPDATE=1 cargo test -p quakefs-game --features schema --test rows` writes it anew";
        assert!(std::fs::read_to_string(file).unwrap_or_default() == made, "{path} is stale: {again}");
    }
}

#[test]
fn the_schema_has_each_row() {
    check("docs/answers.schema.json", &schema());
}

#[test]
fn typescript_has_each_row() {
    check("integrations/web/rows.d.ts", &typescript());
}

#[test]
fn python_has_each_row() {
    check("integrations/python/python/quakefs/_rows.py", &python());
}

/// At most 40 types say what an answer is.
#[test]
fn the_rows_are_few() {
    let rows = answers();
    assert!(rows.len() <= 40, "{}: {:?}", rows.len(), rows.keys().collect::<Vec<_>>());
}
