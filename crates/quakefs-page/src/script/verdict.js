// The verdict: whether the engine starts, what its levels lack, and which archives it skips.

/** Kinds of files without which an engine does not load a level. */
const OF_LEVELS = new Set(["model", "program"]);

/** Problems that may explain why a file is missing. */
const CAUSES = new Set(["archive-case", "gap", "after-wrong-archive", "empty-archive", "missing-directory"]);

/** Whether a problem comes before the missing files: also an archive with a name that only other systems find. */
const isCause = ({ stops, kind, severity, name: file, advice, location: at }) => !stops
  && (CAUSES.has(kind) || (kind === "wrong-archive" && severity === "error") || (advice.some(({ step }) => step === "rename") && file == null && !data.layers.some((layer) => layer.name === at)));

/** The engine in the words of its players: a game's own engine by the game. */
const starter = () => engineWords().replace(/, on .*/, "");

/** The words about a game: how good it is, a sentence, and the problems to list. */
function verdictOf() {
  const isSymptom = ({ name: file }) => file != null && !byPath.has(file);
  const stops = findings.filter((finding) => finding.stops).sort((a, b) => isSymptom(a) - isSymptom(b));
  const causes = findings.filter(isCause);
  // single archives are not a game that could start
  if (mounted && !mounted.line.includes("--basedir")) return ["", "", []];
  if (isPart) {
    const base = baseName();
    return ["part", "This is a part of a game.", [], module ? ` Drop your ${base} too to see what is missing.` : ` Without ${base}, nothing tells what is missing.`];
  }
  if (stops.length) {
    // a mod in progress may lack files that a complete game has
    const words = data.starts ? `${starter()} would not start with only these files.` : `${starter()} does not start on this folder.`;
    return ["stops", words, [...causes, ...stops], " The rest of the page shows what it would load without the problems listed here."];
  }
  const absent = findings.filter(({ kind }) => kind === "missing-directory").map(({ location: at }) => at);
  if (absent.length) return ["lacks", `${starter()} starts, but a folder of the game is missing: ${absent.join(", ")}.`, []];
  if (unread !== COMPLETE) return ["", `${starter()} starts, as far as its files are read.`, [], " Its levels are not checked yet."];
  const logic = missing.find((file) => file.type === "program" && !file.needed.levels.length);
  if (logic) return ["lacks", `${starter()} starts, but loads no level without ${logic.path}.`, []];
  if (missing.some((file) => OF_LEVELS.has(file.type))) return ["lacks", `${starter()} starts, but its levels lack files.`, []];
  const wrong = findings.filter(({ severity }) => severity === "error");
  if (wrong.length) return ["lacks", `${starter()} starts, but not all is right:`, wrong];
  if (missing.length) return ["lacks", `${starter()} starts, but its levels lack ${counted(missing.length, "file", "files")}.`, []];
  if (data.verdict && !data.verdict.good) return ["", `${spoken(data.verdict.reason).replace(engineWords(), starter())}.`, []];
  return ["good", `${starter()} starts, and no file is missing or damaged.`, []];
}

function showVerdict() {
  const verdict = byId("verdict");
  const [state, sentence, problems, more] = verdictOf();
  verdict.className = state;
  verdict.replaceChildren(...(sentence ? [make("strong", {}, sentence), more ?? ""] : []));
  if (missing.length) {
    const words = counted(missing.length, "file that its levels need is", "files that its levels need are");
    verdict.append(" ", link(`${words} missing`, () => filterBy({ state: "missing" })), ".");
  }
  if (data.skipped.length) {
    const names = data.skipped.slice(0, 5).map((archive) => archive.name).join(", ");
    const more = data.skipped.length > 5 ? " and more" : "";
    verdict.append(` It skips ${counted(data.skipped.length, "archive", "archives")}: ${names}${more}.`);
  }
  if (data.not_known) verdict.append(` ${data.not_known}.`);
  if (problems.length) {
    const list = problems.slice(0, 5).map((finding) => make("li", {}, name(finding.location), `: ${finding.reason}${finding.help && ` → ${finding.help}`}`));
    if (problems.length > list.length) list.push(make("li", {}, `and ${number(problems.length - list.length)} more, below`));
    verdict.append(make("ul", {}, ...list));
  }
  verdict.hidden = !verdict.hasChildNodes();
}
