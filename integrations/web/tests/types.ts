// Compiles in a project for Node.js, without the types of a browser and without `skipLibCheck`.
import { openAsBlob } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { mount, QuakeError, RangeSource, type FileHandle, type FileRow, type FindingRow, type Model, type Picture, type Quake } from "quakefs";

export async function game(): Promise<Quake> {
  const file = await open("pak2.pak");
  const { size } = await file.stat();
  const read = async (offset: number, length: number) => (await file.read(new Uint8Array(length), 0, length, offset)).buffer;
  const sources = { "id1/pak0.pak": await openAsBlob("pak0.pak"), "id1/pak1.pak": await readFile("pak1.pak"), "id1/pak2.pak": { size, read } };
  const quake = await mount({ sources, module: await readFile("quakefs.wasm"), signal: AbortSignal.timeout(1000) });
  return mount({ sources: [["id1/pak0.pak", new RangeSource("http://localhost/", { fetch })] as const], engine: quake.engine, on: "linux", games: ["mymod"], base_games: [], over: [{ file: "level.zip" }], module: new URL("file:///quakefs.wasm") });
}

export async function answers(quake: Quake, handle: FileHandle): Promise<unknown> {
  await mount({ sources: handle });
  await mount({ sources: [handle] });
  await mount({ sources: new Map([["id1/pak0.pak", new Uint8Array()]]) });
  const bytes: Uint8Array<ArrayBuffer> = await quake.read("a.cfg");
  const all: readonly FindingRow[] = await quake.check({ all: true });
  const presence: string | undefined = (await quake.needs("maps/start.bsp")).levels[0]?.needed[0]?.presence;
  const overridden: string | undefined = (await quake.which("a.cfg")).overridden[0]?.layer;
  const winner: FileRow | null = quake.find("a.cfg");
  const differences = await quake.compare(["quakespasm", "fte@windows"]);
  // @ts-expect-error: no engine has this name
  await quake.compare(["doom"]);
  const { place, effects } = await quake.place("level.zip", "mine");
  const { triangles }: Model = await quake.until(AbortSignal.timeout(1000)).model("progs/ogre.mdl");
  const light: Uint8Array<ArrayBuffer> = (await quake.level("maps/start.bsp")).light;
  const picture: Picture | null = await quake.picture("gfx/conback.lmp");
  const level: string | undefined = (await quake.facts("run.dem")).Level;
  // @ts-expect-error: only the package makes these errors
  new QuakeError("a");
  quake.close();
  return [new Blob([bytes]), new Response(bytes), all, triangles, light, picture, level, presence, overridden, winner, differences, place.parts, effects?.overridden["id1/"]];
}
