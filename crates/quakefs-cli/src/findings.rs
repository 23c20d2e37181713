//! Findings of a command, and the formats to print them in: text, JSON lines, annotations for GitHub, a SARIF
//! log.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::findings::{Location, Severity};
use quakefs::sentences::Help as _;
use quakefs::{EntryName, Layer};
use quakefs_game::{Game, Problem, VerdictRow};
use serde_json::{Value, json};

use crate::args::{Findings, Format};
use crate::console::{Console, Exit, Failure, Log};
use crate::output::{self, counted, grouped};
use crate::text::{SHELL, annotation, printable, with_slashes};

fn sentence_and_help(problem: &Problem) -> (String, String) {
    (problem.reason(), problem.help(SHELL).unwrap_or_default())
}

/// Prints findings in the format of the command line, and counts them.
pub(crate) struct Printer {
    pub(crate) format: Format,
    /// The lowest severity that makes the command fail.
    fail_on: Severity,
    /// The folder that the names of archives are relative to.
    base: Utf8PathBuf,
    /// The layers whose names are paths themselves.
    mounted: HashSet<String>,
    counts: [u64; 3],
    /// The kinds of the findings in the log.
    kinds: BTreeSet<&'static str>,
    started: bool,
}

impl Printer {
    /// For findings about archives whose names are paths.
    pub(crate) fn new(options: &Findings, console: &mut Console<'_>) -> Self {
        let format = options.format.unwrap_or(if console.json { Format::Json } else { Format::Text });
        console.json = format == Format::Json;
        console.annotates = format == Format::Github;
        Printer {
            format,
            fail_on: options.fail_on,
            base: Utf8PathBuf::new(),
            mounted: HashSet::new(),
            counts: [0; 3],
            kinds: BTreeSet::new(),
            started: false,
        }
    }

    /// For findings about a game, in which names are relative to the base directory.
    pub(crate) fn of_game(mut self, game: &Game) -> Self {
        self.base = game.choices.base.clone().filter(|base| base != ".").unwrap_or_default();
        let mounted = game.search_path.layers().filter(|layer| layer.game_directory().is_none());
        self.mounted = mounted.map(Layer::name).map(str::to_owned).collect();
        self
    }

    /// Prints findings about something, such as an engine or an archive.
    pub(crate) fn print(
        &mut self,
        findings: &[Problem],
        about: &str,
        console: &mut Console<'_>,
    ) -> Result<(), Failure> {
        self.count(findings.iter().map(Problem::severity));
        match self.format {
            Format::Text => text(findings, about, console)?,
            Format::Json => {
                for finding in findings {
                    output::json(console, "finding", &finding.row(SHELL))?;
                }
            }
            Format::Github => {
                for finding in findings {
                    let (text, help) = sentence_and_help(finding);
                    let text = format!("{}: {text}", finding.location());
                    let file = self.file(finding.location());
                    let file = file.map(|file| EntryName::from_bytes(&file).to_string());
                    let properties = [("file", file.as_deref()), ("title", Some(finding.kind()))];
                    annotation(&mut *console.out, finding.severity(), &properties, &text, &help)?;
                }
            }
            Format::Sarif => {
                for finding in findings {
                    self.start_or_go_on(console)?;
                    self.kinds.insert(finding.kind());
                    output::value(&mut *console.out, &self.result(finding))?;
                }
            }
        }
        Ok(())
    }

    /// Prints what all findings come to.
    pub(crate) fn verdict(&self, verdict: &VerdictRow, console: &mut Console<'_>) -> Result<(), Failure> {
        match self.format {
            Format::Text => writeln!(console.out, "{}", printable(&verdict.brief()))?,
            Format::Json => output::json(console, "verdict-of-game", verdict)?,
            Format::Github | Format::Sarif => {}
        }
        Ok(())
    }

    /// Counts findings that are not printed.
    pub(crate) fn count(&mut self, findings: impl Iterator<Item = Severity>) {
        for (sum, count) in self.counts.iter_mut().zip(counts(findings)) {
            *sum += count;
        }
    }

    /// Prints the end of the format. Returns the exit code: at least `NotFound` if a finding makes the
    /// command fail.
    pub(crate) fn end(mut self, exit: Exit, console: &mut Console<'_>) -> Result<Exit, Failure> {
        match self.format {
            Format::Text | Format::Json => {}
            Format::Github => writeln!(console.out, "{}", sums(self.counts))?,
            Format::Sarif => {
                if !self.started {
                    self.start_or_go_on(console)?;
                }
                end_log(&self.kinds, exit, &[], console)?;
            }
        }
        let mut counted = self.counts.into_iter().zip(SEVERITIES);
        let fails = counted.any(|(count, severity)| count > 0 && severity >= self.fail_on);
        Ok(exit.max(if fails { Exit::NotFound } else { Exit::Done }))
    }

    /// The path of the file that contains the location.
    fn file(&self, location: &Location) -> Option<Vec<u8>> {
        let layer = location.layer_name();
        let path = match location {
            Location::Flag(_) => return None,
            _ if self.mounted.contains(layer) => layer.to_owned(),
            _ => self.base.join(layer).into_string(),
        };
        let mut path = with_slashes(&path).into_owned().into_bytes();
        // an entry is in the file of its archive
        if let (None, Some(name)) = (location.entry(), location.name()) {
            path.extend_from_slice(name.as_bytes());
        }
        Some(path)
    }

    /// A result of the log.
    fn result(&self, finding: &Problem) -> Value {
        let ((text, help), location) = (sentence_and_help(finding), finding.location());
        let text = format!("{location}: {text}");
        // otherwise two findings about one archive would count as one, because they have the same line
        let hash = fnv(finding.kind().bytes().chain(text.bytes()));
        let locations = self.file(location).map(|file| {
            // code scanning requires a line
            let place = json!({ "artifactLocation": { "uri": uri(&file) }, "region": { "startLine": 1 } });
            json!([{ "physicalLocation": place }])
        });
        json!({
            "ruleId": finding.kind(),
            "level": finding.severity().name(),
            "message": { "text": if help.is_empty() { text } else { format!("{text}\nhelp: {help}") } },
            "locations": locations.unwrap_or_else(|| json!([])),
            "partialFingerprints": { "primaryLocationLineHash": format!("{hash:016x}:1") },
        })
    }

    fn start_or_go_on(&mut self, console: &mut Console<'_>) -> io::Result<()> {
        let text = if self.started { ",\n" } else { LOG_START };
        self.started = true;
        console.log = Log::Begun;
        console.out.write_all(text.as_bytes())
    }
}

const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Note];

const LOG_START: &str = concat!(
    r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"results":["#,
    "\n"
);

/// Prints the log of a command that failed, if the words of its command line ask for one. Other programs read
/// a log that is empty or cut off as a fault of theirs.
pub(crate) fn log_failure(
    words: &[OsString],
    message: Option<&str>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let is_wanted = words.iter().any(|word| word == "--format=sarif")
        || words
            .windows(2)
            .any(|pair| matches!(pair, [option, value] if option == "--format" && value == "sarif"));
    let is_json = words.iter().any(|word| word == "--json");
    if !is_wanted || is_json || console.log == Log::Ended {
        return Ok(());
    }
    if console.log == Log::None {
        console.out.write_all(LOG_START.as_bytes())?;
    }
    let text = message.unwrap_or("the command line is wrong, or a path in it is not UTF-8");
    end_log(&BTreeSet::new(), Exit::Failed, &[printable(text).into_owned()], console)
}

/// Prints the end of a log.
fn end_log(
    kinds: &BTreeSet<&str>,
    exit: Exit,
    failures: &[String],
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    console.out.write_all(b"],\"tool\":")?;
    output::value(&mut *console.out, &tool(kinds))?;
    let told = |text: &String| json!({ "level": "error", "message": { "text": text } });
    let is_done = exit != Exit::Failed;
    let invocation = match failures {
        [] => json!({ "executionSuccessful": is_done }),
        failures => {
            let told: Vec<Value> = failures.iter().map(told).collect();
            json!({ "executionSuccessful": is_done, "toolExecutionNotifications": told })
        }
    };
    console.out.write_all(b",\"invocations\":")?;
    output::value(&mut *console.out, &json!([invocation]))?;
    console.out.write_all(b"}]}\n")?;
    console.log = Log::Ended;
    Ok(())
}

/// The description of the command in a log, with the kinds of findings in it.
fn tool(kinds: &BTreeSet<&str>) -> Value {
    let rule = |kind: &&str| json!({ "id": kind, "shortDescription": { "text": kind } });
    json!({ "driver": {
        "name": "quakefs",
        "version": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": kinds.iter().map(rule).collect::<Value>(),
    } })
}

/// A path as a URI. A relative path stays relative.
fn uri(path: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(byte);
    let is_absolute = str::from_utf8(path).is_ok_and(|path| Utf8Path::new(path).is_absolute());
    let start = match path.first() {
        Some(b'/') if is_absolute => "file://",
        _ if is_absolute => "file:///",
        _ => "",
    };
    let letters = path.iter().map(|byte| match byte {
        byte if is_plain(byte) => char::from(*byte).to_string(),
        byte => format!("%{byte:02X}"),
    });
    std::iter::once(start.to_owned()).chain(letters).collect()
}

/// A short hash that is the same in every version: FNV-1a.
fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The number of findings of each severity.
fn counts(findings: impl Iterator<Item = Severity>) -> [u64; 3] {
    let mut counts = [0; 3];
    for severity in findings {
        let place = SEVERITIES.iter().position(|other| *other == severity);
        if let Some(count) = place.and_then(|place| counts.get_mut(place)) {
            *count += 1;
        }
    }
    counts
}

/// `1 error, 2 warnings, 0 notes`.
fn sums(counts: [u64; 3]) -> String {
    let sums = counts
        .into_iter()
        .zip(SEVERITIES)
        .map(|(count, severity)| counted(count, severity.name(), &format!("{}s", severity.name())));
    sums.collect::<Vec<_>>().join(", ")
}

/// Prints findings for people, and the number of each severity.
fn text(findings: &[Problem], about: &str, console: &mut Console<'_>) -> Result<(), Failure> {
    /// How many findings of one kind are printed.
    const PRINTED: usize = 20;
    let mut of_kind: HashMap<&str, usize> = HashMap::new();
    let mut advised = HashSet::new();
    for finding in findings {
        let count = of_kind.entry(finding.kind()).or_default();
        *count += 1;
        if *count <= PRINTED {
            let ((reason, help), place) = (sentence_and_help(finding), finding.location().to_string());
            let severity = console.severity(finding.severity());
            writeln!(console.out, "{severity} {}: {}", printable(&place), printable(&reason))?;
            if !help.is_empty() && advised.insert(help.clone()) {
                writeln!(console.out, "         help: {}", printable(&help))?;
            }
        }
    }
    let mut skipped: Vec<_> = of_kind.into_iter().filter(|(_, count)| *count > PRINTED).collect();
    skipped.sort_unstable();
    for (kind, count) in skipped {
        let more = grouped((count - PRINTED) as u64);
        writeln!(console.out, "and {more} more findings of the kind {kind}")?;
    }
    writeln!(
        console.out,
        "{} for {}",
        sums(counts(findings.iter().map(Problem::severity))),
        printable(about)
    )?;
    Ok(())
}
