// A model: a view that turns by itself, by a drag and by the arrow keys; its frames and its skins.

const prefersNoMotion = matchMedia("(prefers-reduced-motion: reduce)");

function model(shown, room, alt, copy, together = newTurn()) {
  const notes = shown.why ? [note(`Its shape is not shown: ${shown.why}`)] : [];
  const skins = hasAny(shown.pictures) ? pictures(shown.pictures, room, alt) : [];
  const surfaces = surfacesOf(shown);
  const triangles = surfaces.reduce((sum, surface) => sum + surface.triangles.length / 3, 0);
  if (!triangles) return [...notes, ...skins];
  const canvas = make("canvas", {
    class: "model", width: 320, height: 320, tabindex: "0", role: "slider",
    "aria-label": `Turn ${alt}`, "aria-valuemin": "0", "aria-valuemax": "359",
  });
  const view = turning(canvas, surfaces, together);
  for (const surface of surfaces) {
    const skin = shown.pictures.shown[surface.picture];
    if (skin) pixelsOf(skin.source).then((pixels) => { surface.skin = pixels; view.redraw(); }).catch(() => {});
  }
  const rows = [["Triangles", number(triangles)], ["Frames", number(shown.frames)], ["Skins", shown.pictures.all ? number(shown.pictures.all) : null]];
  const show = async (frame) => {
    const other = await frameOf(copy, frame);
    if (other.why) throw new Error(other.why);
    other.surfaces.forEach((surface, index) => { surfaces[index].vertices = placed(surface, other); });
    view.redraw();
  };
  const slider = module && shown.frames > 1 ? [frames(shown.frames, alt, show)] : [];
  return [canvas, ...slider, note("Drag it, or use the arrow keys. The space bar stops it."), facts(rows), ...notes, ...skins];
}

/** The vertices of a surface: their positions in units of the game, and on the skin. */
function placed(surface, { corner, side }) {
  return Float32Array.from(numbers(surface.vertices), (step, at) => (at % 5 < 3 ? corner[at % 5] + (step * side) / 65535 : step));
}

/** The surfaces with their numbers decoded, and with the middle and the reach of the whole model. */
function surfacesOf(shown) {
  const surfaces = shown.surfaces.map((surface) => ({
    ...surface, vertices: placed(surface, shown), triangles: numbers(surface.triangles), skin: PLAIN,
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
    drawModel(context, surfaces, state.turn, state.tilt);
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
  moveByDrag(canvas, move);
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
    move((event.clientX - held.clientX) * 0.8, (event.clientY - held.clientY) * 0.8);
    held = event;
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { held = null; });
}
