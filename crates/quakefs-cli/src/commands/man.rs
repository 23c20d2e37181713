//! `man`: the manual pages, one for each command.

use std::io;

use camino::Utf8Path;
use clap::Command;
use clap_mangen::Man;
use roff::{Roff, roman};

use crate::args::{ManPages, built};
use crate::console::{Console, Exit, Failure, Message};
use crate::output::counted;
use crate::text::printable;

pub(crate) fn run(args: &ManPages, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let all = built();
    match &args.to {
        Some(folder) => write_all(&all, folder, console),
        None => print(&all, &args.command, console),
    }
}

/// Prints the page of a command.
fn print(all: &Command, words: &[String], console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut names = words.iter().flat_map(|word| word.split('-')).filter(|name| *name != all.get_name());
    let found = names.try_fold(all, |command, name| command.find_subcommand(name));
    let Some(command) = found else {
        let name = printable(&words.join(" ")).into_owned();
        return Err(Message::new(
            format!("{name}: no such command"),
            "`quakefs` lists the commands; `quakefs man --to DIR` writes all pages to a folder",
        )
        .into());
    };
    if console.columns.is_some() {
        console.print_styled(&command.clone().render_long_help())?;
    } else {
        console.out.write_all(&page(all, command)?)?;
    }
    Ok(Exit::Done)
}

fn write_all(all: &Command, folder: &Utf8Path, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let failed = |path: &dyn std::fmt::Display, error| {
        Failure::from(Message::without_help(format!("{path}: cannot be written: {error}")))
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(&folder, error))?;
    let mut commands = Vec::new();
    collect(all, &mut commands);
    for command in &commands {
        let path = folder.join(Man::new((*command).clone()).get_filename());
        page(all, command)
            .and_then(|text| std::fs::write(&path, text))
            .map_err(|error| failed(&path, error))?;
    }
    let count = counted(commands.len() as u64, "page", "pages");
    writeln!(console.out, "wrote {count} to {}", printable(folder.as_str()))?;
    Ok(Exit::Done)
}

/// Collects a command and its subcommands.
fn collect<'c>(command: &'c Command, commands: &mut Vec<&'c Command>) {
    commands.push(command);
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        collect(below, commands);
    }
}

/// The page of a command, in the format of `man`.
fn page(all: &Command, command: &Command) -> Result<Vec<u8>, io::Error> {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned();
    // clap_mangen leaves out the text of an option that the short help does not have
    let shown = command.clone().mut_args(|arg| arg.hide_short_help(false)).override_usage(usage);
    let version = env!("CARGO_PKG_VERSION");
    let man = Man::new(shown.version(version)).source(format!("{} {version}", all.get_name()));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let (text, of_all) = (Text::of(command), Text::of(all));
    let takes_a_game = command.get_arguments().any(|arg| arg.get_id() == "basedir");
    let of_a_game = |line: &String| line.contains("--basedir");
    let environment = of_all.environment.into_iter().filter(|line| takes_a_game || !of_a_game(line));
    let status = if text.status.is_empty() { of_all.status } else { text.status };
    let mut rest = Roff::new();
    let sections = [
        ("EXAMPLES", text.examples),
        ("NOTES", text.notes),
        ("ENVIRONMENT", environment.collect()),
        ("EXIT STATUS", status),
    ];
    for (heading, paragraphs) in sections {
        if !paragraphs.is_empty() {
            rest.control("SH", [heading]);
        }
        for paragraph in &paragraphs {
            // a table, or a command line, stays as it is
            let is_table = heading == "EXAMPLES" || paragraph.contains("\n  ");
            rest.control("PP", []).control(if is_table { "nf" } else { "fi" }, []);
            paragraph.lines().for_each(|line| {
                rest.text([roman(line)]);
            });
            rest.control("fi", []);
        }
    }
    rest.to_writer(&mut page)?;
    Ok(page)
}

/// What the long help of a command says after its options, in paragraphs.
#[derive(Default)]
struct Text {
    examples: Vec<String>,
    notes: Vec<String>,
    environment: Vec<String>,
    status: Vec<String>,
}

impl Text {
    fn of(command: &Command) -> Self {
        let all = command.get_after_long_help().or_else(|| command.get_after_help());
        let all = all.map(ToString::to_string).unwrap_or_default();
        let mut text = Text::default();
        for paragraph in all.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
            if let Some(examples) = paragraph.strip_prefix("Examples:\n") {
                text.examples.push(
                    examples.lines().map(|line| line.trim_start_matches("  ")).collect::<Vec<_>>().join("\n"),
                );
            } else if let Some(example) = paragraph.strip_prefix("Example: ") {
                text.examples.push(example.to_owned());
            } else if paragraph.contains("\n  ") {
                text.notes.push(paragraph.to_owned());
            } else {
                paragraph.lines().for_each(|line| text.add(line));
            }
        }
        text
    }

    /// Adds a line to the section that its first word names.
    fn add(&mut self, line: &str) {
        let (section, line) = match line.split_once(": ") {
            Some(("Exit codes", codes)) => (&mut self.status, codes),
            Some(("Variables", variables)) => (&mut self.environment, variables),
            _ if line.starts_with("QUAKEFS_") || line.starts_with("NO_COLOR") => {
                (&mut self.environment, line)
            }
            _ => (&mut self.notes, line),
        };
        section.push(line.to_owned());
    }
}
