//! `config`: the base directory and the engine that are used if a command names none.

use std::borrow::Cow;

use camino::{Utf8Component, Utf8Path};
use quakefs_game::{Choices, Options, Surroundings};
use serde::Serialize;

use crate::args::{Config as Args, Setting, engine_named};
use crate::configuration::{Configuration, file_of, no_folder};
use crate::console::{Console, Exit, Failure, Message};
use crate::installed::places;
use crate::output;
use crate::text::{printable, with_slashes};

#[derive(Serialize)]
struct ConfigurationRow<'c> {
    file: Cow<'c, str>,
    basedir: Option<Cow<'c, str>>,
    engine: Option<&'c str>,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = console.environment.configuration.clone().ok_or_else(no_folder)?;
    let file = file_of(&file)?;
    let configuration = Configuration::of(&console.environment)?;
    let (name, value) = match (args.unset, args.name, &args.value) {
        (Some(name), ..) => (name, None),
        (None, Some(name), Some(value)) => (name, Some(checked(name, value, console)?)),
        (None, name, _) => return print(&configuration, name, file, console),
    };
    let changed = Configuration::change(&console.environment, |now| set(now, name, value))?;
    print(&changed, None, file, console)
}

fn set(configuration: &mut Configuration, name: Setting, value: Option<String>) {
    match name {
        Setting::Basedir => configuration.basedir = value.map(Into::into),
        Setting::Engine => configuration.engine = value,
    }
}

/// A value as it is stored: the engine's usual name, an absolute path.
fn checked(name: Setting, value: &str, console: &Console<'_>) -> Result<String, Failure> {
    match name {
        Setting::Engine => Ok(engine_named(value)?.name().to_owned()),
        Setting::Basedir => {
            let folder = Utf8Path::new(value);
            if folder.is_dir() {
                // a link may be meant, but not the way to it
                let goes_up = folder.components().any(|part| part == Utf8Component::ParentDir);
                let absolute =
                    if goes_up { folder.canonicalize_utf8() } else { camino::absolute_utf8(folder) };
                return Ok(absolute.unwrap_or_else(|_| folder.to_owned()).into_string());
            }
            let options = Options { bases: vec![value.into()], ..Options::default() };
            let stores = places(&console.environment);
            let surroundings = Surroundings { stores, ..Surroundings::default() };
            if Choices::of(&options, &surroundings)?.install.is_some() {
                return Ok(value.to_owned());
            }
            let help = "name the folder that contains id1, or a game of `quakefs games`";
            Err(Message::new(format!("{value}: no such folder"), help).into())
        }
    }
}

fn print(
    configuration: &Configuration,
    only: Option<Setting>,
    file: &Utf8Path,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let Configuration { basedir, engine } = configuration;
    let basedir = basedir.as_deref().map(Utf8Path::as_str);
    let row = ConfigurationRow {
        file: with_slashes(file.as_str()),
        basedir: basedir.map(with_slashes),
        engine: engine.as_deref(),
    };
    let one = match only {
        Some(Setting::Basedir) => Some(basedir),
        Some(Setting::Engine) => Some(row.engine),
        None => None,
    };
    output::answer(console, "configuration", [&row], |console| {
        let value = |value: Option<&str>| {
            value.map_or_else(|| "not set".into(), |value| printable(value).into_owned())
        };
        match one {
            Some(Some(value)) => writeln!(console.out, "{}", printable(value))?,
            Some(None) => {
                let help = "`quakefs config NAME VALUE` sets it";
                let name = if matches!(only, Some(Setting::Engine)) { "engine" } else { "basedir" };
                console.error(&Message::new(format!("{name} is not set"), help));
            }
            None => {
                let exists = if file.exists() { "" } else { " (missing)" };
                writeln!(console.out, "file     {}{exists}", printable(file.as_str()))?;
                writeln!(console.out, "basedir  {}", value(basedir))?;
                writeln!(console.out, "engine   {}", value(row.engine))?;
            }
        }
        Ok(())
    })?;
    let variables = [
        ("QUAKEFS_BASEDIR", console.environment.base_directory.is_some() && basedir.is_some()),
        ("QUAKEFS_ENGINE", console.environment.engine.is_some() && row.engine.is_some()),
    ];
    for (variable, _) in variables.iter().filter(|(_, wins)| *wins) {
        console.note(format!("the variable {variable} is set, and ranks above"));
    }
    Ok(if one == Some(None) { Exit::NotFound } else { Exit::Done })
}
