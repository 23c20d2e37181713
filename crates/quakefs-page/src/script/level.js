// A level: its walls and entities from above, its title, the files that it names, its textures.

/** The marks of entities, by the start of their class. The first marks are listed first and drawn on top. */
const MARKS = [["monster", /^monster/], ["item", /^(item|weapon|ammo|key)/], ["start", /^info_player|^testplayer/], ["other", /./], ["light", /^light/]];
const markOf = (name) => (/^light/.test(name) ? 4 : Math.max(0, MARKS.findIndex(([, start]) => start.test(name))));

function level(shown, room, alt, copy) {
  const rows = [["Title", shown.title ?? "none"], ["Entities", number(shown.entities)]];
  if (shown.outline) rows.push(["Size", `${shown.outline.units.map(number).join(" × ")} units`]);
  for (const [title, names, more] of shown.uses) {
    rows.push([title[0].toUpperCase() + title.slice(1), name(names.join(", ") + (more ? `, and ${number(more)} more` : ""))]);
  }
  if (shown.textures.all) rows.push(["Textures", `${number(shown.textures.all)} in the level`]);
  const above = shown.outline ? outline(shown.outline, alt) : shown.why ? [note(`It is not shown from above: ${shown.why}`)] : [];
  return [...above, levelButtons(shown, alt, copy), facts(rows), ...(hasAny(shown.textures) ? pictures(shown.textures, room, alt, copy) : [])];
}

/** The buttons that show a level as large as the window: from above, or from inside. */
function levelButtons(shown, alt, copy) {
  const zoom = button("Enlarge", () => {
    const [view, ...others] = outline(shown.outline, alt);
    enlarge(alt, view, zoomable(view), ...others);
  });
  const walk = button("Walk through it", () => walkThrough(copy, shown).catch(showError));
  return make("p", { class: "actions" }, shown.outline ? zoom : null, shown.outline && module && copy.layer != null ? walk : null);
}

/** The level from above: its edges as lines, and a dot for each entity. */
function outline({ units, all, lines, classes }, alt) {
  const edges = numbers(lines);
  const sorted = classes.toSorted(([a], [b]) => markOf(a) - markOf(b));
  const groups = sorted.map(dots);
  const longer = Math.max(1, ...units);
  const [width, height] = units.map((side) => Math.round((side / longer) * 65535));
  const view = drawn("svg", { class: "outline", viewBox: `-1000 -1000 ${width + 2000} ${height + 2000}`, role: "img", "aria-label": `${alt} from above` }, walls(edges), ...groups.toReversed());
  const fewer = all > edges.length / 4 ? [note(`The longest ${number(edges.length / 4)} of ${number(all)} edges of walls.`)] : [];
  return [view, ...fewer, ...(sorted.length ? [classButtons(view, sorted, groups)] : [])];
}

function walls(edges) {
  const path = [];
  for (let at = 0; at + 3 < edges.length; at += 4) path.push(`M${edges[at]} ${edges[at + 1]}L${edges[at + 2]} ${edges[at + 3]}`);
  return drawn("path", { d: path.join("") });
}

/** The entities of one class. */
function dots([name, count, places]) {
  const at = numbers(places);
  const circles = Array.from({ length: at.length / 2 }, (_, dot) => drawn("circle", { cx: at[dot * 2], cy: at[dot * 2 + 1], r: 600 }));
  return drawn("g", { class: MARKS[markOf(name)][0] }, drawn("title", {}, `${name || "no class"}: ${number(count)}`), ...circles);
}

/** A button for each class, which highlights its entities while it is pointed at, focused or pressed. */
function classButtons(view, classes, groups) {
  const buttons = classes.map(([words, count], index) => {
    const button = make("button", { type: "button", class: `mark ${MARKS[markOf(words)][0]}`, "aria-pressed": "false" }, name(words || "no class"), " ", number(count));
    const isPressed = () => button.getAttribute("aria-pressed") === "true";
    const highlight = (pointed) => {
      groups[index].classList.toggle("lit", pointed || isPressed());
      view.classList.toggle("some", groups.some((group) => group.classList.contains("lit")));
    };
    button.addEventListener("click", () => { button.setAttribute("aria-pressed", String(!isPressed())); highlight(true); });
    for (const event of ["focus", "pointerenter"]) button.addEventListener(event, () => highlight(true));
    for (const event of ["blur", "pointerleave"]) button.addEventListener(event, () => highlight(false));
    return button;
  });
  return make("div", { class: "marks", role: "group", "aria-label": "Entities by class" }, ...buttons);
}
