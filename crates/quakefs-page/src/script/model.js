// A model: a view that turns by itself, by a drag and by the arrow keys; its skins.

const prefersNoMotion = matchMedia("(prefers-reduced-motion: reduce)");

function model(shown, room, alt) {
  const notes = shown.why ? [note(`Its shape is not shown: ${shown.why}`)] : [];
  const skins = hasAny(shown.pictures) ? pictures(shown.pictures, room, alt) : [];
  const surfaces = surfacesOf(shown);
  const triangles = surfaces.reduce((sum, surface) => sum + surface.triangles.length / 3, 0);
  if (!triangles) return [...notes, ...skins];
  const canvas = make("canvas", {
    class: "model", width: 320, height: 320, tabindex: "0", role: "slider",
    "aria-label": `Turn ${alt}`, "aria-valuemin": "0", "aria-valuemax": "359",
  });
  const view = turning(canvas, surfaces);
  for (const surface of surfaces) {
    const skin = shown.pictures.shown[surface.picture];
    if (skin) pixelsOf(skin.source).then((pixels) => { surface.skin = pixels; view.redraw(); }).catch(() => {});
  }
  const rows = [["Triangles", number(triangles)], ["Skins", shown.pictures.all ? number(shown.pictures.all) : null]];
  return [canvas, note("Drag it, or use the arrow keys. The space bar stops it."), facts(rows), ...notes, ...skins];
}

/** The surfaces with their numbers decoded, and with the middle and the reach of the whole model. */
function surfacesOf(shown) {
  const surfaces = shown.surfaces.map((surface) => ({
    ...surface, vertices: numbers(surface.vertices), triangles: numbers(surface.triangles), skin: PLAIN,
  }));
  const most = [0, 0, 0];
  eachCorner(surfaces, (corner) => corner.forEach((at, axis) => { most[axis] = Math.max(most[axis], at); }));
  const middle = most.map((side) => side / 2);
  let reach = 1;
  eachCorner(surfaces, (corner) => { reach = Math.max(reach, Math.hypot(...corner.map((at, axis) => at - middle[axis]))); });
  return surfaces.map((surface) => ({ ...surface, middle, reach }));
}

function eachCorner(surfaces, act) {
  for (const { vertices } of surfaces) {
    for (let at = 0; at < vertices.length; at += 5) act([...vertices.subarray(at, at + 3)]);
  }
}

/** Draws a model on a canvas, and again whenever it moves. */
function turning(canvas, surfaces) {
  const context = canvas.getContext("2d");
  let [turn, tilt, turns, visible, drawnAt] = [30, 12, true, false, 0];
  const draw = (time) => {
    const passed = drawnAt ? Math.min(100, time - drawnAt) : 0;
    const moves = turns && visible && !prefersNoMotion.matches;
    if (moves) turn += passed * 0.04;
    drawModel(context, surfaces, turn, tilt);
    drawnAt = moves ? time : 0;
    if (moves) requestAnimationFrame(draw);
  };
  const redraw = () => { if (!drawnAt) requestAnimationFrame(draw); };
  const move = (by, up) => {
    turns = false;
    turn = (turn + by + 360) % 360;
    tilt = Math.max(-90, Math.min(90, tilt + up));
    canvas.setAttribute("aria-valuenow", String(Math.round(turn) % 360));
    canvas.setAttribute("aria-valuetext", `turned by ${Math.round(turn) % 360} degrees, seen from ${Math.round(tilt)} degrees above`);
    redraw();
  };
  const pause = () => { turns = !turns; redraw(); };
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
