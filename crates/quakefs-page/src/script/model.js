// A model: a view that turns by itself, by a drag and by the arrow keys; its frames and its skins.

const prefersNoMotion = matchMedia("(prefers-reduced-motion: reduce)");

function model(shown, room, alt, copy, together = newTurn(), side = 320) {
  const notes = shown.why ? [note(`Its shape is not shown: ${shown.why}`)] : [];
  const skins = hasAny(shown.pictures) ? pictures(shown.pictures, room, alt, copy) : [];
  const surfaces = surfacesOf(shown);
  const triangles = surfaces.reduce((sum, surface) => sum + surface.triangles.length / 3, 0);
  if (!triangles) return [...notes, ...skins];
  const canvas = make("canvas", {
    class: "model", width: side, height: side, tabindex: "0", role: "slider",
    "aria-label": `Turn ${alt}`, "aria-valuemin": "0", "aria-valuemax": "359",
  });
  const view = turning(canvas, surfaces, together);
  const wear = (skin, own) => {
    for (const surface of own) decoded(skin.source).then((image) => { surface.skin = image; view.redraw(); }).catch(() => {});
  };
  for (const surface of surfaces) {
    const skin = shown.pictures.shown[surface.picture];
    if (skin) wear(skin, [surface]);
  }
  const rows = [["Triangles", number(triangles)], ["Frames", number(shown.frames)], ["Skins", shown.pictures.all ? number(shown.pictures.all) : null]];
  const show = async (frame) => {
    const other = await frameOf(copy, { frame });
    if (other.why) throw new Error(other.why);
    other.surfaces.forEach((surface, index) => { surfaces[index].vertices = placed(surface, other); });
    view.redraw();
  };
  const slider = module && shown.frames > 1 ? [frames(shown.frames, alt, show)] : [];
  const larger = side > 320 ? [] : [make("p", {}, button("Enlarge", () => enlarge(alt, ...model(shown, room, alt, copy, newTurn(), 900))))];
  return [canvas, ...slider, ...skinChoice(shown.pictures.shown, surfaces, wear), note("Drag it, or use the arrow keys. The space bar stops it."), ...larger, facts(rows), ...notes, ...skins];
}

/** A list of the skins of a model that wears one of several. */
function skinChoice(all, surfaces, wear) {
  const [worn] = surfaces.map(({ picture }) => picture);
  if (all.length < 2 || worn == null || surfaces.some(({ picture }) => picture !== worn)) return [];
  const menu = make("select", {}, ...all.map((skin, index) => make("option", { value: index }, skin.name || `skin ${number(index + 1)}`)));
  menu.value = worn;
  menu.addEventListener("change", () => wear(all[menu.value], surfaces));
  return [make("p", {}, make("label", {}, "Skin ", menu))];
}

/** The vertices of a surface: their positions in units of the game, and on the skin. */
function placed(surface, { corner, side }) {
  return Float32Array.from(numbers(surface.vertices), (step, at) => (at % 5 < 3 ? corner[at % 5] + (step * side) / 65535 : step));
}

/** The surfaces with their numbers decoded, and with the middle and the reach of the whole model. */
function surfacesOf(shown) {
  const surfaces = shown.surfaces.map((surface) => ({
    ...surface, vertices: placed(surface, shown), triangles: numbers(surface.triangles), skin: null, texel: [1 / 4096, 1 / 4096],
  }));
  const [least, most] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  eachCorner(surfaces, (corner) => corner.forEach((at, axis) => {
    least[axis] = Math.min(least[axis], at);
    most[axis] = Math.max(most[axis], at);
  }));
  const middle = most.map((side, axis) => (side + least[axis]) / 2);
  let reach = 1;
  eachCorner(surfaces, (corner) => { reach = Math.max(reach, Math.hypot(...corner.map((at, axis) => at - middle[axis]))); });
  return surfaces.map((surface) => ({ ...surface, middle, reach }));
}

function eachCorner(surfaces, act) {
  for (const { vertices } of surfaces) {
    for (let at = 0; at < vertices.length; at += 5) act([...vertices.subarray(at, at + 3)]);
  }
}

/** How a model, or several together, are turned: at a time while they turn by themselves. */
const newTurn = () => ({ turn: 30, tilt: 12, turns: true, at: 0, views: [] });

/** The matrix with which a model fills a view: east is to the right, turned and tilted by some degrees. */
function turned({ middle: [x, y, z], reach }, { turn, tilt }) {
  const [sin, cos, low, high] = [turn, tilt].flatMap((angle) => [Math.sin(angle * Math.PI / 180), Math.cos(angle * Math.PI / 180)]);
  const scale = 0.96 / reach;
  const rows = [[sin, cos, 0], [-cos * low, sin * low, high], [-cos * high, sin * high, -low]].map((row) => row.map((step) => step * scale));
  return [...[0, 1, 2].flatMap((axis) => [...rows.map((row) => row[axis]), 0]), ...rows.map(([a, b, c]) => -(a * x + b * y + c * z)), 1];
}

/** Draws a model on a canvas, and again whenever it moves. */
function turning(canvas, surfaces, state) {
  const context = canvas.getContext("2d");
  let [visible, isWaiting] = [false, false];
  const draw = (time) => {
    const moves = state.turns && visible && !prefersNoMotion.matches;
    // the first view of a moment turns the others too
    if (moves && time > state.at) {
      if (state.at) state.turn += Math.min(100, time - state.at) * 0.04;
      state.at = time;
    } else if (!moves) state.at = 0;
    if (!drawSurfaces(context, surfaces, turned(surfaces[0], state))) canvas.replaceWith(note("This browser has no WebGL 2, with which models are drawn."));
    isWaiting = moves;
    if (moves) requestAnimationFrame(draw);
  };
  const redraw = () => {
    if (!isWaiting) requestAnimationFrame(draw);
    isWaiting = true;
  };
  const tell = () => {
    const turn = Math.round(state.turn) % 360;
    canvas.setAttribute("aria-valuenow", String(turn));
    canvas.setAttribute("aria-valuetext", `turned by ${turn} degrees, seen from ${Math.round(state.tilt)} degrees above`);
    redraw();
  };
  state.views.push(tell);
  tell();
  const move = (by, up) => {
    state.turns = false;
    state.turn = (state.turn + by + 360) % 360;
    state.tilt = Math.max(-90, Math.min(90, state.tilt + up));
    for (const view of state.views) view();
  };
  const pause = () => {
    state.turns = !state.turns;
    for (const view of state.views) view();
  };
  moveByKeys(canvas, move, pause);
  moveByDrag(canvas, (right, down) => move(right * 0.8, down * 0.8));
  new IntersectionObserver(([entry]) => { visible = entry.isIntersecting; redraw(); }).observe(canvas);
  return { redraw };
}

function moveByKeys(canvas, move, pause) {
  const moves = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, 10], ArrowDown: [0, -10] };
  canvas.addEventListener("keydown", (event) => {
    if (!moves[event.key] && event.key !== " ") return;
    event.preventDefault();
    if (moves[event.key]) move(...moves[event.key]);
    else pause();
  });
}

function moveByDrag(canvas, move) {
  let held = null;
  canvas.addEventListener("pointerdown", (event) => { held = event; canvas.setPointerCapture(event.pointerId); move(0, 0); });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    move(event.clientX - held.clientX, event.clientY - held.clientY);
    held = event;
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { held = null; });
}
