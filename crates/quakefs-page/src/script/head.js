// The head of the page: which game it is, whether the engine starts, how much there is.

/** Which part of the game is not read yet, as a sentence. */
const COMPLETE = "";
let unread = COMPLETE;

function showHead() {
  const title = data.game.length ? data.game.map((game) => game || ".").join(" over ") : "no layers";
  byId("game").replaceChildren(name(title), " ", make("small", {}, `as ${data.engine} sees it${data.as_of ? ` (${data.as_of})` : ""}`));
  document.title = `${title}: quakefs report`;
  const served = data.layers.reduce((sum, layer) => sum + layer.serves[1], 0);
  byId("summary").textContent = [
    counted(data.layers.filter((layer) => layer.there).length, "layer", "layers"),
    `${counted(files.length, "file", "files")} of ${bytes(served)}`,
    counted(conflicts.length, "name with several copies", "names with several copies"),
    ...(missing.length ? [counted(missing.length, "missing file", "missing files")] : []),
    ...(data.registration ? [data.registration] : []),
  ].join(" · ");
  showVerdict();
  showCounts();
  byId("made-by").textContent = `Made by ${data.made_by}. The page is one file. It never uses the network and runs only its own ${module ? "script and module" : "script"}.`;
}

/** Whether the engine starts, and which archives it skips. */
function showVerdict() {
  const verdict = byId("verdict");
  verdict.replaceChildren();
  const stops = data.findings.filter((finding) => finding.stops);
  verdict.classList.toggle("stops", stops.length > 0);
  // single archives are not a game that could start
  const isGame = !mounted || mounted.line.includes("--basedir");
  if (!stops.length) verdict.append(isGame ? `No known problem keeps ${data.engine} from starting on this folder.` : "");
  else {
    // a mod in progress may lack files that a complete game has
    const words = data.starts ? `As a complete game, ${data.engine} would not start on this folder.` : `${data.engine} does not start on this folder.`;
    verdict.append(make("strong", {}, words), " The page shows what it loads once that is fixed.");
  }
  if (data.not_loaded.length) {
    const names = data.not_loaded.slice(0, 5).map((archive) => archive.name).join(", ");
    const more = data.not_loaded.length > 5 ? " and more" : "";
    verdict.append(` It skips ${counted(data.not_loaded.length, "archive", "archives")}: ${names}${more}.`);
  }
  if (stops.length) {
    const list = stops.slice(0, 5).map((finding) => make("li", {}, name(finding.place), `: ${finding.reason} → ${finding.help}`));
    if (stops.length > list.length) list.push(make("li", {}, `and ${number(stops.length - list.length)} more, below`));
    verdict.append(make("ul", {}, ...list));
  }
}

/** The number beside each link of the navigation. */
function showCounts() {
  const findings = data.findings.length + data.more_findings.reduce((sum, [, count]) => sum + count, 0);
  const counts = { layers: data.layers.filter((layer) => layer.there).length, conflicts: conflicts.length, findings, files: files.length };
  for (const link of document.querySelectorAll("nav a")) {
    link.querySelector(".count")?.remove();
    const count = counts[link.hash.slice(1)];
    const more = link.hash === "#findings" && unread !== COMPLETE ? "…" : "";
    if (count != null) link.append(make("span", { class: "count" }, number(count) + more));
  }
}
