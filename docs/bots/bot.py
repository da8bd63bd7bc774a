#!/usr/bin/env python3
"""A bot for a Quadrex server: takes a seat at any table of a variant and plays to the end. Needs only Python 3.9.

    python3 bot.py http://127.0.0.1:8080 dilkel
"""
import base64, json, os, random, socket, struct, sys, urllib.request
from urllib.parse import urlsplit

VALUES = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9, "K": 0}


def post(url, body, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


class Connection:
    """A minimal WebSocket client (RFC 6455): text frames, and answers to pings."""

    def __init__(self, url):
        address = urlsplit(url)
        self.socket = socket.create_connection((address.hostname, address.port or 80))
        self.socket.sendall((
            f"GET /ws HTTP/1.1\r\nHost: {address.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
            "Sec-WebSocket-Protocol: quadrex.v1\r\n\r\n").encode())
        self.input = self.socket.makefile("rb")
        status = self.input.readline()
        if b" 101 " not in status:
            raise SystemExit(f"the server refused the connection: {status!r}")
        while self.input.readline().strip():
            pass

    def write(self, kind, data):
        size = len(data)
        length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + struct.pack(">H", size)
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self.socket.sendall(bytes([0x80 | kind]) + length + mask + masked)

    def send(self, frame):
        self.write(1, json.dumps(frame).encode())

    def receive(self):
        while True:
            head = self.input.read(2)
            if len(head) < 2 or head[0] & 15 == 8:
                raise SystemExit("the server closed the connection")
            size = head[1] & 127
            if size >= 126:
                size = int.from_bytes(self.input.read(2 if size == 126 else 8), "big")
            data = self.input.read(size)
            if head[0] & 15 == 9:
                self.write(10, data)
            elif head[0] & 15 == 1:
                return json.loads(data)


def choose(legal_moves, pieces):
    """Returns a random one of the moves that capture the most valuable piece, or of all moves if none captures."""
    value = lambda mv: VALUES[pieces[to][1]] if (to := target(mv)) in pieces else 0
    best = max(map(value, legal_moves))
    return random.choice([mv for mv in legal_moves if value(mv) == best])


def target(mv):
    """Returns the second of the two squares of a move such as `h2h4` or `k7k14q`."""
    letters = [i for i, letter in enumerate(mv) if letter.isalpha() and i + 1 < len(mv)]
    return mv[letters[1]:].rstrip("qrbn") if len(letters) > 1 else mv


def main(server, variant):
    guest = post(f"{server}/api/guests", {"name": "Grabber", "bot": True})
    joined = post(f"{server}/api/quick-join", {"variant": variant}, guest["token"])
    connection, table, count = Connection(server), joined["table"], 0
    connection.send({"t": "hello", "token": guest["token"]})
    connection.send({"t": "watch", "table": table})
    while True:
        frame = connection.receive()
        if frame["t"] == "snapshot":
            pieces, state, legal_moves = (frame["view"].get(name) for name in ("pieces", "state", "legal_moves"))
        elif frame["t"] == "event":
            for square, piece in frame.get("squares", {}).items():
                pieces.pop(square, None) if piece is None else pieces.update({square: piece})
            state, legal_moves = {**state, **frame["state"]}, frame.get("legal_moves")  # the state has only changes
        else:
            continue
        if state["phase"] == "ended":
            return print(json.dumps(state.get("outcome") or {"aborted": state.get("aborted")}))
        if legal_moves:
            count, move = count + 1, choose(legal_moves, pieces)
            connection.send({"t": "move", "table": table, "cmd": f"m{count}", "after": frame["seq"], "move": move})


if __name__ == "__main__":
    main(*sys.argv[1:3])
