#!/usr/bin/env python3
"""A bot for a Quadrex server: takes a seat at any table of a game and plays to the end. Needs nothing but Python 3.9.

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


class Line:
    """A WebSocket (RFC 6455), as much of one as this needs: text frames, and answers to pings."""

    def __init__(self, url):
        where = urlsplit(url)
        self.socket = socket.create_connection((where.hostname, where.port or 80))
        self.socket.sendall((
            f"GET /ws HTTP/1.1\r\nHost: {where.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
            "Sec-WebSocket-Protocol: quadrex.v1\r\n\r\n").encode())
        self.input = self.socket.makefile("rb")
        status = self.input.readline()
        if b" 101 " not in status:
            raise SystemExit(f"the server does not take the line: {status!r}")
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
                raise SystemExit("the server closed the line")
            size = head[1] & 127
            if size >= 126:
                size = int.from_bytes(self.input.read(2 if size == 126 else 8), "big")
            data = self.input.read(size)
            if head[0] & 15 == 9:
                self.write(10, data)
            elif head[0] & 15 == 1:
                return json.loads(data)


def choose(legal, pieces):
    """The dearest piece that can be taken; of several, and without any, by chance."""
    worth = lambda mv: VALUES[pieces[to][1]] if (to := target(mv)) in pieces else 0
    best = max(map(worth, legal))
    return random.choice([mv for mv in legal if worth(mv) == best])


def target(mv):
    """The second of the two squares of a move, as in `h2h4` or `k7k14q`."""
    letters = [i for i, letter in enumerate(mv) if letter.isalpha() and i + 1 < len(mv)]
    return mv[letters[1]:].rstrip("qrbn") if len(letters) > 1 else mv


def main(server, variant):
    guest = post(f"{server}/api/guests", {"name": "Grabber", "bot": True})
    joined = post(f"{server}/api/quick-join", {"variant": variant}, guest["token"])
    line, table, count = Line(server), joined["table"], 0
    line.send({"t": "hello", "token": guest["token"]})
    line.send({"t": "watch", "table": table})
    while True:
        frame = line.receive()
        if frame["t"] == "snapshot":
            pieces, state, legal = frame["view"]["pieces"], frame["view"]["state"], frame["view"].get("legal_moves")
        elif frame["t"] == "event":
            for square, piece in frame.get("squares", {}).items():
                pieces.pop(square, None) if piece is None else pieces.update({square: piece})
            state, legal = {**state, **frame["state"]}, frame.get("legal_moves")  # it says what has changed
        else:
            continue
        if state["phase"] == "ended":
            return print(json.dumps(state.get("outcome") or {"aborted": state.get("aborted")}))
        if legal:
            count += 1
            line.send({"t": "move", "table": table, "cmd": f"m{count}", "after": frame["seq"], "move": choose(legal, pieces)})


if __name__ == "__main__":
    main(*sys.argv[1:3])
