//! Files that an engine loads on one system and not on another.

use std::collections::HashMap;

use crate::content::ContentType;
use crate::findings::{FindingKind, Location, Portability};
use crate::rules::{Host, LooseCase, Rules, Spelling};
use crate::{File, Finding, Layer, SearchPath};
use pak_format::EntryName;

/// Names that load on Windows and macOS, whose disks ignore case, but not on Linux, or the reverse. These are
/// archives and folders in another case than the engine looks for, loose files with capitals, names that
/// differ only in case, and names that Windows does not allow.
///
/// `files` are those of the search path.
pub(crate) fn portability(search_path: &SearchPath, files: &[File<'_>]) -> Vec<Finding> {
    let ignores = |search_path: &SearchPath| search_path.loose().case == LooseCase::IgnoredByDisk;
    // a search path without folders cannot be remounted and has no such names; a failed mount reports its own
    // error
    let on = |host| search_path.remount_with(|builder| builder.host(host)).ok();
    let ignoring = if ignores(search_path) { Some(search_path.clone()) } else { on(Host::Windows) };
    let exact = if ignores(search_path) {
        on(Host::Linux).filter(|exact| !ignores(exact))
    } else {
        Some(search_path.clone())
    };
    let mut findings = Vec::new();
    let finding =
        |place, kind| Finding::new(&search_path.rules().name, place, FindingKind::Portability(kind));
    // as listed on a disk that compares case
    let listed = exact.as_ref().filter(|_| ignores(search_path)).map(SearchPath::listed);
    let others: Vec<_> = listed.iter().flat_map(SearchPath::files).collect();
    if exact.is_some() {
        let files = if ignores(search_path) { &others } else { files };
        let loose = || files.iter().filter(|file| file.entry().is_none());
        findings.extend(
            one_file(loose()).map(|(file, other)| {
                finding(file.location(), Portability::OneFile { other: other.location() })
            }),
        );
        let odd = loose().filter(|file| !is_windows_name(file.name()));
        findings.extend(odd.map(|file| finding(file.location(), Portability::NoWindowsName)));
    }
    for layer in ignoring.iter().flat_map(SearchPath::layers) {
        let Some(asked) = portable_layer(layer) else { continue };
        let names_it = |found: &Finding| {
            let FindingKind::Portability(Portability::OneFile { other }) = &found.kind else { return false };
            [&found.location, other].iter().any(|place| place.to_string() == layer.name())
        };
        if findings.iter().any(names_it) {
            continue;
        }
        let (place, expected) = (Location::layer(layer.name()), renamed(layer.name(), asked));
        // a file cannot be renamed to a name that is taken
        let other = exact.iter().flat_map(SearchPath::layers).find(|layer| layer.name() == expected);
        findings.push(match other {
            Some(other) => finding(place, Portability::OneFile { other: Location::layer(other.name()) }),
            None => finding(place, Portability::OtherCase { expected: asked.to_owned() }),
        });
    }
    // if this disk compares case, the check reports capitals by itself
    let in_any_case = exact.is_some_and(|exact| exact.loose().case.is_ignored());
    if ignores(search_path) && !in_any_case {
        let capitals = files.iter().filter(|file| is_asked_with_capitals(search_path.rules(), file));
        findings.extend(capitals.map(|file| finding(file.location(), Portability::Capitals)));
    }
    findings
}

/// The name of a layer after its file or folder is renamed.
fn renamed(layer: &str, name: &str) -> String {
    let end = if layer.ends_with('/') { "/" } else { "" };
    match layer.trim_end_matches('/').rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}{end}"),
        None => format!("{name}{end}"),
    }
}

/// The name that an archive or a folder needs to load on every system, if it has another one. A user may type
/// a game in any case, so a folder in lower case is right.
#[must_use]
pub fn portable_layer(layer: &Layer) -> Option<&str> {
    let is_asked =
        |asked: &&str| layer.archive().is_some() || !asked.bytes().any(|byte| byte.is_ascii_uppercase());
    layer.expected_name().filter(is_asked)
}

/// The name that a loose file needs to load on every system, if it has another one: games request names in
/// lower case. `None` for files that no game requests by name.
#[must_use]
pub fn portable_name(rules: &Rules, file: &File<'_>) -> Option<String> {
    is_asked_with_capitals(rules, file).then(|| file.name().to_str().map(str::to_ascii_lowercase))?
}

/// Whether a loose file is in a folder that the engine lists or writes itself, in any spelling.
pub(super) fn is_of_engine(rules: &Rules, file: &File<'_>) -> bool {
    let first = file.name().as_bytes().split(|byte| *byte == b'/').next().unwrap_or_default();
    file.entry().is_none() && rules.directories.is_engine_folder(first)
}

/// Whether an engine requests the files of this folder by names with capitals, as those that it needs tell.
pub(super) fn is_like_needed(rules: &Rules, name: EntryName<'_>) -> bool {
    let folder = |name: &'_ [u8]| name.rsplitn(2, |byte| *byte == b'/').nth(1).map(<[u8]>::to_vec);
    let mut needed = rules.needed.known().into_iter().flat_map(|needed| needed.to_start.iter());
    needed.any(|needed| {
        needed.bytes().any(|byte| byte.is_ascii_uppercase())
            && folder(needed.as_bytes()) == folder(name.as_bytes())
    })
}

fn is_asked_with_capitals(rules: &Rules, file: &File<'_>) -> bool {
    let name = file.name().as_bytes();
    let content = ContentType::of(name);
    let is_asked = content.is_requested() && content != ContentType::Other;
    let has_capitals = is_asked && name.iter().any(u8::is_ascii_uppercase);
    file.entry().is_none()
        && has_capitals
        && !is_of_engine(rules, file)
        && !is_like_needed(rules, file.name())
}

/// Each loose file that would collide with an earlier one on a disk that ignores case, and that earlier file.
fn one_file<'f, 'a: 'f>(
    files: impl Iterator<Item = &'f File<'a>>,
) -> impl Iterator<Item = (&'f File<'a>, &'f File<'a>)> {
    let mut first: HashMap<(usize, Vec<u8>), &File<'_>> = HashMap::new();
    files.filter_map(move |file| {
        let folded = Spelling::IgnoresCase.fold(file.name().as_bytes()).into_owned();
        let first = *first.entry((file.layer().index(), folded)).or_insert(file);
        (first.name() != file.name()).then_some((file, first))
    })
}

fn is_windows_name(name: EntryName<'_>) -> bool {
    let name = name.as_bytes();
    Host::Windows.name_on_disk(name).is_some_and(|read| read.as_bytes() == name)
}
