// A view of a model: a software renderer with a depth buffer, whose triangles carry a skin.

/** One grey pixel, for a surface whose skin is missing or not decoded yet. */
const PLAIN = { width: 1, height: 1, colours: Uint32Array.of(0xffb4bcc0) };

/** The pixels of a skin. */
async function pixelsOf(source) {
  const image = new Image();
  image.src = source;
  await image.decode();
  const [width, height] = [image.naturalWidth, image.naturalHeight].map((side) => Math.min(side, 1024));
  const context = make("canvas", { width, height }).getContext("2d");
  context.drawImage(image, 0, 0, width, height);
  return { width, height, colours: new Uint32Array(context.getImageData(0, 0, width, height).data.buffer) };
}

/** The most pixels that one view examines: a small model can claim to cover the view thousands of times. */
const WORK = 3e7;

/** Draws the surfaces, turned and tilted by some degrees. */
function drawModel(context, surfaces, turn, tilt) {
  const side = context.canvas.width;
  const image = context.createImageData(side, side);
  const view = {
    side, work: WORK, colours: new Uint32Array(image.data.buffer), depths: new Float32Array(side * side).fill(-Infinity),
  };
  for (const surface of surfaces) drawSurface(view, surface, turn * Math.PI / 180, tilt * Math.PI / 180);
  context.putImageData(image, 0, 0);
}

function drawSurface(view, surface, turn, tilt) {
  const points = projected(surface, view.side, turn, tilt);
  const { triangles } = surface;
  for (let at = 0; at + 2 < triangles.length; at += 3) {
    const triangle = setUp(view, points, surface, triangles.subarray(at, at + 3));
    if (!triangle) continue;
    view.work -= Math.max(0, triangle.right - triangle.left + 1) * Math.max(0, triangle.bottom - triangle.top + 1);
    if (view.work < 0) return;
    fillTriangle(view, surface.skin, triangle);
  }
}

/** The vertices as the view sees them: three numbers each, right, down and towards the viewer. */
function projected({ vertices, middle, reach }, side, turn, tilt) {
  const [sin, cos, low, high] = [Math.sin(turn), Math.cos(turn), Math.sin(tilt), Math.cos(tilt)];
  const scale = (side * 0.48) / reach;
  const points = new Float32Array((vertices.length / 5) * 3);
  for (let from = 0, to = 0; to < points.length; from += 5, to += 3) {
    const [x, y, z] = [vertices[from] - middle[0], vertices[from + 1] - middle[1], vertices[from + 2] - middle[2]];
    const near = cos * x - sin * y;
    points[to] = side / 2 + (sin * x + cos * y) * scale;
    points[to + 1] = side / 2 - (z * high - near * low) * scale;
    points[to + 2] = (near * high + z * low) * scale;
  }
  return points;
}

/** The edges, light and box of a triangle; `null` if the viewer sees it edge-on. */
function setUp({ side }, points, { vertices, skin }, corners) {
  const [a, b, c] = corners;
  const [ax, ay, az] = points.subarray(a * 3, a * 3 + 3);
  const [bx, by, bz] = points.subarray(b * 3, b * 3 + 3);
  const [cx, cy, cz] = points.subarray(c * 3, c * 3 + 3);
  const [ux, uy, uz, vx, vy, vz] = [bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az];
  const [nx, ny, area] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(nx, ny, area);
  if (!area || !length) return null;
  const front = Math.sign(area);
  const texel = (vertex) => [(vertices[vertex * 5 + 3] / 4096) * skin.width, (vertices[vertex * 5 + 4] / 4096) * skin.height];
  return {
    ax, ay, az, ux, uy, uz, vx, vy, vz, area,
    texels: [texel(a), texel(b), texel(c)],
    // of two sides at one depth, the one that faces the viewer is drawn
    nearer: front > 0 ? 0.5 : 0,
    // light comes from above, from the left and from the viewer
    light: 0.5 + 0.5 * Math.max(0, (-0.3 * nx - 0.5 * ny + 0.8 * area) * front / length),
    left: Math.max(0, Math.ceil(Math.min(ax, bx, cx))), right: Math.min(side - 1, Math.floor(Math.max(ax, bx, cx))),
    top: Math.max(0, Math.ceil(Math.min(ay, by, cy))), bottom: Math.min(side - 1, Math.floor(Math.max(ay, by, cy))),
  };
}

/** Draws the pixels of a triangle that nothing nearer covers. */
function fillTriangle({ side, depths, colours }, skin, triangle) {
  const { ax, ay, az, ux, uy, uz, vx, vy, vz, area, nearer, light, left, right, top, bottom } = triangle;
  const [[pa, qa], [pb, qb], [pc, qc]] = triangle.texels;
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) {
      const second = ((x - ax) * vy - (y - ay) * vx) / area;
      const third = ((y - ay) * ux - (x - ax) * uy) / area;
      const first = 1 - second - third;
      if (first < -1e-4 || second < -1e-4 || third < -1e-4) continue;
      const pixel = y * side + x;
      const depth = az + second * uz + third * vz + nearer;
      if (depth <= depths[pixel]) continue;
      const across = Math.floor(Math.abs(pa * first + pb * second + pc * third)) % skin.width;
      const down = Math.floor(Math.abs(qa * first + qb * second + qc * third)) % skin.height;
      const colour = skin.colours[down * skin.width + across];
      if (colour >>> 24 < 128) continue;
      depths[pixel] = depth;
      colours[pixel] = 0xff000000 | ((colour >> 16 & 255) * light) << 16 | ((colour >> 8 & 255) * light) << 8 | (colour & 255) * light;
    }
  }
}
