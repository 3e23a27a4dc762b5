"""Show the website on this computer, or to a room full of tablets.

The one module besides `fetch` that knows of the network: it answers, and never asks.
"""

import socket
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class OnlyTheseFiles(SimpleHTTPRequestHandler):
    """Hand out the files of one folder, and nothing else; lists of folders are not shown."""

    def list_directory(self, path):
        """Say that there is no such page."""
        self.send_error(404)

    def log_message(self, *_):
        """Print nothing for every page that is asked for."""


def serve(folder, share):
    """Show the pages until Ctrl-C: on this computer, or on the local network as well."""
    handler = partial(OnlyTheseFiles, directory=str(folder))
    with ThreadingHTTPServer(("0.0.0.0" if share else "127.0.0.1", 0), handler) as server:
        host = own_address() if share else "127.0.0.1"
        if share:
            print("Everybody on your network can now read these pages, and nothing else of yours.")
        print(f"Open http://{host}:{server.server_port}/index.html (Ctrl-C ends it).", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("Ended.")


def own_address():
    """Return this computer's address on the local network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that belongs to nobody
            return probe.getsockname()[0]
        except OSError:
            return socket.gethostname()
