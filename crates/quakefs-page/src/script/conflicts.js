// The conflicts: names with several copies, the winner beside the copies that it overrides.

const STATES = { different: ["different bytes", "differs"], same: ["same bytes", "same"], unknown: ["not compared", ""] };
const stateTag = (state) => tag(...STATES[state]);

/** The most copies of one name that are shown side by side. */
const CARDS = 50;

function conflictRow(conflict) {
  const summary = make("summary", {}, name(conflict.name), tag(counted(conflict.copies.length, "copy", "copies")), stateTag(conflict.state));
  const details = make("details", { id: `conflict-${conflict.index}` }, summary);
  details.addEventListener("toggle", () => {
    if (!details.open || details.children.length > 1) return;
    const more = conflict.copies.length - CARDS;
    const together = newTurn();
    const cards = conflict.copies.slice(0, CARDS).map((copy, index) => copyCard(conflict, copy, index, together));
    details.append(differences(conflict), make("div", { class: "copies" }, ...cards));
    if (more > 0) details.append(note(`and ${counted(more, "more copy", "more copies")}`));
  });
  return details;
}

function copyCard(conflict, copy, index, together) {
  const layer = data.layers[copy.layer];
  const isWinner = index === 0;
  const stored = copy.stored ?? conflict.name;
  const place = name(copy.entry == null ? stored : `entry ${copy.entry}, ${stored}`);
  const state = copy.same == null ? "unknown" : copy.same ? "same" : "different";
  const tags = isWinner ? [tag("winner", "same")] : [tag("overridden"), " ", stateTag(state)];
  const card = make("div", { class: isWinner ? "copy winner" : "copy" },
    make("h3", {}, name(layer.name)),
    make("div", {}, ...tags, ` ${bytes(copy.size)}`),
    make("div", { class: "rule" }, place, ...(isWinner ? [] : [make("br"), `because: ${copy.rule}`])));
  const beside = conflict.copies[isWinner ? 1 : 0];
  card.append(preview(copy, 256, `${conflict.name} in ${layer.name}`, beside, together));
  if (module) card.append(saveButton(copy));
  return card;
}

// conflicts that change the game come first
const ORDER = { different: 0, unknown: 1, same: 2 };
let listed = [];
const conflictList = pager(document.querySelector("#conflicts .list"), document.querySelector("#conflicts .more"), 100, conflictRow);

function showConflicts() {
  const wanted = document.querySelector("#sameness input:checked").value;
  const sorted = conflicts.toSorted((a, b) => ORDER[a.state] - ORDER[b.state] || a.index - b.index);
  listed = wanted === "all" ? sorted : sorted.filter((conflict) => (conflict.state === "same") === (wanted === "same"));
  conflictList.show(listed);
  byId("conflicts-note").textContent = conflictsNote();
  byId("sameness").hidden = !conflicts.length;
}

function conflictsNote() {
  if (!conflicts.length) return "No file overrides another.";
  const count = (state) => conflicts.filter((conflict) => conflict.state === state).length;
  const [different, unknown] = [count("different"), count("unknown")];
  const differ = different ? `the bytes differ in ${number(different)}` : unknown ? "none is known to differ" : "all with the same bytes";
  const compared = unknown ? `; ${number(unknown)} not compared` : "";
  return `${counted(conflicts.length, "name has", "names have")} several copies; ${differ}${compared}. Open one to see its copies side by side.`;
}

on("sameness", "change", showConflicts);

function openConflict(index) {
  closeSheet();
  document.querySelector("#sameness input").checked = true;
  showConflicts();
  const row = conflictList.reach(listed.findIndex((conflict) => conflict.index === index));
  row.open = true;
  row.scrollIntoView({ block: "start" });
  row.firstChild.focus();
}
