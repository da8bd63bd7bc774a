//! Consistency of all readers of a format: `quadrex convert`, `quadrex verify`, `POST
//! /api/explore`.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use quadrex_protocol::MatchRecord;
use quadrex_protocol::explore::{Explore, ExploreSetup};
use quadrex_rules::GameEvent;
use quadrex_server::explore::explore;

fn quadrex(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrex"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn records(output: &Output) -> Vec<MatchRecord> {
    let lines = output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

/// Returns the moves in the events of a record.
fn moves(record: &MatchRecord) -> String {
    let events = record.events.iter().filter_map(|recorded| recorded.event.to_rules());
    let moves = events.filter_map(|event| match event {
        GameEvent::Moved { mv, .. } => Some(mv.to_string()),
        _ => None,
    });
    moves.collect::<Vec<_>>().join(" ")
}

/// A text, the moves of its games, and the warning about the first.
const TEXTS: [(&str, &[&str], &str); 15] = [
    (
        "[Event \"Round 1\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1/2-1/2\"]\n\n[Event \"Round 2\"]\n[White \"Cid\"]\n[Result \"1-0\"]\n\n1. d4 1-0\n",
        &["", "d2d4"],
        "",
    ),
    ("1. e4 ; good\r e5 2. Nf3 *\r", &["e2e4 e7e5 g1f3"], ""),
    ("1. e4 e5 2. Nf3*\n", &["e2e4 e7e5 g1f3"], ""),
    ("[Event \"a\"]\n\n1. e4 *\n\n\u{feff}[Event \"b\"]\n\n1. d4 *\n", &["e2e4", "d2d4"], ""),
    ("1. e4 *\u{1a}\n1. d4 *\u{1a}", &["e2e4", "d2d4"], ""),
    ("1. e4 e5 2. Nf3\n\n1. d4\n", &["e2e4 e7e5 g1f3", "d2d4"], ""),
    ("[FEN \"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. e8=q *\n", &["e7e8q"], ""),
    ("1.\u{a0}e4 e5 *\n", &["e2e4 e7e5"], "line 1 (byte 2): U+00A0 is read as a blank"),
    (
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O\u{2013}O *\n",
        &["e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1"],
        "line 1 (byte 35): U+2013 is read as '-'",
    ),
    ("1. e4 1\u{2026}e5 *\n", &["e2e4 e7e5"], "line 1 (byte 7): U+2026 is read as three dots"),
    ("1. e4 e5 2. Nf3 +/= Nc6 *\n", &["e2e4 e7e5 g1f3 b8c6"], ""),
    (
        "[Result \"1-0\"]\n\n1. e4 e5 0-1\n",
        &["e2e4 e7e5"],
        "the tag Result says \"1-0\" and the moves end with \"0-1\": the end of the moves counts",
    ),
    (
        "1. e4 1/2-1/2\n1. d4 1/2-1/2\n1. c4 {a, b-c} 1/2-1/2\n1. f4 1/2-1/2\n1. a3 1/2-1/2",
        &["e2e4", "d2d4", "c2c4", "f2f4", "a2a3"],
        "",
    ),
    ("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\r[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\r", &["", ""], ""),
    (
        "[Variant \"FFA\"]\n[StartFen4 \"4PC\"]\n\n1. h2-h3 .. b7-c7\n\n[Variant \"FFA\"]\n[StartFen4 \"4PC\"]\n",
        &["h2h3 b7c7", ""],
        "",
    ),
];

#[test]
fn convert_and_explore_read_the_same_games() {
    for (text, games, warning) in TEXTS {
        let output = quadrex(&["convert", "--to", "json"], text.as_bytes());
        let stderr = String::from_utf8(output.stderr.clone()).unwrap();
        let read: Vec<String> = records(&output).iter().map(moves).collect();
        assert_eq!(read, games, "{text:?}: {stderr}");
        assert!(
            stderr.ends_with(&format!("{} games converted, 0 refused\n", games.len())),
            "{text:?}: {stderr}"
        );

        let setup = ExploreSetup::Text { text: text.to_owned(), variant: None, plies: None };
        let seen = explore(&Explore { setup, moves: Vec::new() }, 1_000).unwrap();
        let line: Vec<String> = seen.line.iter().map(|ply| ply.mv.to_string()).collect();
        assert_eq!(
            (line.join(" "), seen.more_games as usize),
            (games[0].to_owned(), games.len() - 1),
            "{text:?}"
        );
        assert_eq!(seen.stopped, None, "{text:?}");
        let expected = if warning.is_empty() { vec![] } else { vec![warning.to_owned()] };
        assert_eq!(seen.warnings, expected, "{text:?}");
        let warnings = stderr.matches("warning: game 1, line 1 (byte ").count();
        assert_eq!(warnings, expected.len(), "{text:?}: {stderr}");
        let kind = warning.rsplit("): ").next().unwrap();
        assert!(stderr.contains(kind), "{text:?}: {stderr}");
    }
}

/// The tags of a game do not apply to the next one.
#[test]
fn tags_belong_to_their_game() {
    let output = quadrex(&["convert"], TEXTS[0].0.as_bytes());
    let [first, second] = &records(&output)[..] else { panic!("{output:?}") };
    let tag = |record: &MatchRecord, name: &str| {
        record.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    assert_eq!(tag(first, "White").as_deref(), Some("Ann"));
    assert_eq!(tag(first, "Result").as_deref(), Some("1/2-1/2"));
    assert_eq!((tag(second, "White").as_deref(), tag(second, "Black")), (Some("Cid"), None));
}

/// An elimination right after a move is refused with its reason, or the game is converted up to it.
#[test]
fn an_elimination_after_a_move_is_reported() {
    let text = "[Variant \"FFA\"]\n[RuleVariants \"EnPassant\"]\n[StartFen4 \"4PC\"]\n\n\
                1. h2-h3 .. b7-c7 .. g13-g12 .. m8-l8\n2. Kh1-h2R .. c7-d7 .. g12-g11 .. l8-k8\n";
    let stderr = String::from_utf8(quadrex(&["convert"], text.as_bytes()).stderr).unwrap();
    let reason = "round 2, red: \"Kh1-h2R\": in this game's own rules the pieces of an eliminated player stay on the board";
    assert!(stderr.contains(reason), "{stderr}");
    let part = records(&quadrex(&["convert", "--partial"], text.as_bytes()));
    assert_eq!(moves(&part[0]), "h2h3 b7c7 g13g12 m8l8");
    assert_eq!(part[0].rejected.as_ref().unwrap().round, 2);
}

const PRETTY: &str = "{\n \"format\": \"quadrex-record-2\",\n \"variant\": \"classic\",\n \"events\": [{\"event\": {\"type\": \
                      \"moved\", \"color\": \"white\", \"move\": \"e2e4\"}}]\n}\n";

/// Both commands read the same records, with any line breaks and with malformed ones between.
#[test]
fn convert_and_verify_read_the_same_records() {
    let line = PRETTY.replace("\n ", "").replace('\n', "");
    for (text, good) in [
        (PRETTY.to_owned(), "+"),
        (format!("{PRETTY}{PRETTY}"), "++"),
        (format!("\u{feff}{line}\n{PRETTY}{line}{line}\n"), "++++"),
        (format!("{PRETTY}{{\"format\": 1\n{PRETTY}"), "+-+"),
        (format!("{line}\nnonsense\n{line}"), "+-+"),
        (format!("{PRETTY}{}{PRETTY}", PRETTY.replace("e2e4", "e2e5")), "+-+"),
    ] {
        let verified = quadrex(&["verify", "-"], text.as_bytes());
        let stdout = String::from_utf8(verified.stdout).unwrap();
        let signs: String =
            stdout.lines().map(|line| if line.starts_with("ok ") { '+' } else { '-' }).collect();
        assert_eq!(signs, good, "{text}: {stdout}");
        let converted = quadrex(&["convert", "--from", "json", "--keep-going"], text.as_bytes());
        let stderr = String::from_utf8(converted.stderr).unwrap();
        let (games, refused) = (good.matches('+').count(), good.matches('-').count());
        assert!(
            stderr.ends_with(&format!("{games} games converted, {refused} refused\n")),
            "{text}: {stderr}"
        );
        assert_eq!(verified.status.success(), converted.status.success());
    }
}
