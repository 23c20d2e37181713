// The drops: each with what was taken of it, what was left and why, and what the game changes with it. Each can be taken back.

/** The drops in order: the files with their paths, the names of files and folders that were dropped, and the handles behind them. */
let drops = [];
/** The drop whose changes are shown once the game is read. */
let latest = null;

const topOf = (path) => path.split("/")[0];

/** For each name the number of the drop that counts, the last. Windows and macOS ignore case. */
const folded = (path) => (choice.on === "linux" ? path : path.toLowerCase());
const lastDrops = () => new Map(drops.flatMap((drop, index) => drop.names.map((top) => [folded(top), index])));

/** The files that count, each with its path and the number of its drop. */
function filesOfDrops() {
  const last = lastDrops();
  return drops.flatMap(({ files: all }, index) => all.filter(([path]) => last.get(folded(topOf(path))) === index).map((file) => [...file, index]));
}

/** Adds a drop. One whose files are all in it unchanged is the same drop again. */
function addDrop(more) {
  const now = new Map(more);
  const isAgain = ([path, file]) => now.has(path) && now.get(path).size === file.size && now.get(path).lastModified === file.lastModified;
  latest = { files: more, names: [...new Set(more.map(([path]) => topOf(path)))], handles: more.handles ?? [] };
  drops = [...drops.filter((drop) => !drop.files.every(isAgain)), latest];
  choice = { ...choice, fresh: latest.names };
}

function takeBack(drop) {
  inTurn(async () => {
    const before = [drops, choice];
    drops = drops.filter((one) => one !== drop);
    if (!drops.length) return startOver();
    const places = Object.fromEntries(Object.entries(choice.places).filter(([file]) => !drop.names.includes(file)));
    choice = { ...choice, places, fresh: drop.names };
    let failed = await sendFiles();
    if (failed && choice.engine) {
      // the engine may be for the game that is gone
      choice = { ...choice, engine: "" };
      failed = await sendFiles();
    }
    if (!failed) return keepHandles();
    [drops, choice] = before;
    const error = new Error(`It was not taken back: ${failed.message}`);
    return showError(await sendFiles(error) ?? error);
  });
}

/** The choice for an archive above the game instead of a folder. */
const ABOVE = "/";
/** The most rows of one drop. */
const PLACED = 100;

function showDrops() {
  const last = lastDrops();
  byId("drops").replaceChildren(...drops.map((drop, index) => dropRow(drop, index, last)));
}

function dropRow(drop, index, last) {
  const { names } = drop;
  const placed = mounted.placed.filter((row) => row.drop === index);
  const gone = names.filter((top) => last.get(folded(top)) !== index);
  const told = names.length > 1 ? `${names[0]} and ${number(names.length - 1)} more` : names[0];
  return make("li", {},
    make("div", {},
      ...placed.slice(0, PLACED).map(placedRow),
      placed.length > PLACED ? note(`and ${number(placed.length - PLACED)} more`) : null,
      gone.length ? make("p", {}, name(gone.slice(0, 5).join(", ")), gone.length > 5 ? ` and ${number(gone.length - 5)} more` : "", ": a later drop of this name replaces it ", advice("drop their folders to load both")) : null,
      drop === latest && mounted.unticked.length ? note(`${mounted.unticked.join(", ")} is not chosen any more → tick it under Games to load it too`) : null,
      placed.some(({ own }) => own) ? changesOf(index) : null),
    button("×", () => takeBack(drop), { class: "back", "aria-label": `Take back ${told}`, title: "Take back" }));
}

/** The name of a download: of several loose files one of them. */
const downloadName = ({ name: file, files: all }) => (all.length > 1 ? `${file} and ${number(all.length - 1)} more` : file);

const placeSentence = (row) => `${downloadName(row)}: ${row.says}${row.help ? ` → ${row.help}` : ""}.`;

/** Chooses the only file of a drop, if the game has it. */
function chooseDropped(path) {
  const [to] = mounted.placed.find((row) => row.files.includes(path))?.to ?? [];
  const file = to?.endsWith(`/${path}`) && files.find((one) => (data.layers[one.layer].name + one.path).toLowerCase() === to.toLowerCase());
  if (file) choose(file, true);
}

function placedRow(row) {
  return make("div", { class: "placed" },
    name(downloadName(row)), `: ${row.says} `, advice(row.help), " ", row.own ? placeMenu(row) : null,
    row.left ? note(`Left, because it goes nowhere: ${row.left}`) : null,
    ...[...unsearched(row), ...row.notes.map((words) => words.replace(`, and ${mounted.engine} is `, `, and ${engineWords(mounted.engine)} is `))].map(note));
}

function placeMenu({ name: file, own, mountable }) {
  const { folders } = mounted;
  const options = [["", "as it suggests"], ...folders.map((folder) => [folder, `${folder}/`])];
  if (!folders.includes(own)) options.push([own, `a new folder ${own}/`]);
  if (mountable) options.push([ABOVE, "above the game"]);
  const menu = make("select", { "aria-label": `Place ${file}` }, ...options.map(([value, words]) => make("option", { value }, words)));
  menu.value = choice.places[file] ?? "";
  menu.addEventListener("change", () => {
    const { [file]: _, ...others } = choice.places;
    changeChoice({ places: menu.value ? { ...others, [file]: menu.value } : others, fresh: [file] });
  });
  return menu;
}

/** The folders of a download that the engine does not search, each in a sentence with an advice. */
function unsearched({ to, other }) {
  const layers = mounted.page.layers.map((layer) => layer.name.toLowerCase());
  const folders = new Set(to.map((path) => path.slice(0, path.indexOf("/") + 1)));
  const help = (folder) => (other ? `choose an engine of its game, such as ${engineWords(other)}` : `choose it under ${mounted.known.includes(folder.slice(0, -1)) ? "Games" : "Missions"}`);
  return [...folders].filter((folder) => !layers.some((layer) => layer.startsWith(folder.toLowerCase()))).map((folder) => `${engineWords(mounted.engine)} does not search ${folder}: ${help(folder)}.`);
}

const KINDS = { broken: ["Broken", "error"], overridden: ["Overridden", "warning"], lost: ["Not there now", "warning"], added: ["Added", ""], mended: ["Mended", "same"] };

/** What a drop changes, asked when it is opened. */
function changesOf(index) {
  const place = make("details", { class: "changes" }, make("summary", {}, "What this drop changes"));
  place.addEventListener("toggle", async () => {
    if (!place.open) return;
    place.replaceChildren(place.firstChild, note("Comparing the game with and without it…"));
    const shown = await question("changes", { drop: index, choice: asked() }).then(changesParts, (error) => [note(error.message)]);
    place.replaceChildren(place.firstChild, ...shown);
  });
  return place;
}

function changesParts({ verdict, ...kinds }) {
  const all = Object.entries(kinds).filter(([, { count }]) => count);
  const words = all.map(([kind, { count }]) => `${KINDS[kind][0].toLowerCase()} ${number(count)}`).join(", ");
  return [
    make("p", {}, words ? `${words[0].toUpperCase()}${words.slice(1)}.` : "It changes nothing."),
    ...(verdict ? [table(["answer", "without it", "with it"], [["verdict", ...verdict]])] : []),
    ...all.map(([kind, rows]) => changedNames(kind, rows)),
  ];
}

function changedNames(kind, { count, shown }) {
  const [title, colour] = KINDS[kind];
  const cells = ([path, old, fresh]) => [byPath.has(path) ? link(name(path), () => goTo(byPath.get(path))) : name(path), name(old), name(fresh)];
  return make("details", { open: kind === "broken" }, make("summary", {}, title, " ", tag(number(count), colour)),
    table(["name", "without it", "with it"], shown.map(cells)),
    count > shown.length ? note(`and ${number(count - shown.length)} more`) : null);
}

/** Opens the changes of the last drop. */
function openChanges() {
  const place = byId("drops").children[drops.indexOf(latest)]?.querySelector(".changes");
  latest = null;
  if (place && drops.length > 1) place.open = true;
}
