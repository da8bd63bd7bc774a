//! Tests of engines that print arbitrary text in addition to their moves, and of engines with
//! invalid moves.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::collections::BTreeMap;
use std::future::pending;
use std::time::Duration;

use quadrex_driver::{Engine, EngineError, Go, Launch};
use quadrex_rules::{Color, Game, GameCommand, GameConfig, Move, Setup, TimeControl, Timestamp, Variant};

/// Far longer than any answer takes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The shell commands with which a shell engine answers UCI's commands. `$n` counts its searches.
#[derive(Clone, Copy)]
struct Script {
    uci: &'static str,
    ready: &'static str,
    go: &'static str,
}

const PLAIN: Script = Script {
    uci: "echo uciok",
    ready: "echo readyok",
    go: "[ $n = 1 ] && echo bestmove e7e5 || echo bestmove b8c6",
};

async fn start(parts: Script) -> Result<Engine, EngineError> {
    let Script { uci, ready, go } = parts;
    let script = format!(
        "n=0; while read -r word rest; do case $word in uci) {uci};; isready) {ready};; go) n=$((n+1)); {go};; \
         quit) exit;; esac; done"
    );
    let launch = Launch {
        command: "/bin/sh".into(),
        arguments: vec!["-c".to_owned(), script],
        options: BTreeMap::new(),
        reply_timeout: TIMEOUT,
        nice: None,
        inherit_stderr: true,
    };
    let mut engine = Engine::start(&launch).await?;
    engine.begin(Variant::Classic).await?;
    Ok(engine)
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

fn play(game: &mut Game, color: Color, mv: Move) {
    let at = Timestamp::from_millis(0);
    let events = game.decide(&GameCommand::Move { color, mv, claim_draw: false }, at).unwrap();
    events.iter().for_each(|event| game.apply(event, at));
}

fn game() -> Game {
    let setup = Setup::start(Variant::Classic);
    let config = GameConfig { setup, draws: Default::default(), time: TimeControl::None };
    let mut game = Game::new(config, Timestamp::from_millis(0)).unwrap();
    play(&mut game, Color::White, mv("e2e4"));
    game
}

/// Returns Black's first two moves.
async fn two_moves(parts: Script) -> Result<[Move; 2], EngineError> {
    let go = Go { timeout: TIMEOUT, ..Go::within(Duration::from_millis(10)) };
    let mut engine = start(parts).await?;
    let mut game = game();
    let first = engine.search(&game, &go, pending()).await?.mv;
    play(&mut game, Color::Black, first);
    play(&mut game, Color::White, mv("g1f3"));
    let second = engine.search(&game, &go, pending()).await?.mv;
    Ok([first, second])
}

#[tokio::test]
async fn text_beside_a_move_is_ignored() {
    let cases = [
        (
            "two blanks",
            Script {
                go: "[ $n = 1 ] && printf 'bestmove  e7e5\\n' || printf 'bestmove   b8c6  ponder  d2d4\\n'",
                ..PLAIN
            },
        ),
        (
            "tabs and line ends of another system",
            Script {
                uci: "printf '\\tuciok\\t\\r\\n'",
                ready: "printf ' readyok \\r\\n'",
                go: "[ $n = 1 ] && printf '\\tbestmove\\te7e5\\tponder\\tg1f3\\r\\n' || printf ' bestmove b8c6\\r\\n'",
            },
        ),
        (
            "words behind those that are waited for",
            Script { uci: "echo uciok indeed", ready: "echo readyok at last", ..PLAIN },
        ),
        (
            "an author in Latin-1",
            Script { uci: "printf 'id name Old\\nid author J\\366rg\\nuciok\\n'", ..PLAIN },
        ),
        (
            "bytes that are no text before every answer",
            Script {
                uci: "printf '\\377\\376\\nuciok\\n'",
                ready: "printf '\\200\\nreadyok\\n'",
                go: "printf 'info string \\300\\301\\n'; [ $n = 1 ] && echo bestmove e7e5 || echo bestmove b8c6",
            },
        ),
        (
            "a second bestmove",
            Script {
                go: "[ $n = 1 ] && printf 'bestmove e7e5\\nbestmove a7a6\\n' || echo bestmove b8c6",
                ..PLAIN
            },
        ),
        (
            "a bestmove before any search",
            Script { uci: "printf 'bestmove a7a6\\nuciok\\nbestmove a7a6\\n'", ..PLAIN },
        ),
        (
            "huge lines",
            Script {
                uci: "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo uciok",
                go: "printf 'info pv'; head -c 3000000 /dev/zero | tr '\\0' ' '; echo; \
                 [ $n = 1 ] && echo bestmove e7e5 || echo bestmove b8c6",
                ..PLAIN
            },
        ),
        (
            "empty lines",
            Script {
                uci: "printf '\\n\\n \\nuciok\\n\\n'",
                ready: "printf '\\n\\r\\nreadyok\\n\\n'",
                go: "echo; [ $n = 1 ] && echo bestmove e7e5 || echo bestmove b8c6; echo",
            },
        ),
        (
            "NUL bytes",
            Script {
                uci: "printf 'id name a\\0b\\n\\0\\0\\nuciok\\n'",
                go: "printf '\\0\\n'; [ $n = 1 ] && echo bestmove e7e5 || echo bestmove b8c6",
                ..PLAIN
            },
        ),
        (
            "scores that are none",
            Script {
                go: "printf 'info score\\ninfo score cp\\ninfo score cp x\\ninfo  depth\\t3  score mate 99999999999\\ninfo\\n'; \
                 [ $n = 1 ] && echo bestmove e7e5 || echo bestmove b8c6",
                ..PLAIN
            },
        ),
        (
            "options that are none",
            Script {
                uci: "printf 'option\\noption name\\noption name type\\noption\\tname  A\\ttype\\tspin min x\\nid\\nid name\\nuciok\\n'",
                ..PLAIN
            },
        ),
    ];
    for (name, parts) in cases {
        let moves = two_moves(parts).await;
        assert_eq!(moves.map_err(|error| error.to_string()), Ok([mv("e7e5"), mv("b8c6")]), "{name}");
    }
}

#[tokio::test]
async fn an_invalid_move_is_named() {
    for (go, error) in [
        ("echo bestmove", "its move is \"\""),
        ("printf 'bestmove \\0 e7e5\\n'", "its move is \"\\0\""),
        ("printf 'bestmove \\366\\n'", "its move is \"\u{fffd}\""),
        ("echo bestmove e2e4", "its move is \"e2e4\""),
        ("printf 'bestmove '; head -c 3000000 /dev/zero | tr '\\0' x; echo", &long_move()),
        ("exit 3", "it ended with exit status: 3"),
    ] {
        let parts = Script { go, ..PLAIN };
        assert_eq!(two_moves(parts).await.unwrap_err().to_string(), error, "{go}");
    }
}

/// Returns the part of a long word that an error shows.
fn long_move() -> String {
    format!("its move is {:?}", "x".repeat(40))
}

/// A line without an end is cut at the maximum length, and the end of the output ends the line.
#[tokio::test]
async fn a_line_without_an_end_is_not_an_answer() {
    let parts = Script { uci: "head -c 3000000 /dev/zero; exit 4", ..PLAIN };
    assert_eq!(start(parts).await.unwrap_err().to_string(), "it ended with exit status: 4");
}
