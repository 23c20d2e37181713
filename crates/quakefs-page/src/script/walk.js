// A walk through a level: its faces with their textures and their light, from the eyes of a player whom no wall stops.

/** The fastest walk, in units of the game a second: as fast as a player, or with Shift. */
const SPEEDS = [320, 1280];
const EYES = 22;
const KEYS = { w: "ahead", ArrowUp: "ahead", s: "back", ArrowDown: "back", a: "left", d: "right", " ": "up", c: "down", ArrowLeft: "turnLeft", ArrowRight: "turnRight" };

/** The surfaces of a level, and where a player starts. `shown` is the preview of the level, which has its textures. */
async function walkable(copy, shown) {
  const { answer, blob } = await ask({ question: { walk: copyKey(copy) } });
  if (answer.error) throw errorOf(answer);
  const data = await blob.arrayBuffer();
  const places = answer.corners * 28;
  const vertices = new Float32Array(data, 0, answer.corners * 7);
  const triangles = new Uint32Array(data, places, answer.triangles * 3);
  const [width, height] = answer.light;
  const light = { width, height, data: new Uint8Array(data, places + answer.triangles * 12) };
  let start = 0;
  const surfaces = answer.parts.map((part) => {
    const surface = { ...part, vertices, triangles, light, start, count: part.triangles * 3 };
    start += surface.count;
    return surface;
  });
  return { surfaces, start: answer.start ?? [...middleOf(vertices), 0] };
}

function middleOf(vertices) {
  const sum = [0, 0, 0];
  for (let at = 0; at < vertices.length; at += 7) for (const axis of [0, 1, 2]) sum[axis] += vertices[at + axis];
  return sum.map((all) => all / Math.max(1, vertices.length / 7));
}

/** Gives each surface its picture, from the level or from another file, and calls `act` after each. */
function dress(surfaces, shown, act) {
  for (const surface of surfaces) {
    const find = async () => {
      const file = surface.file && byPath.get(surface.file);
      const held = file ? await previewOf(file) : shown.textures;
      const pictures = held.shown ?? [];
      const picture = pictures.find((one) => one.name.toLowerCase() === surface.texture.toLowerCase()) ?? (file && pictures.length === 1 ? pictures[0] : null);
      if (!picture) return;
      surface.skin = await decoded(picture.source);
      surface.texel = surface.in_pixels ? [1 / (picture.width || surface.skin.width), 1 / (picture.height || surface.skin.height)] : [1, 1];
      act();
    };
    find().catch(() => {});
  }
}

/** The matrix of what an eye sees, in an angle of 90 degrees. */
function seen({ place, turn, tilt }, ratio) {
  const [sin, cos, low, high] = [turn, tilt].flatMap((angle) => [Math.sin(angle * Math.PI / 180), Math.cos(angle * Math.PI / 180)]);
  const ahead = [high * cos, high * sin, low];
  const rows = [[sin, -cos, 0], [-low * cos, -low * sin, high].map((step) => step * ratio), ahead, ahead];
  const along = (row) => -row.reduce((sum, step, axis) => sum + step * place[axis], 0);
  const [near, far] = [4, 65536];
  const deep = (far + near) / (far - near);
  const column = ([right, up, depth, distance]) => [right, up, depth * deep, distance];
  return [...[0, 1, 2].flatMap((axis) => column(rows.map((row) => row[axis]))),
    along(rows[0]), along(rows[1]), along(ahead) * deep - (2 * far * near) / (far - near), along(ahead)];
}

/** Opens a walk through a level. */
async function walkThrough(copy, shown) {
  const { surfaces, start: [x, y, z, angle] } = await walkable(copy, shown);
  const eye = { place: [x, y, z + EYES], turn: angle, tilt: 0 };
  const canvas = make("canvas", { class: "walk", width: 1280, height: 720, tabindex: "0", role: "application", "aria-label": `Walk through ${copy.name}` });
  const context = canvas.getContext("2d");
  const held = new Set();
  let [last, waits] = [0, false];
  const draw = (time) => {
    waits = false;
    if (!canvas.isConnected) return;
    if (last) step(eye, held, Math.min(100, time - last) / 1000);
    last = held.size ? time : 0;
    if (!drawSurfaces(context, surfaces, seen(eye, canvas.width / canvas.height))) canvas.replaceWith(note("This browser has no WebGL 2, with which levels are drawn."));
    if (held.size) redraw();
  };
  const redraw = () => {
    if (!waits) requestAnimationFrame(draw);
    waits = true;
  };
  const key = ({ key: pressed }) => KEYS[pressed.length === 1 ? pressed.toLowerCase() : pressed] ?? (pressed === "Shift" ? "fast" : null);
  canvas.addEventListener("keydown", (event) => {
    if (!key(event) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    // a short press ends before the next picture
    if (!event.repeat) step(eye, held.add(key(event)), 0.03);
    redraw();
  });
  canvas.addEventListener("keyup", (event) => held.delete(key(event)));
  canvas.addEventListener("blur", () => held.clear());
  moveByDrag(canvas, (right, down) => {
    eye.turn += right * 0.4;
    eye.tilt = Math.max(-89, Math.min(89, eye.tilt + down * 0.4));
    redraw();
  });
  const walk = button("Walk ahead", () => {});
  for (const event of ["pointerdown", "pointerup", "pointerleave"]) {
    walk.addEventListener(event, () => { if (event === "pointerdown") held.add("ahead"); else held.delete("ahead"); redraw(); });
  }
  enlarge(copy.name, canvas, make("p", { class: "actions" }, walk), note("W, A, S and D walk, the arrow keys turn, Space and C rise and sink, Shift runs, a drag looks around. No wall stops you."));
  canvas.focus();
  dress(surfaces, shown, redraw);
  redraw();
}

/** Moves an eye for some seconds. */
function step(eye, held, time) {
  const by = (more, less) => (held.has(more) ? 1 : 0) - (held.has(less) ? 1 : 0);
  const way = SPEEDS[held.has("fast") ? 1 : 0] * time;
  const angle = (eye.turn += by("turnLeft", "turnRight") * 120 * time) * Math.PI / 180;
  const [ahead, right, flat] = [by("ahead", "back") * way, by("right", "left") * way, Math.cos(eye.tilt * Math.PI / 180)];
  eye.place[0] += Math.cos(angle) * flat * ahead + Math.sin(angle) * right;
  eye.place[1] += Math.sin(angle) * flat * ahead - Math.cos(angle) * right;
  eye.place[2] += Math.sin(eye.tilt * Math.PI / 180) * ahead + by("up", "down") * way;
}
