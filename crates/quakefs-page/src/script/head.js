// The head of the page: as which engine it answers, on which system, with which game, and how much there is.

/** Which part of the game is not read yet, as a sentence. */
const COMPLETE = "";
let unread = COMPLETE;

/** The name of an engine: with its version, and with its date if another has the same name. */
function engineWords(id = data.engine) {
  const engine = engines.find((one) => one.name === id);
  if (!engine) return data.as_of ? data.as_of.replace(/, [^,]*$/, "") : id;
  const isOnly = engines.every((one) => one === engine || one.version !== engine.version);
  return isOnly ? engine.version : `${engine.version} (${engine.date})`;
}

/** The engine, the system and the game of all answers, in one sentence. */
function answersAs() {
  const games = data.game.filter((game) => !isInBase(`${game}/`));
  const shown = games.length ? games : data.game;
  const on = module ? choice.on : data.on;
  const system = on in SYSTEMS ? ` on ${SYSTEMS[on]}` : "";
  return [`As ${engineWords()}${system}`, ...shown.flatMap((game, index) => [index ? ", " : ", with ", name(game || ".")])];
}

function showHead() {
  const title = data.game.length ? data.game.map((game) => game || ".").join(" over ") : "no layers";
  byId("game").replaceChildren(...answersAs());
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

/** The number beside each link of the navigation. */
function showCounts() {
  const all = findings.length + data.more_findings.reduce((sum, [, count]) => sum + count, 0);
  const counts = { layers: data.layers.filter((layer) => layer.there).length, conflicts: conflicts.length, findings: all, files: files.length };
  for (const link of document.querySelectorAll("nav a")) {
    link.querySelector(".count")?.remove();
    const count = counts[link.hash.slice(1)];
    const more = link.hash === "#findings" && unread !== COMPLETE ? "…" : "";
    if (count != null) link.append(make("span", { class: "count" }, number(count) + more));
  }
}
