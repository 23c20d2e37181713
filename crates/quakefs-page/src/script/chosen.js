// The chosen file, on the right or at the foot of a phone: its preview, its facts and its problems.

let chosen = null;

function closeFile() {
  chosen = null;
  byId("details").classList.remove("chosen");
  byId("details").replaceChildren(note("Choose a file to see it."));
}

function choose(file, focus) {
  const isOther = file.path !== chosen?.path;
  chosen = file;
  writeAddress(isOther);
  const details = byId("details");
  const close = button("×", () => {
    details.classList.remove("chosen");
    rows.find((row) => row.file === file)?.element?.focus();
  }, { class: "close", "aria-label": "Close" });
  details.replaceChildren(close, ...(file.needed ? missingDetails(file) : fileDetails(file)));
  details.classList.add("chosen");
  if (focus) details.focus({ preventScroll: false });
}

/** Closes the sheet of a phone, which covers what a jump leads to. */
function closeSheet() {
  if (matchMedia("(max-width: 46rem)").matches) byId("details").classList.remove("chosen");
}
document.querySelector("nav").addEventListener("click", closeSheet);

/** Searches for a file and chooses it. */
function goTo(file) {
  filterBy({ search: file.path });
  choose(file, true);
}

const linksTo = (others) => make("ul", {}, ...others.map((other) => make("li", {}, link(name(other.path), () => goTo(other)))));

function missingDetails(file) {
  const { by, levels, reason, help } = file.needed;
  return [
    make("h3", {}, name(file.path), " ", missingTag(file)),
    facts([["Type", file.type], ["Needed by", name(by)]]),
    make("p", {}, reason, " ", advice(help)),
    ...(levels.length ? [make("p", {}, "Levels that need it:"), linksTo(levels.map((level) => byPath.get(level)).filter(Boolean))] : []),
  ];
}

function fileDetails(file) {
  const archive = file.archive == null ? null : data.skipped[file.archive];
  const parts = [make("h3", {}, name(file.path)), facts([
    [archive ? "Archive" : "Layer", name(archive ? archive.name : placeOf(file))],
    ["Entry", file.entry == null ? null : number(file.entry)],
    ["Size", file.size < 1024 ? bytes(file.size) : `${bytes(file.size)} (${number(file.size)})`],
    ["Type", file.type],
  ])];
  if (archive) parts.push(make("p", {}, tag("skipped", "warning"), ` ${spoken(archive.reason)} `, advice(archive.help)));
  else parts.push(preview(file, 256, file.path));
  if (file.conflict != null) parts.push(overrides(conflicts[file.conflict]));
  if (file.lacks.length) parts.push(make("p", {}, missingTag(file), " It needs files that no layer has:"), linksTo(file.lacks));
  for (const finding of file.findings) {
    parts.push(make("p", {}, tag(finding.severity, finding.severity), ` ${finding.reason} `, advice(finding.help)));
  }
  if (module && !archive) parts.push(actions(file));
  return parts;
}

function overrides(conflict) {
  const compare = link("Compare them side by side", () => openConflict(conflict.index));
  return make("p", {}, `It overrides ${counted(conflict.copies.length - 1, "copy", "copies")} (${STATES[conflict.state][0]}). `, compare);
}
