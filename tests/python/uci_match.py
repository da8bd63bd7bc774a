"""Tests of the engine with python-chess, an independent UCI client.

    python3 uci_match.py quadrex uci

The engine plays a game with clocks against itself, and one side ponders. Other tests are of best lines and of
searches that are stopped, for mate, among given moves, and at a lower level. The program needs the packages in
requirements.txt. It exits with status 0 if python-chess accepts everything; it refuses illegal moves and
unreadable lines.
"""

import sys
import time

import chess
import chess.engine

BUDGET_SECONDS = 5.0
INCREMENT_SECONDS = 0.1
# The maximum delay between the engine and this program on a busy machine.
OVERHEAD_MS = 100
# Far more plies than such a game has.
MOST_PLIES = 600


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def start(command):
    return chess.engine.SimpleEngine.popen_uci(command)


def play_by_clocks(command):
    """Plays the engine against itself while White ponders. No time runs out, and the game ends by the rules."""
    board = chess.Board()
    left = {chess.WHITE: BUDGET_SECONDS, chess.BLACK: BUDGET_SECONDS}
    ponders = 0
    with start(command) as white, start(command) as black:
        engines = {chess.WHITE: white, chess.BLACK: black}
        for engine in engines.values():
            engine.configure({"Move Overhead": OVERHEAD_MS})
        while board.outcome(claim_draw=True) is None:
            expect(board.ply() < MOST_PLIES, "the game does not end")
            turn = board.turn
            limit = chess.engine.Limit(
                white_clock=left[chess.WHITE],
                black_clock=left[chess.BLACK],
                white_inc=INCREMENT_SECONDS,
                black_inc=INCREMENT_SECONDS,
            )
            begin = time.perf_counter()
            played = engines[turn].play(
                board, limit, game="by clocks", info=chess.engine.INFO_ALL, ponder=turn == chess.WHITE
            )
            took = time.perf_counter() - begin
            expect(took < left[turn], f"ply {board.ply()} took {took:.3f} s of {left[turn]:.3f} s")
            left[turn] += INCREMENT_SECONDS - took
            expect(not played.resigned and not played.draw_offered, "UCI has neither")
            ponders += turn == chess.WHITE and played.ponder is not None
            board.push(played.move)
    expect(ponders > 0, "the engine never expected a reply")
    outcome = board.outcome(claim_draw=True)
    return f"{board.ply()} plies, {outcome.result()} by {outcome.termination.name.lower()}"


def check_best_lines(engine):
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1")
    infos = engine.analyse(board, chess.engine.Limit(depth=5), multipv=3)
    expect(len(infos) == 3, f"{len(infos)} lines instead of 3")
    expect(len({info["pv"][0] for info in infos}) == 3, "a move is first in two lines")
    for place, info in enumerate(infos, start=1):
        expect(info["multipv"] == place and info["depth"] == 5, str(info))
        expect(info["nodes"] > 0 and info["seldepth"] >= 5 and "nps" in info and "hashfull" in info, str(info))
        board.variation_san(info["pv"])
    scores = [info["score"].relative for info in infos]
    expect(scores == sorted(scores, reverse=True), f"the best is not first: {scores}")
    expect(infos[0]["pv"][0] == chess.Move.from_uci("f3f7"), "the mate was not found")
    expect(scores[0] == chess.engine.Mate(1), str(scores[0]))


def stop_an_endless_search(engine):
    board = chess.Board()
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 4:
                break
        engine.ping()
        analysis.stop()
        best = analysis.wait()
    expect(best.move in board.legal_moves, str(best))


def search_in_other_ways(engine):
    mate_in_two = chess.Board("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1")
    info = engine.analyse(mate_in_two, chess.engine.Limit(mate=2))
    expect(info["score"].relative == chess.engine.Mate(2), str(info))
    few = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    played = engine.play(chess.Board(), chess.engine.Limit(nodes=2000), root_moves=few)
    expect(played.move in few, str(played))
    for options in [{"Skill Level": 1}, {"UCI_LimitStrength": True, "UCI_Elo": 1000}, {"Threads": 2, "Hash": 4}]:
        played = engine.play(chess.Board(), chess.engine.Limit(time=0.05), options=options)
        expect(played.move in chess.Board().legal_moves, str(options))
    before = chess.Board()
    before.push_san("e4")
    before.push_san("a6")
    before.push_san("e5")
    before.push_san("d5")
    taken = engine.play(before, chess.engine.Limit(depth=1), root_moves=[chess.Move.from_uci("e5d6")])
    expect(before.is_en_passant(taken.move), "the previous moves were ignored")


def main():
    command = sys.argv[1:]
    print(play_by_clocks(command))
    with start(command) as engine:
        expect(engine.id["name"].startswith("Quadrex "), str(engine.id))
        check_best_lines(engine)
        stop_an_endless_search(engine)
        search_in_other_ways(engine)
    print("every way to search")


if __name__ == "__main__":
    main()
