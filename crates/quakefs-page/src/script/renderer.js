// Triangles with textures: WebGL 2 on one canvas, from which each view takes its picture. A browser has few such canvases.

const VERTEX = `#version 300 es
in vec3 place; in vec2 point; in vec2 light;
uniform mat4 view; uniform vec2 texel;
out vec3 at; out vec2 on; out vec2 lit;
void main() {
  gl_Position = view * vec4(place, 1);
  at = gl_Position.xyz * vec3(1, 1, -1);
  on = point * texel;
  lit = light;
}`;
// A model is lit from above, from the left and from the viewer; a level has light, of which 128 is the texture as it is.
const FRAGMENT = `#version 300 es
precision highp float;
in vec3 at; in vec2 on; in vec2 lit;
uniform sampler2D skin, lights; uniform bool isLit;
out vec4 colour;
void main() {
  vec4 found = texture(skin, on);
  if (found.a < 0.5) discard;
  vec3 side = normalize(cross(dFdx(at), dFdy(at)));
  float shade = 0.5 + 0.5 * max(0.0, dot(side, vec3(-0.3, 0.5, 0.8)));
  colour = vec4(found.rgb * (isLit ? 2.0 * texture(lights, lit).rgb : vec3(shade)), 1);
}`;

/** One grey pixel, for a surface whose texture is missing or not decoded yet. */
const PLAIN = { width: 1, height: 1, data: Uint8Array.of(180, 188, 192, 255) };

let renderer = null;

/** The canvas with the program; `null` in a browser without WebGL 2. */
function startRenderer() {
  const canvas = make("canvas");
  const gl = canvas.getContext("webgl2");
  if (!gl) return null;
  canvas.addEventListener("webglcontextlost", () => { renderer = null; });
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  ["place", "point", "light"].forEach((name, index) => gl.bindAttribLocation(program, index, name));
  gl.linkProgram(program);
  gl.useProgram(program);
  const uniform = (name) => gl.getUniformLocation(program, name);
  gl.uniform1i(uniform("lights"), 1);
  for (const kind of [gl.DEPTH_TEST, gl.CULL_FACE]) gl.enable(kind);
  gl.depthFunc(gl.LEQUAL);
  // what the graphics processor holds of arrays and pictures, until those are gone
  return { canvas, gl, held: new WeakMap(), view: uniform("view"), texel: uniform("texel"), isLit: uniform("isLit") };
}

/** What the graphics processor holds of an array or a picture. */
function holding(thing, make) {
  if (!renderer.held.has(thing)) renderer.held.set(thing, make(renderer.gl));
  return renderer.held.get(thing);
}

function useArray(target, array) {
  const buffer = holding(array, (gl) => {
    const made = gl.createBuffer();
    gl.bindBuffer(target, made);
    gl.bufferData(target, array, gl.STATIC_DRAW);
    return made;
  });
  renderer.gl.bindBuffer(target, buffer);
}

/** A picture as a texture: an image, or `data` with the bytes of three or four colours a pixel. */
function usePicture(picture, isSmooth) {
  const texture = holding(picture, (gl) => {
    const made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    const { width, height, data } = picture;
    const format = data && data.length < width * height * 4 ? gl.RGB : gl.RGBA;
    if (data) gl.texImage2D(gl.TEXTURE_2D, 0, format, width, height, 0, format, gl.UNSIGNED_BYTE, data);
    else gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, isSmooth ? gl.LINEAR : gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, isSmooth ? gl.LINEAR : gl.NEAREST_MIPMAP_LINEAR);
    if (!isSmooth) gl.generateMipmap(gl.TEXTURE_2D);
    return made;
  });
  renderer.gl.bindTexture(renderer.gl.TEXTURE_2D, texture);
}

/**
 * Draws surfaces on a 2D canvas, and returns whether the browser can. A surface has `vertices` (five numbers each, or seven with a position in
 * `light`), `triangles`, `start` and `count` of its corners in these, a `skin`, and `texel`, the size of a unit of its positions on the skin.
 * `view` is a matrix by columns.
 */
function drawSurfaces(context, surfaces, view) {
  renderer ??= startRenderer();
  if (!renderer) return false;
  const { canvas, gl } = renderer;
  const { width, height } = context.canvas;
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  gl.viewport(0, 0, width, height);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.uniformMatrix4fv(renderer.view, false, view);
  // of two sides at one depth, the one that faces the viewer is drawn
  for (const hidden of [gl.BACK, gl.FRONT]) {
    gl.cullFace(hidden);
    for (const surface of surfaces) drawSurface(gl, surface);
  }
  context.clearRect(0, 0, width, height);
  context.drawImage(canvas, 0, 0);
  return true;
}

function drawSurface(gl, { vertices, triangles, start = 0, count = triangles.length, skin, texel, light }) {
  useArray(gl.ARRAY_BUFFER, vertices);
  useArray(gl.ELEMENT_ARRAY_BUFFER, triangles);
  const stride = light ? 28 : 20;
  for (const [index, size, offset] of [[0, 3, 0], [1, 2, 12], [2, 2, 20]]) {
    if (offset < stride) {
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, size, gl.FLOAT, false, stride, offset);
    } else gl.disableVertexAttribArray(index);
  }
  gl.activeTexture(gl.TEXTURE1);
  usePicture(light ?? PLAIN, Boolean(light));
  gl.activeTexture(gl.TEXTURE0);
  usePicture(skin ?? PLAIN, false);
  gl.uniform1i(renderer.isLit, light ? 1 : 0);
  gl.uniform2fv(renderer.texel, skin ? texel : [1, 1]);
  const wide = triangles instanceof Uint32Array;
  gl.drawElements(gl.TRIANGLES, count, wide ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT, start * triangles.BYTES_PER_ELEMENT);
}

/** A picture that is decoded. */
async function decoded(source) {
  const image = new Image();
  image.src = source;
  await image.decode();
  return image;
}
