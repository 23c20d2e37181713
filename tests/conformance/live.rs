//! Live answers of the engines in Debian: quakespasm, darkplaces-server and mvdsv. The first two have a user
//! directory.
//!
//! `QUAKEFS_LIVE_SEED=n` and `QUAKEFS_LIVE_LAYOUTS=n` choose other layouts, with the seeds n, n+1, …;
//! `QUAKEFS_TESTS=large` runs five times as many.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Seek};
use std::iter;
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use libtest_mimic::{Completion, Failed, Trial};
use quakefs::findings::FindingKind;
use quakefs::rules::Host;
use quakefs::{Engine, SearchPath};
use testutils::{data, data_or_reason, scaled};

use crate::layout::{Folder, IN_USER, Layout, StartUp, as_word, is_same, plain, served};
use crate::random::{is_defined, layout, many_archives, names, of_games, one_archive, requests, with_user};

const ENGINES: [(Engine, &str); 3] = [
    (Engine::QuakeSpasm095, "quakespasm"),
    (Engine::DarkPlaces, "darkplaces-server"),
    (Engine::Mvdsv, "mvdsv"),
];

/// Each takes a twentieth of a second.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The number of runs to make a failing layout smaller.
const SHRINK_STEPS: usize = 600;

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |name: &str, (engine, program), check: fn(&Asked) -> Result<(), Failed>| {
        Trial::ignorable_test(format!("live::{engine}{name}"), move || match Asked::new(engine, program) {
            Ok(asked) => check(&asked).map(|()| Completion::Completed),
            Err(missing) => Ok(Completion::ignored_with(missing)),
        })
    };
    let layouts = ENGINES.map(|engine| trial("", engine, check_layouts));
    let builder = ENGINES.map(|engine| trial("::serves_what_the_builder_wrote", engine, check_builder));
    let with_user = ENGINES.into_iter().filter(|(engine, _)| engine.rules().user.is_some());
    let with_user = with_user.map(|(engine, program)| {
        Trial::ignorable_test(format!("live::{engine}::with_a_user_directory"), move || {
            let asked = Asked::new(engine, program).and_then(Asked::with_user);
            match asked {
                Ok(asked) => check_layouts(&asked).map(|()| Completion::Completed),
                Err(missing) => Ok(Completion::ignored_with(missing)),
            }
        })
    });
    let fault = ENGINES.map(|engine| trial("::a_wrong_rule_is_caught_and_cut_down", engine, check_fault));
    let console = ENGINES.map(|engine| trial("::takes_a_game_at_the_console", engine, check_console));
    let needed = Trial::ignorable_test("live::quakespasm::stops_without_what_the_verdict_names", || {
        match Asked::with_window() {
            Ok(asked) => check_needed(&asked).map(|()| Completion::Completed),
            Err(missing) => Ok(Completion::ignored_with(missing)),
        }
    });
    let handles = trial("::stops_where_it_has_no_handle_left", ENGINES[0], check_handles);
    layouts
        .into_iter()
        .chain(builder)
        .chain(with_user)
        .chain(fault)
        .chain(console)
        .chain([handles, needed])
        .collect()
}

/// An installed engine, and the rules to compare it with.
pub(crate) struct Asked {
    engine: Engine,
    pub(crate) program: Utf8PathBuf,
    pub(crate) start_up: Vec<StartUp>,
    mounted_as: Engine,
    /// A console line that changes the game before the questions.
    line: Option<&'static str>,
    /// The user directory, below the home folder.
    user: Option<Utf8PathBuf>,
}

/// A name with two different winners; without a name, a layout with which only one of both starts.
struct Difference {
    name: Option<String>,
    engine: Option<String>,
    quakefs: Option<String>,
    how: &'static str,
}

/// The answer of an engine to a layout.
enum Answers {
    /// It ended before the questions.
    Stopped,
    /// The winners, by name.
    Served(Vec<Option<String>>),
}

/// The result of a comparison with an engine.
#[derive(Default)]
struct Compared {
    differences: Vec<Difference>,
    /// The number of compared names, and of names that the engine found.
    names: usize,
    files: usize,
    stopped: bool,
}

impl Asked {
    /// Fails with the missing requirement of this machine.
    pub(crate) fn new(engine: Engine, program: &str) -> Result<Self, String> {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut programs = path.split(':').chain(["/usr/games"]).map(|dir| Utf8Path::new(dir).join(program));
        let program =
            programs.find(|program| program.is_file()).ok_or(format!("{program} is not installed"))?;
        let start_up = if engine == Engine::QuakeSpasm095 { quakespasm_start_up()? } else { Vec::new() };
        Ok(Asked { engine, program, start_up, mounted_as: engine, line: None, user: None })
    }

    /// QuakeSpasm with a window, and a game to show in it.
    pub(crate) fn with_window() -> Result<Self, String> {
        let asked = Asked::new(Engine::QuakeSpasm095, "quakespasm")?;
        data_or_reason("paks/librequake/id1/pak1.pak")?;
        data_or_reason("references/games")?;
        let home = tempfile::tempdir().unwrap();
        let home = Utf8Path::from_path(home.path()).unwrap();
        let mut command = asked.windowed(home);
        command.args(["-basedir", home.as_str(), "+quit"]);
        if run(command)?.contains("Couldn't create window") {
            return Err("quakespasm has no window here".to_owned());
        }
        Ok(asked)
    }

    /// An engine with a window, but without a screen, a graphics card or a loudspeaker.
    pub(crate) fn windowed(&self, home: &Utf8Path) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(home).env("HOME", home);
        command.env("SDL_VIDEODRIVER", "offscreen").env("SDL_AUDIODRIVER", "dummy");
        command.env("LIBGL_ALWAYS_SOFTWARE", "1").args(["-window", "-width", "320", "-height", "240"]);
        command
    }

    /// The same with layouts that have a user directory.
    fn with_user(self) -> Result<Self, String> {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        let mut command = at_home(Utf8Path::new("true"), folder);
        let may =
            command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        if !may {
            return Err("a home folder cannot be mounted here".to_owned());
        }
        let rule = self.engine.rules().user.as_ref();
        let place =
            rule.and_then(|rule| rule.places(Host::here()).first()).map(|place| Utf8PathBuf::from(&**place));
        Ok(Asked { user: place, ..self })
    }

    /// The differences between quakefs and the engine. It ignores names whose winner no rule determines.
    fn compare(&self, layout: &Layout, names: &[&str]) -> Result<Compared, String> {
        // on a disk as players have: quakespasm reads a folder called pak1.pak otherwise where the system
        // keeps it in memory
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        let base = folder.join("base");
        let home = folder.join("home");
        fs::create_dir(&home).unwrap();
        let user = self.user.as_ref().map(|user| home.join(user));
        layout.lay_out(&base, &self.start_up);
        if let Some(user) = &user {
            layout.lay_out_user(user);
        }
        let answers = self.ask(layout, &home, &base, names)?;

        let mut compared = Compared { stopped: matches!(answers, Answers::Stopped), ..Compared::default() };
        for (how, search_path) in self.after(layout).mount(&base, user.as_deref(), self.mounted_as) {
            let mut stops = quakefs::why::starts(&search_path).err().unwrap_or_default();
            // the servers that are run here need less than the engines with pictures
            let is_needed = |kind: &FindingKind| {
                matches!(kind, FindingKind::MissingToStart { .. } | FindingKind::WrongEdition(_))
            };
            stops.retain(|found| compared.stopped || !is_needed(&found.kind));
            let stops = Some(stops).filter(|stops| !stops.is_empty());
            if stops.is_some() != compared.stopped {
                let cause = stops.and_then(|stops| Some(stops.first()?.to_string()));
                let engine = compared.stopped.then(|| "an error".to_owned());
                compared.differences.push(Difference { name: None, engine, quakefs: cause, how });
                continue;
            }
            let Answers::Served(answers) = &answers else { continue };
            let undefined = layout.undefined(&search_path);
            compared.names = 0;
            compared.files = 0;
            for (name, engine) in names.iter().zip(answers) {
                if undefined.contains(&plain(name)) {
                    continue;
                }
                compared.names += 1;
                compared.files += usize::from(engine.is_some());
                let quakefs = served(&search_path, name);
                if !is_same(engine.as_deref(), quakefs.as_deref()) {
                    let name = Some((*name).to_owned());
                    compared.differences.push(Difference { name, engine: engine.clone(), quakefs, how });
                }
            }
        }
        Ok(compared)
    }

    /// The layout, started with the options of the console line.
    fn after(&self, layout: &Layout) -> Layout {
        let asked = self.line.and_then(|line| self.mounted_as.rules().at_console(line).ok());
        let Some(asked) = asked else { return layout.clone() };
        let flags = asked.missions.iter().map(|flag| format!("-{flag}")).collect();
        Layout { games: asked.games, flags, ..layout.clone() }
    }

    fn ask(
        &self,
        layout: &Layout,
        home: &Utf8Path,
        base: &Utf8Path,
        names: &[&str],
    ) -> Result<Answers, String> {
        let mut probe = String::new();
        // a change of the game resets the settings
        if let Some(line) = self.line {
            writeln!(probe, "{line}").unwrap();
        }
        if self.engine == Engine::DarkPlaces {
            probe.push_str("developer 1\ndeveloper_extra 1\n");
        }
        for (number, name) in names.iter().enumerate() {
            writeln!(probe, "echo @?{number}").unwrap();
            if self.engine == Engine::DarkPlaces {
                // `exec` reads its argument as a pattern and `which` leaves out the folder of an archive. A
                // model is looked for by its name, and what was found is said on the way.
                writeln!(probe, "modeldecompile \"{name}\"").unwrap();
            }
            writeln!(probe, "exec \"{name}\"").unwrap();
        }
        probe.push_str("echo @?end\n");
        fs::create_dir_all(base.join("id1")).unwrap();
        fs::write(base.join("id1/probe.cfg"), probe).unwrap();

        let mut command =
            if self.user.is_some() { at_home(&self.program, home) } else { Command::new(&self.program) };
        command.args(match self.engine {
            Engine::QuakeSpasm095 => &["-dedicated", "-ip", "127.0.0.1", "-port", "0"][..],
            Engine::DarkPlaces => &["-ip", "127.0.0.1"],
            _ => &["-ip", "127.0.0.1", "-port", "0"],
        });
        command.args(["-basedir", base.as_str()]).args(&layout.flags);
        for game in &layout.games {
            command.args(["-game", game]);
        }
        command.args(["+exec", "probe.cfg", "+quit"]);
        command.env("HOME", home).current_dir(home);
        let output = run(command)?;

        if !output.contains("@?") {
            return Ok(Answers::Stopped);
        }
        let mut sections = output.split("@?").skip(1);
        let answers: Result<Vec<_>, ()> = (0..names.len())
            .map(|number| {
                let section = sections.next().and_then(|section| section.strip_prefix(&number.to_string()));
                Ok(self.answer(base, home, section.ok_or(())?))
            })
            .collect();
        answers.map(Answers::Served).map_err(|()| format!("{} does not answer:\n{output}", self.engine))
    }

    /// The winner, from the engine's output between two marks.
    fn answer(&self, base: &Utf8Path, home: &Utf8Path, section: &str) -> Option<String> {
        let served = if self.engine == Engine::DarkPlaces {
            let line = section.lines().find(|line| line.starts_with("FS_FindFile: ")).unwrap_or_default();
            let in_base = line.split_once(&format!("{base}/")).map(|(_, copy)| copy.to_owned());
            let user = home.join(self.user.as_deref().unwrap_or("nowhere".into()));
            let found = in_base
                .or_else(|| line.split_once(&format!("{user}/")).map(|(_, copy)| format!("{IN_USER}{copy}")));
            // which entry of an archive, if `exec` has not taken another spelling of the name
            let entry = |archive: &str| {
                let mut copies =
                    section.lines().filter_map(|line| line.split_once("@@")).map(|(_, copy)| copy);
                copies.find(|copy| copy.starts_with(&format!("{archive}:"))).map(str::to_owned)
            };
            found.map(|copy| as_word(copy.trim_end())).map(|copy| entry(&copy).unwrap_or(copy))
        } else {
            section.lines().find_map(|line| line.split_once("@@")).map(|(_, copy)| copy.to_owned())
        };
        match served {
            Some(copy) => Some(copy.trim_end().to_owned()),
            None if section.contains("couldn't exec") || section.contains("can't find") => None,
            None => Some("a file that is none of the layout".to_owned()),
        }
    }

    /// Shrinks a layout as long as the same name still has two answers.
    fn shrink(&self, mut layout: Layout, mut difference: Difference) -> (Layout, Difference) {
        let mut steps = SHRINK_STEPS;
        loop {
            let before = parts(&layout);
            let mut part = 0;
            while part < parts(&layout) {
                let smaller = without(&layout, part);
                part += 1;
                if !is_defined(self.engine, &smaller) {
                    continue;
                }
                if steps == 0 {
                    return (layout, difference);
                }
                steps -= 1;
                let names: Vec<&str> = difference.name.as_deref().into_iter().collect();
                let Ok(compared) = self.compare(&smaller, &names) else { continue };
                let mut differences = compared.differences.into_iter();
                if let Some(still) = differences.find(|still| still.name == difference.name) {
                    (layout, difference) = (smaller, still);
                    part -= 1;
                }
            }
            if parts(&layout) == before {
                return (layout, difference);
            }
        }
    }
}

/// Without `gfx/pop.lmp` QuakeSpasm runs no mods, and without `gfx.wad` it does not start. The first belongs
/// to id and is not part of this repository.
fn quakespasm_start_up() -> Result<Vec<StartUp>, String> {
    let pop = fs::read(data_or_reason("conformance/pop.lmp")?).map_err(|error| error.to_string())?;
    let wad = b"WAD2\0\0\0\0\x0c\0\0\0".to_vec();
    Ok(vec![("gfx/pop.lmp", pop), ("gfx.wad", wad)])
}

/// A command for a program whose user has this home folder, even according to the password file.
fn at_home(program: &Utf8Path, home: &Utf8Path) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", r#"mount --bind "$0" ~root && exec "$@""#]);
    command.args([home, program]);
    command
}

/// The output of a program, if it ends in time.
pub(crate) fn run(mut command: Command) -> Result<String, String> {
    // a file: a pipe would fill while the test waits for the program
    let mut output = tempfile::tempfile().unwrap();
    let stream = || Stdio::from(output.try_clone().unwrap());
    let mut child =
        command.stdin(Stdio::null()).stdout(stream()).stderr(stream()).spawn().map_err(|e| e.to_string())?;
    let start = Instant::now();
    let mut in_time = true;
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > TIMEOUT {
            in_time = false;
            child.kill().unwrap();
            child.wait().unwrap();
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut bytes = Vec::new();
    output.rewind().unwrap();
    output.read_to_end(&mut bytes).unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if in_time { Ok(text) } else { Err(format!("killed after {TIMEOUT:?}:\n{text}")) }
}

/// The number of parts that can be removed from a layout.
fn parts(layout: &Layout) -> usize {
    let folders = layout.tree.iter().chain(&layout.user).map(|folder| {
        let entries: usize = folder.archives.iter().map(|archive| archive.entries.len()).sum();
        1 + folder.archives.len() + folder.loose.len() + folder.links.len() + entries
    });
    folders.sum::<usize>() + layout.games.len() + layout.flags.len()
}

/// A layout without one of its parts, large parts first.
fn without(layout: &Layout, mut part: usize) -> Layout {
    fn take<T>(items: &mut Vec<T>, part: &mut usize) -> bool {
        if *part < items.len() {
            items.remove(*part);
            return true;
        }
        *part -= items.len();
        false
    }

    fn folders<'l>(tree: &'l mut [Folder], user: &'l mut [Folder]) -> impl Iterator<Item = &'l mut Folder> {
        tree.iter_mut().chain(user)
    }

    let mut smaller = layout.clone();
    let Layout { flags, games, tree, user, .. } = &mut smaller;
    let _ = take(tree, &mut part)
        || take(user, &mut part)
        || folders(tree, user).any(|folder| take(&mut folder.archives, &mut part))
        || take(games, &mut part)
        || take(flags, &mut part)
        || folders(tree, user).any(|folder| take(&mut folder.loose, &mut part))
        || folders(tree, user).any(|folder| take(&mut folder.links, &mut part))
        || folders(tree, user)
            .flat_map(|folder| &mut folder.archives)
            .any(|archive| take(&mut archive.entries, &mut part));
    smaller
}

fn number_from_environment<T: FromStr>(variable: &str, default: T) -> T {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable}: \"{text}\" is not a number")),
        Err(_) => default,
    }
}

enum Outcome {
    Same {
        names: usize,
        files: usize,
        stopped: usize,
    },
    /// The first difference, with a shrunken layout.
    Differs {
        seed: u64,
        layout: Box<Layout>,
        difference: Difference,
    },
}

fn compare_layouts(asked: &Asked) -> Result<Outcome, Failed> {
    let first: u64 = number_from_environment("QUAKEFS_LIVE_SEED", 1);
    let count: u64 = number_from_environment("QUAKEFS_LIVE_LAYOUTS", scaled(20, 100));
    let requests = requests(asked.engine);
    let (mut names, mut files, mut stopped) = (0, 0, 0);
    for seed in first..first.saturating_add(count) {
        let layout = if asked.user.is_some() { with_user } else { layout }(asked.engine, seed);
        let compared =
            asked.compare(&layout, &requests).map_err(|error| format!("seed {seed}: {error}\n{layout}"))?;
        if let Some(difference) = compared.differences.into_iter().next() {
            let (layout, difference) = asked.shrink(layout, difference);
            return Ok(Outcome::Differs { seed, layout: Box::new(layout), difference });
        }
        names += compared.names;
        files += compared.files;
        stopped += usize::from(compared.stopped);
    }
    Ok(Outcome::Same { names, files, stopped })
}

fn check_layouts(asked: &Asked) -> Result<(), Failed> {
    let start = Instant::now();
    match compare_layouts(asked)? {
        Outcome::Same { names, files, stopped } => {
            let seconds = start.elapsed().as_secs_f32();
            let engine = asked.engine;
            eprintln!("{engine}: {names} answers compared, {files} files, {stopped} stops, {seconds:.1} s");
            if files * 3 < names {
                return Err("too few names are served for this to tell anything".into());
            }
            Ok(())
        }
        Outcome::Differs { seed, layout, difference } => {
            Err(report(asked, seed, &layout, &difference).into())
        }
    }
}

fn report(asked: &Asked, seed: u64, layout: &Layout, difference: &Difference) -> String {
    let engine = asked.engine;
    let Difference { name, engine: theirs, quakefs: ours, how } = difference;
    let header = format!("QUAKEFS_LIVE_SEED={seed} QUAKEFS_LIVE_LAYOUTS=1, cut down:\n{layout}");
    let say = |copy: &Option<String>| copy.clone().unwrap_or("nothing".to_owned());
    let (theirs, ours) = (say(theirs), say(ours));
    match name {
        None => format!("{header}{engine} stops at {theirs}\nquakefs says that it stops at {ours}"),
        Some(name) => format!(
            "{header}asked for {name:?}\n{engine} serves {theirs}\nquakefs serves {ours} (loose files {how})"
        ),
    }
}

fn check_builder(asked: &Asked) -> Result<(), Failed> {
    let files: &[&str] =
        if asked.engine == Engine::DarkPlaces { &["pak0.pak", "a.pk3"] } else { &["pak0.pak"] };
    for file in files {
        let layout = one_archive(file);
        let names: Vec<_> = names(asked.engine).collect();
        let compared = asked.compare(&layout, &names)?;
        assert_eq!((compared.files, compared.differences.len()), (names.len(), 0), "{file}");
    }
    Ok(())
}

fn check_console(asked: &Asked) -> Result<(), Failed> {
    let lines: &[&str] = match asked.engine {
        Engine::QuakeSpasm095 => &["game moda", "game moda -hipnotic", "game -rogue", "game moda modb"],
        Engine::DarkPlaces => &["gamedir moda", "gamedir moda modb", "gamedir modb moda"],
        _ => &["gamedir moda", "gamedir moda modb"],
    };
    let names: Vec<_> = names(asked.engine).collect();
    let layout = of_games(&["modb"], if asked.engine == Engine::Mvdsv { &[] } else { &["-rogue"] });
    for line in lines {
        let asked = Asked {
            program: asked.program.clone(),
            start_up: asked.start_up.clone(),
            line: Some(line),
            user: None,
            ..*asked
        };
        let compared = asked.compare(&layout, &names)?;
        assert!(compared.files > 0 && !compared.stopped, "{line}");
        if let Some(difference) = compared.differences.first() {
            return Err(format!("{line}\n{}", report(&asked, 0, &layout, difference)).into());
        }
    }
    Ok(())
}

fn check_handles(asked: &Asked) -> Result<(), Failed> {
    for (count, stops) in [(30, false), (31, true)] {
        let compared = asked.compare(&many_archives(count), &["a.cfg"])?;
        assert_eq!((compared.stopped, compared.differences.len()), (stops, 0), "{count} archives");
    }
    Ok(())
}

/// A game with a window starts with the files that its rules call needed, and without none of them.
fn check_needed(asked: &Asked) -> Result<(), Failed> {
    let rules = asked.engine.rules();
    let needed = &rules.needed.known().ok_or("its rules do not say what it needs")?.to_start;
    let game = SearchPath::builder(data("paks/librequake")).engine(asked.engine).mount()?;
    let is_first = |name: &str| name.starts_with("gfx") || name.ends_with(".cfg") || name.ends_with(".rc");
    let files = game.files().filter(|file| file.name().to_str().is_some_and(is_first));
    let mut files: Vec<_> = files
        .map(|file| Ok((file.name().to_string(), file.read()?.to_vec())))
        .collect::<Result<_, quakefs::Error>>()?;
    files.push(("gfx/pop.lmp".to_owned(), fs::read(data("conformance/pop.lmp"))?));
    files.push(("probe.cfg".to_owned(), b"echo @?started\n".to_vec()));
    for without in iter::once(None).chain(needed.iter().map(Some)) {
        let left = files.iter().filter(|(name, _)| without.is_none_or(|without| name != without));
        let folder = testutils::Folder::with([(
            "id1/pak0.pak",
            testutils::pack(quakefs::Layout::Quake, left.cloned()),
        )]);
        let home = tempfile::tempdir()?;
        let mut command = asked.windowed(Utf8Path::from_path(home.path()).ok_or("the path is no UTF-8")?);
        command.args(["-basedir", folder.path().as_str(), "+exec", "probe.cfg", "+quit"]);
        let has_started = run(command)?.contains("@?started");
        let mounted = SearchPath::builder(folder.path()).engine(asked.engine).mount()?;
        let starts = quakefs::why::starts(&mounted);
        if has_started != starts.is_ok() || has_started != without.is_none() {
            return Err(format!("without {without:?} it starts: {has_started}; quakefs: {starts:?}").into());
        }
    }
    Ok(())
}

/// Tests the comparison itself, with an engine of other rules.
fn check_fault(asked: &Asked) -> Result<(), Failed> {
    let other = if asked.engine == Engine::Mvdsv { Engine::WinQuake } else { Engine::Mvdsv };
    let asked = Asked {
        engine: asked.engine,
        program: asked.program.clone(),
        start_up: asked.start_up.clone(),
        mounted_as: other,
        line: None,
        user: None,
    };
    let Outcome::Differs { seed, layout, difference } = compare_layouts(&asked)? else {
        return Err(format!("{} is taken for {other}", asked.engine).into());
    };
    if parts(&layout) > 12 {
        return Err(format!("not cut down: {}", report(&asked, seed, &layout, &difference)).into());
    }
    Ok(())
}
