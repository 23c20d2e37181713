//! From the files of one game directory to its archives in load order, and to what is left out and why.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use super::{Alike, ArchiveKind, ArchiveSet, Case, EmptyArchive, Engine, Gaps, Hidden, Order, Rules, Text};

/// What the files of a game directory come to.
#[derive(Debug, Default)]
pub struct LoadOrder {
    /// The archives that are loaded, low to high.
    pub archives: Vec<Loaded>,
    /// The files that are named like archives and are not loaded, by the bytes of their names.
    pub left_out: Vec<(String, NotLoaded)>,
    /// Archives of which the order in which the disk lists the folder decides, each with the one below or instead.
    pub listed: Vec<(String, String)>,
}

/// What a file is that is named like an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// An archive with entries.
    Usable,
    /// An archive without entries.
    Empty,
    /// No archive that the engine can use: such a file counts as missing in a numbered run.
    Unusable,
    /// A file at which the engine stops. The run goes on, as if the cause were mended.
    Fatal,
}

/// Which directory the files are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum In {
    /// The first of the base directories.
    FirstBase,
    /// Another directory, or an archive.
    Other,
}

/// An archive that is loaded.
#[derive(Debug)]
pub struct Loaded {
    /// The file's name in the game directory.
    pub file: String,
    /// The number of the set, in [`Rules::archives`], that the archive belongs to.
    pub set: usize,
    /// How the archive is read.
    pub kind: ArchiveKind,
}

/// Why a file that is named like an archive is not loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotLoaded {
    /// The file stands after a gap in the numbers, which ends the run.
    AfterGap {
        /// The file that is missing.
        missing: String,
        /// The name under which this file would be loaded.
        free: String,
    },
    /// The file stands after an archive without entries, which ends the run.
    AfterEmpty {
        /// The archive without entries.
        empty: String,
    },
    /// The archive has no entries, which ends the run before it.
    EmptyEndsRun,
    /// The file stands after one that the engine cannot use as an archive, which ends the run.
    AfterUnusable {
        /// The file that is no archive.
        unusable: String,
    },
    /// The file's name begins with a dot, and the engine passes over such files.
    Hidden,
    /// The number is higher than the engine tries.
    BeyondLast {
        /// The file with the highest number that the engine tries.
        last: String,
    },
    /// The engine would load the file under a name that differs only in case.
    WrongCase {
        /// The name that the engine looks for.
        expected: String,
    },
    /// The path of the file is longer than the engine has room for.
    LongPath,
    /// The name differs only in case from that of a loaded archive.
    AlikeLoaded {
        /// The loaded archive.
        loaded: String,
    },
    /// The engine reads such archives, but not under this name.
    NotNumbered,
    /// The engine does not read this kind of archive.
    KindIgnored,
    /// The engine loads no archive of a game directory.
    NoneLoaded,
}

/// Sorts out the files of a game directory. `probe` says what a file is; it is asked only where that makes a
/// difference to the order.
///
/// Each set of the rules takes its archives from the files that no earlier set has loaded. Where several sets leave
/// a file out, the last one gives the reason.
pub fn load_order(
    mut files: Vec<String>,
    rules: &Rules,
    within: In,
    mut probe: impl FnMut(&str) -> Probe,
) -> LoadOrder {
    files.sort_unstable();
    let mut states = vec![State::Open; files.len()];
    // the places in `files`, with their sets, in load order
    let mut loaded: Vec<(usize, usize)> = Vec::new();
    let mut listed: Vec<(usize, usize)> = Vec::new();
    // the first loaded archive of each name without case, and its set
    let mut names: HashMap<String, (usize, usize)> = HashMap::new();
    for (set, archives) in rules.archives.iter().enumerate() {
        let mut candidates = Candidates { files: &files, states: &mut states };
        let found = match archives {
            ArchiveSet::Numbered { extensions, count, gaps, empty } => {
                let run = Run { stem: &rules.stem, extensions, count: *count, gaps: *gaps };
                candidates.numbered(&run, |number, file| match (probe(file), empty) {
                    (Probe::Empty, EmptyArchive::Loaded) => Probe::Usable,
                    (Probe::Empty, EmptyArchive::EndsRunUnlessFirst)
                        if number == 0 && within == In::FirstBase =>
                    {
                        Probe::Usable
                    }
                    (probed, _) => probed,
                })
            }
            ArchiveSet::Others { extensions, extension_case, alike, order } => {
                let numbered = Run { stem: &rules.stem, extensions, count: None, gaps: Gaps::Skip };
                candidates.others(*order, &rules.stem, &mut listed, |file| {
                    let same = |wanted: &Text, found: &str| match extension_case {
                        Case::Exact => wanted == found,
                        Case::Ignored => wanted.eq_ignore_ascii_case(found),
                    };
                    extension(file).is_some_and(|found| extensions.iter().any(|wanted| same(wanted, found)))
                        && !(*alike == Alike::SkipNumbered && numbered.has_in_other_case(file))
                        && !is_passed_over(file, rules)
                })
            }
        };
        let (skip_second, by_disk) = match archives {
            ArchiveSet::Others { alike, order, .. } => (*alike == Alike::SkipSecond, *order != Order::Bytes),
            ArchiveSet::Numbered { .. } => (false, false),
        };
        for place in found {
            let (Some(file), Some(state)) = (files.get(place), states.get_mut(place)) else { continue };
            match names.entry(file.to_ascii_lowercase()) {
                Entry::Occupied(first) if skip_second => {
                    let (first, of_set) = *first.get();
                    let loaded = files.get(first).cloned().unwrap_or_default();
                    *state = State::LeftOut(NotLoaded::AlikeLoaded { loaded });
                    // a tie of sorted names is here already
                    if by_disk && of_set == set && !listed.contains(&(place, first)) {
                        listed.push((place, first));
                    }
                    continue;
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(first) => {
                    first.insert((place, set));
                }
            }
            *state = State::Loaded;
            loaded.push((place, set));
        }
    }
    let name = |place: usize| files.get(place).cloned().unwrap_or_default();
    let listed = listed.into_iter().map(|(one, other)| (name(one), name(other))).collect();
    if !rules.later_wins {
        loaded.reverse();
    }
    let archives = loaded.into_iter().filter_map(|(place, set)| {
        let file = files.get(place)?.clone();
        let kind = rules.archive_kind(&file).unwrap_or(ArchiveKind::Pak);
        Some(Loaded { file, set, kind })
    });
    let left_out = files.iter().zip(&states).filter_map(|(file, state)| match state {
        State::Loaded => None,
        State::LeftOut(why) => Some((file.clone(), why.clone())),
        State::Open => Some((file.clone(), why_not(file, rules, &files)?)),
    });
    LoadOrder { archives: archives.collect(), left_out: left_out.collect(), listed }
}

fn is_passed_over(file: &str, rules: &Rules) -> bool {
    rules.hidden_archives == Hidden::Skipped && file.starts_with('.')
}

/// Whether this is the name of the archive with number 0 of a numbered run.
#[must_use]
pub fn is_first(file: &str, rules: &Rules) -> bool {
    let number = file.strip_prefix(&*rules.stem).and_then(|rest| rest.split_once('.'));
    number.is_some_and(|(number, _)| number == "0")
}

/// Whether a file is named like an archive that these rules, or those of some engine, load.
pub fn is_archive_name(file: &str, rules: &Rules) -> bool {
    static KNOWN: LazyLock<BTreeSet<&str>> =
        LazyLock::new(|| Engine::ALL.iter().flat_map(|engine| extensions(engine.rules())).collect());
    let Some(found) = extension(file) else { return false };
    let mut wanted = extensions(rules).chain(KNOWN.iter().copied());
    wanted.any(|wanted| wanted.eq_ignore_ascii_case(found))
}

/// The extensions that the sets of some rules take.
fn extensions(rules: &Rules) -> impl Iterator<Item = &str> {
    rules.archives.iter().flat_map(ArchiveSet::extensions).map(|extension| &**extension)
}

/// What follows the last dot of a file's name.
#[must_use]
pub fn extension(file: &str) -> Option<&str> {
    file.rsplit_once('.').map(|(_, extension)| extension)
}

/// What is known of a file.
#[derive(Clone, Debug)]
enum State {
    /// No set has looked at the file.
    Open,
    Loaded,
    LeftOut(NotLoaded),
}

/// The files that no earlier set has loaded.
struct Candidates<'f> {
    files: &'f [String],
    states: &'f mut [State],
}

impl Candidates<'_> {
    /// The places and names of these files.
    fn files(&self) -> impl Iterator<Item = (usize, &String)> {
        let files = self.files.iter().zip(&*self.states).enumerate();
        files
            .filter(|(_, (_, state))| !matches!(state, State::Loaded))
            .map(|(place, (file, _))| (place, file))
    }

    /// The places of a numbered run's archives, low to high. What is known of the run's other files is set here.
    fn numbered(&mut self, run: &Run<'_>, mut probe: impl FnMut(u32, &str) -> Probe) -> Vec<usize> {
        let Some(last) = run.last() else { return Vec::new() };
        let numbered = self.files().filter_map(|(place, file)| Some((run.number(file)?, place)));
        let mut numbered: Vec<((u32, usize), usize)> = numbered.collect();
        numbered.sort_unstable();
        let mut found = Vec::new();
        let mut next = 0;
        let mut end: Option<End> = None;
        // the number of the files that were looked at last, and why none of them is part of the run
        let mut unusable: Option<(u32, End)> = None;
        for ((number, _), place) in numbered {
            let Some(file) = self.files.get(place) else { continue };
            if run.gaps == Gaps::Stop && end.is_none() {
                if unusable.as_ref().is_some_and(|(of, _)| *of != number) {
                    end = unusable.take().map(|(_, end)| end);
                } else if number > next {
                    end = Some(End::Gap { missing: run.name(next) });
                }
            }
            let why = if number > last {
                NotLoaded::BeyondLast { last: run.name(last) }
            } else {
                match &end {
                    Some(End::Gap { missing }) => {
                        let free = run.name(next);
                        next = next.saturating_add(1);
                        NotLoaded::AfterGap { missing: missing.clone(), free }
                    }
                    Some(End::Empty { file }) => NotLoaded::AfterEmpty { empty: file.clone() },
                    Some(End::Unusable { file }) => NotLoaded::AfterUnusable { unusable: file.clone() },
                    None if run.gaps == Gaps::Skip => {
                        found.push(place);
                        continue;
                    }
                    None => {
                        let probed = probe(number, file);
                        // another file of this number has kept the run going
                        let goes_on = next > number;
                        match probed {
                            Probe::Usable | Probe::Fatal => {
                                next = number.saturating_add(1);
                                unusable = None;
                                found.push(place);
                                continue;
                            }
                            Probe::Empty => {
                                if !goes_on {
                                    unusable = Some((number, End::Empty { file: file.clone() }));
                                    next = number;
                                }
                                NotLoaded::EmptyEndsRun
                            }
                            Probe::Unusable => {
                                if !goes_on {
                                    unusable = Some((number, End::Unusable { file: file.clone() }));
                                    next = number;
                                }
                                // opened again, and reported
                                found.push(place);
                                continue;
                            }
                        }
                    }
                }
            };
            if let Some(state) = self.states.get_mut(place) {
                *state = State::LeftOut(why);
            }
        }
        found
    }

    /// The places of the files that a set wants, low to high. Those of which the disk's order decides are added to
    /// `listed`, each with the one before.
    fn others(
        &self,
        order: Order,
        stem: &str,
        listed: &mut Vec<(usize, usize)>,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Vec<usize> {
        let wanted = self.files().filter(|(_, file)| is_wanted(file));
        let mut wanted: Vec<(SortKey, usize)> =
            wanted.map(|(place, file)| (SortKey::new(order, stem, file), place)).collect();
        // the files stand in byte order already, and the sort keeps the order of equal keys
        wanted.sort_by(|(a, _), (b, _)| a.cmp(b));
        for pair in wanted.windows(2) {
            if let [(below, one), (above, other)] = pair
                && order != Order::Bytes
                && below == above
            {
                listed.push((*other, *one));
            }
        }
        wanted.into_iter().map(|(_, place)| place).collect()
    }
}

/// What decides the place of a file among others: whether the name begins with the stem, the number that follows, and
/// the rest. Of equal keys the order of the disk decides.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SortKey {
    without_stem: bool,
    number: u64,
    rest: String,
}

impl SortKey {
    fn new(order: Order, stem: &str, file: &str) -> SortKey {
        match order {
            Order::Bytes | Order::Listed => SortKey { without_stem: false, number: 0, rest: String::new() },
            Order::IgnoreCase => SortKey { without_stem: false, number: 0, rest: file.to_ascii_lowercase() },
            Order::NumberThenName => match file.split_at_checked(stem.len()) {
                Some((start, rest)) if start.eq_ignore_ascii_case(stem) => {
                    let (number, rest) = strtoul(rest);
                    SortKey { without_stem: false, number, rest: rest.to_ascii_lowercase() }
                }
                _ => SortKey { without_stem: true, number: 0, rest: file.to_ascii_lowercase() },
            },
        }
    }
}

/// The number at the start of a text and what follows, as C's `strtoul` reads them: after blanks and a sign, the
/// digits; a minus makes the number wrap around. Without digits the number is 0, and the whole text follows.
fn strtoul(text: &str) -> (u64, &str) {
    let blank = |c: char| matches!(c, ' ' | '\t'..='\r');
    let unsigned = text.trim_start_matches(blank);
    let (is_negative, digits) = match unsigned.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, unsigned.strip_prefix('+').unwrap_or(unsigned)),
    };
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let read = digits.strip_suffix(rest).unwrap_or_default();
    if read.is_empty() {
        return (0, text);
    }
    let number = read
        .bytes()
        .try_fold(0_u64, |number, digit| number.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
    match number {
        // out of range, whatever the sign
        None => (u64::MAX, rest),
        Some(number) if is_negative => (number.wrapping_neg(), rest),
        Some(number) => (number, rest),
    }
}

/// The names of a numbered run.
struct Run<'r> {
    stem: &'r str,
    extensions: &'r [Text],
    count: Option<u32>,
    gaps: Gaps,
}

/// Where a run ends.
enum End {
    Gap { missing: String },
    Empty { file: String },
    Unusable { file: String },
}

impl Run<'_> {
    /// The highest number that is tried; `None` where none is.
    fn last(&self) -> Option<u32> {
        self.count.map_or(Some(u32::MAX), |count| count.checked_sub(1))
    }

    fn name(&self, number: u32) -> String {
        match self.extensions.first() {
            Some(extension) => format!("{}{number}.{extension}", self.stem),
            None => format!("{}{number}", self.stem),
        }
    }

    /// The number in `pak12.pak` and the place of its extension, if the name is spelled as the engine spells it.
    fn number(&self, file: &str) -> Option<(u32, usize)> {
        let (digits, extension) = file.strip_prefix(self.stem)?.rsplit_once('.')?;
        let number: u32 = digits.parse().ok()?;
        let place = self.extensions.iter().position(|wanted| wanted == extension)?;
        // `01` and `+1` parse too
        (number.to_string() == digits).then_some((number, place))
    }

    /// Whether a file is not numbered, but would be in lower case.
    fn has_in_other_case(&self, file: &str) -> bool {
        let lower = file.to_ascii_lowercase();
        lower != file && self.number(&lower).is_some()
    }
}

/// Why no set has looked at a file; `None` where the file is not named like an archive.
fn why_not(file: &str, rules: &Rules, files: &[String]) -> Option<NotLoaded> {
    let is_read = extension(file)
        .is_some_and(|found| extensions(rules).any(|wanted| wanted.eq_ignore_ascii_case(found)));
    if !is_read {
        let why = if rules.archives.is_empty() { NotLoaded::NoneLoaded } else { NotLoaded::KindIgnored };
        return is_archive_name(file, rules).then_some(why);
    }
    if is_passed_over(file, rules) {
        return Some(NotLoaded::Hidden);
    }
    let found = extension(file)?;
    let lower = file.to_ascii_lowercase();
    let is_there = |other: &String| files.binary_search(other).is_ok();
    let expected = rules.archives.iter().filter(|_| lower != file).find_map(|set| {
        if !set.extensions().iter().any(|wanted| wanted.eq_ignore_ascii_case(found)) {
            return None;
        }
        let expected = match set {
            ArchiveSet::Numbered { extensions, count, gaps, .. } => {
                let run = Run { stem: &rules.stem, extensions, count: *count, gaps: *gaps };
                run.number(&lower).map(|_| lower.clone())
            }
            ArchiveSet::Others { .. } => {
                file.strip_suffix(found).map(|start| format!("{start}{}", found.to_ascii_lowercase()))
            }
        };
        expected.filter(|expected| !is_there(expected))
    });
    Some(expected.map_or(NotLoaded::NotNumbered, |expected| NotLoaded::WrongCase { expected }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    /// Compares the archives, low to high, and what is left out; `pak2.pak` has no entries.
    fn check(rules: &Rules, files: &str, archives: &str, left_out: &[&str]) {
        let files = files.split_whitespace().map(str::to_owned).collect();
        let probe = |file: &str| if file == "pak2.pak" { Probe::Empty } else { Probe::Usable };
        let order = load_order(files, rules, In::Other, probe);
        let found: Vec<_> = order.archives.iter().map(|loaded| &*loaded.file).collect();
        assert_eq!(found.join(" "), archives);
        let found: Vec<_> = order.left_out.iter().map(|(file, why)| format!("{file}: {why:?}")).collect();
        assert_eq!(found, left_out);
    }

    fn others(extensions: &[&'static str], extension_case: Case, alike: Alike, order: Order) -> ArchiveSet {
        let extensions: Vec<Text> = extensions.iter().map(|&extension| extension.into()).collect();
        ArchiveSet::Others { extensions: extensions.into(), extension_case, alike, order }
    }

    fn with_sets(sets: Vec<ArchiveSet>) -> Rules {
        let mut rules = Engine::WinQuake.rules().clone();
        rules.archives = sets.into();
        rules
    }

    #[test]
    fn each_engine_loads_its_archives_in_its_order() {
        const FILES: &str = "pak0.pak pak1.pak pak3.pak pak10.pak PAK4.PAK zoo.pak Bee.PAK pak0.pk3 pak1.pk3 ant.pk3 \
                             Cat.PK3 pak5.pkz pak0.sin";
        let table = "
            winquake   = pak0.pak pak1.pak
            quakespasm = pak0.pak pak1.pak
            ironwail   = pak0.pak pak1.pak
            qss        = pak0.pak pak0.pk3 pak1.pak pak1.pk3 Bee.PAK PAK4.PAK pak10.pak pak3.pak zoo.pak Cat.PK3 ant.pk3
            darkplaces = Bee.PAK pak0.pak pak1.pak pak10.pak pak3.pak PAK4.PAK zoo.pak ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            fte        = pak0.pak pak1.pak pak0.pk3 pak1.pk3 Bee.PAK pak10.pak pak3.pak PAK4.PAK zoo.pak ant.pk3 Cat.PK3
            mvdsv      = pak0.pak pak1.pak pak10.pak pak3.pak zoo.pak
            quake2     = pak0.pak pak1.pak pak3.pak
            yquake2    = pak0.pak pak1.pak pak3.pak pak10.pak pak0.pk3 pak1.pk3 pak5.pkz zoo.pak ant.pk3
            q2pro      = pak0.pak pak1.pak pak3.pak PAK4.PAK pak5.pkz pak10.pak Bee.PAK zoo.pak
            goldsrc    = Bee.PAK PAK4.PAK pak0.pak pak1.pak pak10.pak pak3.pak zoo.pak Cat.PK3 ant.pk3 pak0.pk3 pak1.pk3
            quakeworld = pak0.pak pak1.pak
            vkquake    = pak0.pak pak1.pak
            hexen2     = pak0.pak pak1.pak pak3.pak
            sin        = pak0.sin
            daikatana  = pak0.pak pak1.pak pak3.pak
            ioquake3   = ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            trenchbroom = Bee.PAK PAK4.PAK pak0.pak pak1.pak pak10.pak pak3.pak zoo.pak
            ericw-tools =
        ";
        let mut engines = Vec::new();
        for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (engine, expected) = line.split_once('=').unwrap();
            let engine: Engine = engine.trim().parse().unwrap();
            engines.push(engine);
            let files: Vec<_> = FILES.split_whitespace().map(str::to_owned).collect();
            let count = files.len();
            let order = load_order(files, engine.rules(), In::Other, |_| Probe::Usable);
            let found: Vec<_> = order.archives.iter().map(|loaded| &*loaded.file).collect();
            assert_eq!(found.join(" "), expected.trim(), "{engine}");
            assert_eq!(order.archives.len() + order.left_out.len(), count, "{engine}");
        }
        assert_eq!(engines, Engine::ALL);
    }

    #[test]
    fn a_numbered_run_ends_at_the_gap_and_each_file_after_it_is_reported() {
        check(
            Engine::WinQuake.rules(),
            "pak10.pak pak1.pak pak0.pak pak3.pak PAK2.PAK pak01.pak pak+4.pak maps.pak a.pk3 notes.txt",
            "pak0.pak pak1.pak",
            &[
                r#"PAK2.PAK: WrongCase { expected: "pak2.pak" }"#,
                "a.pk3: KindIgnored",
                "maps.pak: NotNumbered",
                "pak+4.pak: NotNumbered",
                "pak01.pak: NotNumbered",
                r#"pak10.pak: AfterGap { missing: "pak2.pak", free: "pak3.pak" }"#,
                r#"pak3.pak: AfterGap { missing: "pak2.pak", free: "pak2.pak" }"#,
            ],
        );
    }

    #[test]
    fn an_archive_without_entries_ends_the_run_of_the_engines_that_stop_there() {
        check(
            Engine::QuakeSpasm.rules(),
            "pak0.pak pak1.pak pak2.pak pak3.pak",
            "pak0.pak pak1.pak",
            &["pak2.pak: EmptyEndsRun", r#"pak3.pak: AfterEmpty { empty: "pak2.pak" }"#],
        );
        check(Engine::WinQuake.rules(), "pak0.pak pak1.pak pak2.pak", "pak0.pak pak1.pak pak2.pak", &[]);
        let all_empty = |engine: Engine| {
            let files = vec!["pak0.pak".to_owned(), "pak1.pak".to_owned()];
            load_order(files, engine.rules(), In::FirstBase, |_| Probe::Empty).archives.len()
        };
        assert_eq!((all_empty(Engine::Ironwail), all_empty(Engine::VkQuake)), (0, 1));
    }

    #[test]
    fn numbers_end_where_the_engine_stops_to_count() {
        check(
            Engine::Quake2.rules(),
            "pak3.pak pak9.pak pak10.pak pak4294967296.pak",
            "pak3.pak pak9.pak",
            &[r#"pak10.pak: BeyondLast { last: "pak9.pak" }"#, "pak4294967296.pak: NotNumbered"],
        );
        let numbered = |count| {
            let extensions: Vec<Text> = vec!["pak".into()];
            let (gaps, empty) = (Gaps::Skip, EmptyArchive::Loaded);
            with_sets(vec![ArchiveSet::Numbered { extensions: extensions.into(), count, gaps, empty }])
        };
        check(&numbered(None), "pak0.pak pak4294967295.pak", "pak0.pak pak4294967295.pak", &[]);
        check(&numbered(Some(0)), "pak0.pak", "", &["pak0.pak: NotNumbered"]);
    }

    #[test]
    fn a_later_set_loads_what_an_earlier_run_left_out() {
        check(Engine::Fte.rules(), "pak0.pak pak2.pak", "pak0.pak pak2.pak", &[]);
        check(Engine::Mvdsv.rules(), "pak5.pak pak0.pak", "pak0.pak pak5.pak", &[]);
        check(
            Engine::YQuake2.rules(),
            "pak3.pak Pak3.pak Pak4.pak pak100.pak x.PAK",
            "pak3.pak pak100.pak",
            &[
                "Pak3.pak: NotNumbered",
                r#"Pak4.pak: WrongCase { expected: "pak4.pak" }"#,
                r#"x.PAK: WrongCase { expected: "x.pak" }"#,
            ],
        );
    }

    #[test]
    fn the_second_of_two_names_alike_is_left_out_where_the_engine_takes_them_for_one() {
        check(
            Engine::DarkPlaces.rules(),
            "a.pak A.PAK b.pak A.pk3",
            "A.PAK b.pak A.pk3",
            &[r#"a.pak: AlikeLoaded { loaded: "A.PAK" }"#],
        );
        check(
            Engine::Fte.rules(),
            "pak0.PAK pak0.pak",
            "pak0.pak",
            &[r#"pak0.PAK: AlikeLoaded { loaded: "pak0.pak" }"#],
        );
        check(Engine::IoQuake3.rules(), "a.pk3 A.PK3", "A.PK3 a.pk3", &[]);
        // of two reasons, that of the last set
        let mut sets = Engine::WinQuake.rules().archives.to_vec();
        sets.push(others(&["pak"], Case::Ignored, Alike::SkipSecond, Order::Bytes));
        check(
            &with_sets(sets),
            "PAK3.pak pak3.pak",
            "PAK3.pak",
            &[r#"pak3.pak: AlikeLoaded { loaded: "PAK3.pak" }"#],
        );
    }

    #[test]
    fn the_rules_choose_the_order() {
        let with = |order| with_sets(vec![others(&["pak"], Case::Ignored, Alike::Loaded, order)]);
        check(&with(Order::Bytes), "pak10.pak pak2.pak b.pak A.PAK", "A.PAK b.pak pak10.pak pak2.pak", &[]);
        check(
            &with(Order::IgnoreCase),
            "pak10.pak pak2.pak B.pak a.PAK",
            "a.PAK B.pak pak10.pak pak2.pak",
            &[],
        );
        let mut rules = with(Order::NumberThenName);
        check(&rules, "pak10.pak pak2.pak b.pak pakx.pak", "pakx.pak pak2.pak pak10.pak b.pak", &[]);
        rules.later_wins = false;
        check(&rules, "pak10.pak pak2.pak b.pak", "b.pak pak10.pak pak2.pak", &[]);
    }

    #[test]
    fn a_number_is_read_as_strtoul_reads_it_and_what_follows_decides_between_equal_ones() {
        check(
            Engine::Q2Pro.rules(),
            "pak-1.pak pak2.pak pak01b.pak pak1.pak pak1a.pak a.pak .x.pak",
            "pak1.pak pak1a.pak pak01b.pak pak2.pak pak-1.pak a.pak",
            &[".x.pak: Hidden"],
        );
        assert_eq!(strtoul(" +7x"), (7, "x"));
        assert_eq!(strtoul("-1."), (u64::MAX, "."));
        assert_eq!(strtoul("-x"), (0, "-x"));
        assert_eq!(strtoul("99999999999999999999."), (u64::MAX, "."));
    }

    #[test]
    fn a_file_that_is_no_archive_is_missing_in_a_run_unless_the_engine_stops_there() {
        let order =
            |rules: &Rules, of_one: Probe| {
                let files = ["pak0.pak", "pak1.pak", "pak2.pak"].map(str::to_owned).to_vec();
                let order = load_order(files, rules, In::Other, |file| {
                    if file == "pak1.pak" { of_one } else { Probe::Usable }
                });
                let names: Vec<_> = order.archives.iter().map(|loaded| loaded.file.clone()).collect();
                (names.join(" "), order.left_out.len())
            };
        // the file itself is opened again, and reported
        assert_eq!(order(Engine::WinQuake.rules(), Probe::Unusable), ("pak0.pak pak1.pak".to_owned(), 1));
        assert_eq!(order(Engine::WinQuake.rules(), Probe::Fatal).0, "pak0.pak pak1.pak pak2.pak");
        assert_eq!(order(Engine::Fte.rules(), Probe::Unusable).0, "pak0.pak pak1.pak pak2.pak");
        assert_eq!(order(Engine::QuakeSpasm.rules(), Probe::Empty), ("pak0.pak".to_owned(), 2));
    }

    #[test]
    fn an_extension_goes_on_where_another_one_of_the_same_number_is_missing() {
        let files = ["pak0.pak", "pak0.pk3", "pak1.pk3", "pak3.pak"].map(str::to_owned).to_vec();
        let order = load_order(files, Engine::Qss.rules(), In::Other, |file| {
            if file == "pak0.pak" { Probe::Empty } else { Probe::Usable }
        });
        let names: Vec<_> = order.archives.iter().map(|loaded| &*loaded.file).collect();
        assert_eq!(names, ["pak0.pk3", "pak1.pk3", "pak0.pak", "pak3.pak"]);
        assert_eq!(order.listed, [("pak3.pak".to_owned(), "pak0.pak".to_owned())]);
    }

    #[test]
    fn the_rules_choose_the_stem() {
        let mut rules = Engine::WinQuake.rules().clone();
        rules.stem = "data".into();
        check(
            &rules,
            "data0.pak pak1.pak DATA1.PAK data2.pak",
            "data0.pak",
            &[
                r#"DATA1.PAK: WrongCase { expected: "data1.pak" }"#,
                r#"data2.pak: AfterGap { missing: "data1.pak", free: "data1.pak" }"#,
                "pak1.pak: NotNumbered",
            ],
        );
        rules = with_sets(vec![others(&["pak"], Case::Exact, Alike::Loaded, Order::NumberThenName)]);
        rules.stem = "data".into();
        check(&rules, "Data10.pak data9.pak pak1.pak", "data9.pak Data10.pak pak1.pak", &[]);
    }

    #[test]
    fn the_rules_choose_the_kind_of_archive_by_extension() {
        let kinds = |rules: &Rules| {
            let files = ["a.KPF", "b.zip", "c.pak", "d.pk3", "e.wad"].map(str::to_owned).to_vec();
            let kinds = load_order(files, rules, In::Other, |_| Probe::Usable).archives.into_iter();
            kinds.map(|loaded| format!("{} {:?}", loaded.file, loaded.kind)).collect::<Vec<_>>().join(", ")
        };
        let set = others(&["kpf", "zip", "pak", "pk3", "wad"], Case::Ignored, Alike::Loaded, Order::Bytes);
        let mut rules = with_sets(vec![set]);
        assert_eq!(kinds(&rules), "a.KPF Zip, b.zip Zip, c.pak Pak, d.pk3 Zip, e.wad Pak");
        rules.formats = vec![
            Format { extension: "ZIP".into(), kind: ArchiveKind::Pak },
            Format { extension: "wad".into(), kind: ArchiveKind::Zip },
        ]
        .into();
        assert_eq!(kinds(&rules), "a.KPF Pak, b.zip Pak, c.pak Pak, d.pk3 Pak, e.wad Zip");
    }

    #[test]
    fn files_named_like_an_archive_of_any_engine_or_of_own_rules_are_reported() {
        check(
            &with_sets(vec![others(&["wad"], Case::Exact, Alike::Loaded, Order::Bytes)]),
            "a.wad B.WAD c.pkz d.sin e.txt f.zip sin pak",
            "a.wad",
            &[
                r#"B.WAD: WrongCase { expected: "B.wad" }"#,
                "c.pkz: KindIgnored",
                "d.sin: KindIgnored",
                "f.zip: KindIgnored",
            ],
        );
        let rules = Engine::WinQuake.rules();
        assert!(is_archive_name("x.PAK", rules) && is_archive_name(".pk3", rules));
        assert!(!is_archive_name("pak", rules) && !is_archive_name("x.pak.bak", rules));
    }

    #[test]
    fn no_files_and_no_sets_are_no_archives() {
        check(Engine::WinQuake.rules(), "", "", &[]);
        check(&with_sets(Vec::new()), "pak0.pak", "", &["pak0.pak: NoneLoaded"]);
    }

    #[test]
    fn many_files_take_time_in_proportion() {
        let files: Vec<String> = (0..7_000)
            .flat_map(|number| {
                [format!("pak{number}.pak"), format!("Pak{number}.pak"), format!("x{number}.PK3")]
            })
            .collect();
        for engine in Engine::ALL {
            let order = load_order(files.clone(), engine.rules(), In::Other, |_| Probe::Usable);
            assert_eq!(order.archives.len() + order.left_out.len(), files.len(), "{engine}");
        }
    }
}
