"""A second client, written from docs/PROTOCOL.md alone, with Python's standard library.

Four clients play matches of `dilkel` with random moves from the legal moves that the server sends:

    python3 quadrex_client.py http://127.0.0.1:8080 [--plies N] [--seed S]

Each match ends by the rules, or after N plies by a draw to which all remaining players agree. The exit status
is 0 if every answer and every board agrees with the document.
"""

import argparse
import base64
import hashlib
import json
import os
import random
import socket
import struct
import sys
import urllib.request
from urllib.parse import urlsplit

SUBPROTOCOL = "quadrex.v1"
PATIENCE_SECONDS = 30
# RFC 6455, section 1.3.
HANDSHAKE_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA


class ProtocolError(Exception):
    """The error of a server that deviates from the document."""


def expect(condition, what):
    if not condition:
        raise ProtocolError(what)


class WebSocket:
    """A WebSocket client for unfragmented text frames (RFC 6455)."""

    def __init__(self, base):
        address = urlsplit(base)
        self.socket = socket.create_connection((address.hostname, address.port), timeout=PATIENCE_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        request = (
            "GET /ws HTTP/1.1\r\n"
            f"Host: {address.netloc}\r\n"
            "Upgrade: websocket\r\n"
            "Connection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n"
        )
        self.socket.sendall(request.encode())
        status = self.stream.readline().decode().strip()
        expect(" 101 " in status + " ", f"no handshake: {status}")
        headers = {}
        for line in iter(lambda: self.stream.readline().decode().strip(), ""):
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        accepted = base64.b64encode(hashlib.sha1((key + HANDSHAKE_GUID).encode()).digest()).decode()
        expect(headers.get("sec-websocket-accept") == accepted, "the handshake does not answer this request")
        expect(headers.get("sec-websocket-protocol") == SUBPROTOCOL, "the server has another subprotocol")

    def _send(self, opcode, payload):
        mask = os.urandom(4)
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
        elif size < 65536:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, size)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.socket.sendall(head + mask + masked)

    def _read(self, size):
        data = self.stream.read(size)
        expect(len(data) == size, "the connection broke")
        return data

    def send(self, frame):
        self._send(TEXT, json.dumps(frame).encode())

    def receive(self):
        """Returns the next frame, a JSON object."""
        while True:
            first, second = self._read(2)
            expect(first & 0x80, "a fragmented frame")
            expect(not second & 0x80, "a masked frame from a server")
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack("!H", self._read(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", self._read(8))
            payload = self._read(size)
            opcode = first & 0x0F
            if opcode == TEXT:
                return json.loads(payload)
            if opcode == PING:
                self._send(PONG, payload)
            elif opcode == CLOSE:
                raise ProtocolError(f"the server closed the connection: {payload!r}")

    def close(self):
        self._send(CLOSE, struct.pack("!H", 1000))
        self.socket.close()


def post(base, path, body, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(base + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
        return json.load(answer)


def merge(value, patch):
    """Returns a value after a JSON merge patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(value) if isinstance(value, dict) else {}
    for key, change in patch.items():
        if change is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged.get(key), change)
    return merged


class Player:
    """A guest whose connection watches one table. Its board is the snapshot with all later changes of squares."""

    def __init__(self, base, name):
        guest = post(base, "/api/guests", {"name": name})
        self.user, self.token = guest["user"], guest["token"]
        expect(self.user["name"] == name, "the name differs")
        self.socket = WebSocket(base)
        self.socket.send({"t": "hello", "token": self.token})
        welcome = self.socket.receive()
        expect(welcome["t"] == "welcome" and welcome["user"] == self.user, f"no welcome: {welcome}")
        self.commands = 0
        self.answers = {}

    def watch(self, table):
        self.table = table
        self.socket.send({"t": "watch", "table": table})
        while True:
            frame = self.socket.receive()
            if frame["t"] == "snapshot":
                break
        view = frame["view"]
        self.match, self.seq = frame["match"], frame["seq"]
        self.pieces = dict(view["pieces"])
        self.state, self.legal = view["state"], view.get("legal_moves")
        self.events = [entry["event"] for entry in view["history"]]
        expect(len(self.events) == self.seq, "the history has gaps")

    def receive(self):
        """Receives a frame, and applies it if it is an event."""
        frame = self.socket.receive()
        kind = frame["t"]
        if kind == "event" and frame["table"] == self.table:
            expect(frame["match"] == self.match, "an event of another match")
            expect(frame["seq"] == self.seq + 1, f"event {frame['seq']} after {self.seq}")
            self.seq = frame["seq"]
            for square, piece in frame.get("squares", {}).items():
                if piece is None:
                    self.pieces.pop(square, None)
                else:
                    self.pieces[square] = piece
            self.state, self.legal = merge(self.state, frame["state"]), frame.get("legal_moves")
            self.events.append(frame["event"])
        elif kind in ("ack", "refused") and "cmd" in frame:
            self.answers[frame["cmd"]] = frame
        return frame

    def until(self, seq):
        while self.seq < seq:
            self.receive()

    def command(self, kind, **fields):
        """Sends a command that the server must accept, and returns the number of its last event."""
        self.commands += 1
        cmd = f"py-{self.commands}"
        self.socket.send({"t": kind, "table": self.table, "cmd": cmd, **fields})
        while cmd not in self.answers:
            self.receive()
        answer = self.answers.pop(cmd)
        expect(answer["t"] == "ack", f"{kind} {fields} was refused: {answer}")
        expect(answer["match"] == self.match, f"{kind} {fields} was done in another match: {answer}")
        return answer["seq"]

    def heads(self):
        self.socket.send({"t": "ping"})
        while True:
            frame = self.receive()
            if frame["t"] == "pong":
                return frame["heads"]


def check_agreement(players):
    """Checks that all players have the same board and received the same events."""
    first = players[0]
    for other in players[1:]:
        expect(other.pieces == first.pieces, "two players have different boards")
        expect(other.state.get("turn") == first.state.get("turn"), "two players see different turns")
        expect(other.events == first.events, "two players saw different events")


def play(base, dice, plies):
    """Plays a match of four, and returns the number of plies and the outcome."""
    players = [Player(base, name) for name in ("Ada", "Ben", "Cleo", "Dan")]
    body = {"variant": "dilkel", "privacy": "public"}
    table = post(base, "/api/tables", body, players[0].token)["table"]
    seats = {}
    seq = 0
    for player, color in zip(players, ("red", "blue", "yellow", "green")):
        player.watch(table)
        seq = player.command("sit", seat=color)
        seats[color] = player
    made = 0
    while True:
        for player in players:
            player.until(seq)
        check_agreement(players)
        turn = players[0].state.get("turn")
        if turn is None or made == plies:
            break
        mover = seats[turn]
        expect(mover.legal, f"{turn} is to move and has no legal moves")
        others = [player for player in players if player is not mover]
        expect(all(player.legal is None for player in others), "a player received legal moves on another player's turn")
        seq = mover.command("move", after=mover.seq, move=dice.choice(mover.legal))
        made += 1
    if players[0].state["phase"] == "running":
        still_in = players[0].state["active_players"]
        # One player resigns, and the others agree on a draw.
        if len(still_in) > 2:
            seq = seats[still_in[0]].command("resign")
            for player in players:
                player.until(seq)
            still_in = players[0].state["active_players"]
        for action, color in zip(["ask"] + ["accept"] * 3, still_in):
            if players[0].state["phase"] == "ended":
                break
            seq = seats[color].command("request", request="draw", action=action)
            for player in players:
                player.until(seq)
    check_agreement(players)
    state = players[0].state
    expect(state["phase"] == "ended" and "turn" not in state, "the match has not ended")
    expect(players[0].events[-1]["type"] == "ended", "the last event is not the end")
    expect(sorted(state["outcome"]["places"]) == ["blue", "green", "red", "yellow"], "not everybody has a place")
    expect(players[0].heads()[table]["seq"] == players[0].seq, "the head differs")
    for player in players:
        player.socket.close()
    return made, state["outcome"]


def main():
    parser = argparse.ArgumentParser(description="Plays whole four-player matches against a Quadrex server.")
    parser.add_argument("base", help="the server, http://host:port")
    parser.add_argument("--plies", type=int, default=100_000, help="agree on a draw after so many plies")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    made, outcome = play(options.base.rstrip("/"), random.Random(options.seed), options.plies)
    print(f"{made} plies, {outcome['reason']}, {json.dumps(outcome['places'], sort_keys=True)}")


if __name__ == "__main__":
    try:
        main()
    except ProtocolError as error:
        sys.exit(f"error: {error}")
