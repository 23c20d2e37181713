// A server of a folder, and of files in memory, that answers byte ranges or not. `node server.js FOLDER` prints its address.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

export async function serve(folder, { ranges = true, hides = false } = {}) {
  const files = new Map();
  const requests = [];
  const versions = new Map();
  const made = { cut: null };
  let count = 0;
  const respond = async (request, response) => {
    count += 1;
    if (made.cut) return made.cut(response, request);
    const path = decodeURI(request.url);
    const bytes = files.get(path) ?? await readFile(join(folder, path)).catch(() => null);
    if (!bytes) {
      return response.writeHead(404).end();
    }
    if (files.has(path) && !versions.has(bytes)) versions.set(bytes, `"${versions.size}"`);
    const [, start, end] = (ranges && request.headers.range?.match(/^bytes=(\d+)-(\d+)$/)) || [];
    const part = start == null ? bytes : bytes.subarray(Number(start), Number(end) + 1);
    requests.push({ method: request.method, range: request.headers.range, bytes: request.method === "HEAD" ? 0 : part.length });
    const headers = { "access-control-allow-origin": "*", "content-type": TYPES[extname(path)] ?? "application/octet-stream", "content-length": part.length, etag: versions.get(bytes) ?? '"0"' };
    if (start == null) {
      response.writeHead(200, headers);
    } else if (Number(start) >= bytes.length) {
      return response.writeHead(416, { ...headers, "content-length": 0, "content-range": `bytes */${bytes.length}` }).end();
    } else {
      if (!hides) headers["content-range"] = `bytes ${start}-${Number(start) + part.length - 1}/${bytes.length}`;
      response.writeHead(206, headers);
    }
    return response.end(request.method === "HEAD" ? undefined : part);
  };
  const server = createServer((request, response) => { respond(request, response).catch(() => response.destroy()); });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  const close = () => { server.close(); server.closeAllConnections(); };
  // `cut` answers instead
  Object.assign(made, { url: `http://127.0.0.1:${server.address().port}`, files, requests, count: () => count, close });
  return made;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await serve(process.argv[2])).url);
