// What a drop changes in the game: names added, overridden and broken, before and after.

/** What a view tells, to be compared with the view after a drop. */
function snapshot() {
  return {
    isRead: unread === COMPLETE,
    game: byId("game").textContent,
    verdict: document.querySelector("#verdict strong")?.textContent ?? "",
    names: new Map(files.map((file) => [file.path, { layer: data.layers[file.layer].name, size: file.size, entry: file.entry }])),
    missing: new Map(missing.map((file) => [file.path, `needed by ${file.needed.by}`])),
    findings: new Map(findings.filter(isBad).map((one) => [`${one.location}: ${one.reason}`, one])),
  };
}
const isBad = ({ stops, severity }) => stops || severity === "error";

/** The view before the last drop; `null` after another choice. */
let beforeDrop = null;
/** The most changes of one kind that are listed. */
const LISTED = 500;

/** The changes as lists of rows: a name, before, after. */
function changesSince(old) {
  const now = snapshot();
  const [added, overridden, lost] = [[], [], []];
  for (const [path, file] of now.names) {
    const other = old.names.get(path);
    if (!other) added.push([path, "–", file.layer]);
    else if (other.layer !== file.layer || other.size !== file.size || other.entry !== file.entry) overridden.push([path, other.layer, file.layer]);
  }
  for (const [path, file] of old.names) if (!now.names.has(path)) lost.push([path, file.layer, "–"]);
  const broken = [
    ...[...now.missing].filter(([path]) => !old.missing.has(path)).map(([path, by]) => [path, old.names.get(path)?.layer ?? "not needed", `missing, ${by}`]),
    ...[...now.findings].filter(([key]) => !old.findings.has(key)).map(([, { location: at, reason }]) => [at, "–", reason]),
  ];
  const mended = [
    ...[...old.missing].filter(([path]) => !now.missing.has(path)).map(([path]) => [path, "missing", now.names.get(path)?.layer ?? "not needed"]),
    ...[...old.findings].filter(([key]) => !now.findings.has(key)).map(([, { location: at, reason }]) => [at, reason, "–"]),
  ];
  const isKnown = old.isRead && now.isRead;
  return { now, isKnown, kinds: { broken: isKnown ? broken : [], overridden, lost, added, mended: isKnown ? mended : [] } };
}
const KINDS = { broken: ["Broken", "error"], overridden: ["Overridden", "warning"], lost: ["Not there now", "warning"], added: ["Added", ""], mended: ["Mended", "same"] };

/** Shows what the last drop changed; again once everything is read. */
function showChanges() {
  const place = byId("changes");
  place.hidden = !beforeDrop;
  if (!beforeDrop) return;
  const { now, isKnown, kinds } = changesSince(beforeDrop);
  const all = Object.entries(kinds).filter(([, rows]) => rows.length);
  const views = ["game", "verdict"].map((kind) => [kind, beforeDrop[kind], now[kind]]).filter(([, old, fresh]) => old !== fresh);
  const words = all.map(([kind, rows]) => `${KINDS[kind][0].toLowerCase()} ${number(rows.length)}`).join(", ");
  const unused = mounted.placed.filter((row) => row.fresh).flatMap(unsearched);
  const close = button("Close", () => {
    beforeDrop = null;
    showChanges();
  }, { class: "copy-line" });
  place.replaceChildren(
    make("div", { class: "head" }, make("h2", { id: "changes-title" }, "What this drop changes"), close),
    make("p", {}, words ? `${words[0].toUpperCase()}${words.slice(1)}.` : `It changes no name: ${unused.join(" ") || "the game has all of this already."}`, isKnown ? null : " What it breaks is not known yet."),
    ...(views.length ? [table(["answer", "before", "after"], views)] : []),
    ...all.map(([kind, rows]) => changedNames(kind, rows)));
}

function changedNames(kind, rows) {
  const [title, colour] = KINDS[kind];
  const more = rows.length - LISTED;
  const cells = ([path, old, fresh]) => [byPath.has(path) ? link(name(path), () => goTo(byPath.get(path))) : name(path), name(old), name(fresh)];
  return make("details", { open: kind === "broken" }, make("summary", {}, title, " ", tag(number(rows.length), colour)),
    table(["name", "before", "after"], rows.slice(0, LISTED).map(cells)),
    more > 0 ? note(`and ${number(more)} more`) : null);
}
