//! `pak convert`: writes an archive as another kind.

use std::io;

use pak_format::{Report, Source};
use quakefs::Layer;

use super::merge::within;
use super::write::{builder_of, check_new, in_file, refuse, refuse_unreadable, write_new};
use super::{wad, written};
use crate::args::{Convert, by_position};
use crate::console::{Console, Exit, Failure, Message};
use crate::output;

pub(super) fn run(args: &Convert, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let out = &args.output;
    check_new(out, args.layout, args.overwrite, console)?;
    if let (Ok(one), Ok(other)) = (args.file.canonicalize(), out.canonicalize())
        && one == other
    {
        let text = format!("{out}: it is the archive to convert");
        return Err(
            Message::new(text, "name another file, or change the archive with `quakefs pak repack`").into()
        );
    }
    let archive = by_position().layout(args.from).open(&args.file);
    let archive = archive.map_err(|error| in_file(error, &args.file))?;
    let before = args.file.metadata().map_or(0, |found| found.len());
    let files: Vec<_> = archive.entries().filter(|entry| !entry.row().is_folder).collect();
    let claimed = files.iter().fold(0_u64, |sum, entry| sum.saturating_add(entry.size()));
    within(claimed, before, &args.decode)?;
    let unreadable = files.iter().filter_map(|entry| entry.check().err());
    let damage = archive.damage().map(|damage| in_file(damage, &args.file));
    refuse_unreadable(damage.into_iter().chain(unreadable), console)?;
    let builder = if wad::is_wad(out, args.layout) {
        let layer = files.first().map(|entry| Layer::of_archive(args.file.as_str(), entry.archive().clone()));
        let named = files.iter().filter_map(|entry| Some(layer.as_ref()?.file(entry.index())?.into_owned()));
        let named: Vec<_> = named.collect();
        let (version, lumps) = wad::of_entries(&named, &args.wad, console)?;
        wad::builder(version, lumps)
    } else {
        let mut builder = builder_of(out, args.layout, &args.encoding);
        for entry in &files {
            let content = *entry;
            let open = move || -> io::Result<Box<dyn io::Read>> { Ok(Box::new(content.open()?)) };
            builder.push(entry.name(), Source::reader(entry.size(), open));
        }
        builder
    };
    refuse(&builder.check(), out, None, console)?;
    if args.dry_run {
        let entries = Report::new(builder.len(), 0, 0);
        return written::report(out, &[], entries, false, output::size_of_replaced(out), console);
    }
    write_new(builder, out, args.overwrite, None, &[], before, console)
}
