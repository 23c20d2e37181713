// Shows a model with its skin: `three.html#http://…/pak0.pak` reads only the bytes that it needs.
import * as THREE from "three";
import { mount } from "quakefs";

const said = document.getElementById("said");

/** A preview as a group of meshes. Quake's x, y and z are forward, left and up. */
async function meshes({ surfaces, pictures }) {
  const textures = await Promise.all(pictures.map(async ({ blob }) => {
    const texture = new THREE.Texture(await createImageBitmap(blob));
    Object.assign(texture, { flipY: false, needsUpdate: true, colorSpace: THREE.SRGBColorSpace, magFilter: THREE.NearestFilter });
    return texture;
  }));
  const group = new THREE.Group();
  for (const { vertices, triangles, picture } of surfaces) {
    const count = vertices.length / 5;
    const part = (first, size, by) => new THREE.BufferAttribute(Float32Array.from({ length: count * size }, (_, at) => vertices[5 * Math.floor(at / size) + first + at % size] / by), size);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", part(0, 3, 65535));
    geometry.setAttribute("uv", part(3, 2, 4096));
    // clockwise triangles show their backs to three.js
    geometry.setIndex(new THREE.BufferAttribute(Uint16Array.from(triangles).reverse(), 1));
    group.add(new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ map: textures[picture] ?? null })));
  }
  const middle = new THREE.Box3().setFromObject(group).getCenter(new THREE.Vector3());
  group.children.forEach((mesh) => mesh.position.sub(middle));
  return group;
}

async function show(sources) {
  const quake = await mount({ sources });
  const file = quake.find("progs/player.mdl") ?? quake.glob("**/*.md[l23]")[0];
  if (!file) throw new Error("no model is in these files");
  const scene = new THREE.Scene();
  const model = await meshes(await quake.preview(file));
  scene.add(model);
  const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 10);
  camera.up.set(0, 0, 1);
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(480, 480);
  document.body.append(renderer.domElement);
  renderer.setAnimationLoop((time) => {
    camera.position.set(2 * Math.cos(time / 1000), 2 * Math.sin(time / 1000), 0.5);
    camera.lookAt(0, 0, 0);
    renderer.render(scene, camera);
  });
  said.textContent = `${file.name} from ${file.layer}`;
}

const tell = (error) => { said.textContent = error.message; };
document.querySelector("input").addEventListener("change", ({ target }) => { show(target.files).catch(tell); });
if (location.hash) show({ "id1/pak0.pak": location.hash.slice(1) }).catch(tell);
