// Shows a model with its skin: `three.html#http://…/pak0.pak` reads only the bytes that it needs.
import * as THREE from "three";
import { mount } from "quakefs";

const said = document.getElementById("said");

/** The skin of some triangles: a picture in the model, or a file that a browser may have to decode. */
async function textureOf(quake, { skins }, { name, file }) {
  if (name && !file) return null;
  const isEncoded = /\.(png|jpe?g)$/i.test(file ?? "");
  const picture = isEncoded ? await createImageBitmap(await quake.blob(file)) : name ? await quake.picture(file) : skins[0]?.[0];
  if (!picture) return null;
  const texture = isEncoded ? new THREE.Texture(picture) : new THREE.DataTexture(picture.data, picture.width, picture.height);
  return Object.assign(texture, { flipY: false, needsUpdate: true, colorSpace: THREE.SRGBColorSpace, magFilter: THREE.NearestFilter });
}

/** The first frame of a model as a group of meshes, one unit long. Quake's x, y and z are forward, left and up. */
async function meshes(quake, model) {
  const group = new THREE.Group();
  for (const surface of model.surfaces) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(model.frames[0].positions, 3));
    geometry.setAttribute("uv", new THREE.BufferAttribute(model.uvs, 2));
    // clockwise triangles show their backs to three.js
    const triangles = model.triangles.slice(3 * surface.start, 3 * (surface.start + surface.count)).reverse();
    geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
    group.add(new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ map: await textureOf(quake, model, surface) })));
  }
  const box = new THREE.Box3().setFromObject(group);
  const [middle, size] = [box.getCenter(new THREE.Vector3()), box.getSize(new THREE.Vector3())];
  group.children.forEach((mesh) => mesh.position.sub(middle));
  group.scale.setScalar(1 / Math.max(size.x, size.y, size.z));
  return group;
}

async function show(sources) {
  const quake = await mount({ sources });
  const file = quake.find("progs/player.mdl") ?? quake.glob("**/*.md[l23]")[0];
  if (!file) throw new Error("no model is in these files");
  const scene = new THREE.Scene();
  const model = await meshes(quake, await quake.model(file));
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
