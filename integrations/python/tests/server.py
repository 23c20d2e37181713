"""A server that gives ranges of files, as object stores do, and counts what it gives."""

import http.server
import re
import threading


class Server:
    """Serves bytes by path at `url`. `requests` are the methods, paths and numbers of bytes."""

    def __init__(self, files):
        self.files = files
        self.requests = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # one packet for a header and a short body
            wbufsize = 1 << 16

            def do_HEAD(self):
                self.answer(False)

            def do_GET(self):
                self.answer(True)

            def answer(self, with_body):
                content = outer.files.get(self.path.lstrip("/"))
                if content is None and self.path.endswith("/"):
                    # a page of links
                    found = sorted(name for name in outer.files if name.startswith(self.path.lstrip("/")))
                    content = "".join(f'<a href="/{name}">{name}</a>' for name in found).encode()
                if content is None:
                    self.send_error(404)
                    return
                found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
                start, end = 0, len(content)
                if found:
                    start = int(found[1])
                    end = min(end, int(found[2]) + 1) if found[2] else end
                    self.send_response(206)
                    self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(content)}")
                else:
                    self.send_response(200)
                self.send_header("Accept-Ranges", "bytes")
                self.send_header("Content-Length", str(end - start))
                self.end_headers()
                if with_body:
                    self.wfile.write(content[start:end])
                outer.requests.append((self.command, self.path.lstrip("/"), end - start if with_body else 0))

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def bytes(self):
        return sum(size for _, _, size in self.requests)

    def close(self):
        self.server.shutdown()
        self.server.server_close()
