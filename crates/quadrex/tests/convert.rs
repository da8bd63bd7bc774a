//! `quadrex convert` end to end: games between PGN, PGN4 and records.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use quadrex_protocol::MatchRecord;
use quadrex_rules::notation::{Reader, WrittenGame};

fn quadrex() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrex"));
    command.arg("convert");
    command
}

/// Runs the converter with `input` on its standard input.
fn convert(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = quadrex()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let feeder = std::thread::spawn(move || {
        // The converter may end before it has read everything.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Returns the output of a successful conversion of so many games.
fn converted(arguments: &[&str], input: &[u8], games: usize) -> Vec<u8> {
    let output = convert(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    assert_eq!(stderr(&output).lines().last().unwrap(), format!("{games} games converted, 0 refused"));
    output.stdout
}

fn games(text: &[u8]) -> Vec<WrittenGame> {
    Reader::new(text).map(Result::unwrap).collect()
}

/// Returns files of games: the project's own, and those of every folder in `QUADREX_GAMES`.
fn files(extension: &str) -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/games");
    let given = std::env::var_os("QUADREX_GAMES").unwrap_or_default();
    let folders = [own.join("other_rules"), own]
        .into_iter()
        .chain(std::env::split_paths(&given).filter(|path| path.is_dir()));
    let mut files: Vec<PathBuf> =
        folders.flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort();
    assert!(!files.is_empty(), "no *.{extension}");
    files
}

/// A conversion to records and back keeps everything, and repeated conversions give the same
/// record.
#[test]
fn games_are_converted_to_records_and_back_without_loss() {
    for extension in ["pgn", "pgn4"] {
        for file in files(extension) {
            let text = fs::read(&file).unwrap();
            let before = games(&text);
            // Games of other sites may be illegal by our rules.
            let records = converted(&["--partial", file.to_str().unwrap(), "-"], b"", before.len());
            let lines = records.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
            let parsed: Vec<MatchRecord> = lines.map(|line| serde_json::from_slice(line).unwrap()).collect();
            assert_eq!(parsed.len(), before.len());
            assert!(parsed.iter().all(|record| !record.events.is_empty()), "{}", file.display());

            let again = converted(&[], &records, before.len());
            assert_eq!(games(&again), before, "{}", file.display());
            assert!(converted(&["--to", "json"], &records, before.len()) == records, "{}", file.display());
            let third = converted(&["--from", extension, "--to", "json", "--partial"], &again, before.len());
            assert!(third == records, "{}", file.display());
        }
    }
}

/// A record without the written form of its game is converted from its events.
#[test]
fn a_record_without_original_text_can_be_converted() {
    for (ending, name) in [("pgn", "own.pgn"), ("pgn4", "own.pgn4")] {
        let file = files(ending).into_iter().find(|file| file.ends_with(name)).unwrap();
        let count = games(&fs::read(&file).unwrap()).len();
        let records = converted(&[file.to_str().unwrap()], b"", count);
        let mut bare = Vec::new();
        let mut expected = Vec::new();
        for line in records.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let mut record: MatchRecord = serde_json::from_slice(line).unwrap();
            expected.push(record.events.clone());
            record.written = None;
            record.tags.clear();
            let color = record.variant.colors()[1];
            record.players.insert(color, "Somebody \"Else\"".to_owned());
            serde_json::to_writer(&mut bare, &record).unwrap();
            bare.push(b'\n');
        }
        let text = converted(&["--to", ending], &bare, count);
        assert!(
            games(&text).iter().all(|game| game.tags.iter().any(|(_, value)| value == "Somebody \"Else\""))
        );
        let again = converted(&["--from", ending, "--to", "json"], &text, count);
        let events: Vec<_> = again
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice::<MatchRecord>(line).unwrap().events)
            .collect();
        assert_eq!(events, expected);
    }
}

const ANNOTATED: &str = "[Event \"A \\\"quoted\\\" \\\\ name\"]\n[White \"R\u{e9}ti\"]\n[Black \"?\"]\n[TimeControl \"300+2\"]\n[Result \"0-1\"]\n\n\
    {before all} 1. f3 $6 {weak} {[%clk 0:04:58]} (1. e4 {better} 1... e5 (1... c5 2. Nf3) 2. Nf3 $1) 1... e5 \
    ({only words}) 2. g4 Qh4# {mate} 0-1\n\n";

/// Comments, NAGs, nested variations, clock times and tags, as text and in the record.
#[test]
fn annotations_are_kept() {
    let records = converted(&["--to", "json"], ANNOTATED.as_bytes(), 1);
    let record: serde_json::Value = serde_json::from_slice(&records).unwrap();
    let expected = serde_json::json!({
        "format": "quadrex-record-2",
        "variant": "classic",
        "time": {"kind": "fischer", "base_ms": 300_000, "increment_ms": 2000},
        "players": {"white": "Réti"},
        "events": [
            {"event": {"type": "moved", "color": "white", "move": "f2f3", "left_ms": 298_000}},
            {"event": {"type": "moved", "color": "black", "move": "e7e5"}},
            {"event": {"type": "moved", "color": "white", "move": "g2g4"}},
            {"event": {"type": "moved", "color": "black", "move": "d8h4"}},
            {"event": {"type": "ended", "reason": "mate", "places": {"white": 2, "black": 1}}},
        ],
        "tags": [
            ["Event", "A \"quoted\" \\ name"], ["White", "Réti"], ["Black", "?"], ["TimeControl", "300+2"],
            ["Result", "0-1"],
        ],
        "written": {
            "line": [
                {"comments": ["before all"]},
                {
                    "number": 1, "text": "f3", "nags": [6], "comments": ["weak", "[%clk 0:04:58]"],
                    "variations": [[
                        {"number": 1, "text": "e4", "comments": ["better"]},
                        {
                            "number": 1, "dots": 3, "text": "e5",
                            "variations": [[
                                {"number": 1, "dots": 3, "text": "c5"}, {"number": 2, "text": "Nf3"},
                            ]],
                        },
                        {"number": 2, "text": "Nf3", "nags": [1]},
                    ]],
                },
                {"number": 1, "dots": 3, "text": "e5", "variations": [[{"comments": ["only words"]}]]},
                {"number": 2, "text": "g4"},
                {"text": "Qh4#", "comments": ["mate"]},
            ],
            "result": "0-1",
        },
    });
    assert_eq!(record, expected);
    let text = converted(&[], &records, 1);
    assert_eq!(games(&text), games(ANNOTATED.as_bytes()));
}

/// Records have variations of the maximum depth.
#[test]
fn variations_of_maximum_depth_are_converted_and_back() {
    let depth = 32;
    let text = format!("[White \"x\"]\n\n{}1. e4{} *\n", "1. e4 (".repeat(depth), ")".repeat(depth));
    let records = converted(&["--to", "json"], text.as_bytes(), 1);
    assert_eq!(games(&converted(&[], &records, 1)), games(text.as_bytes()));
}

/// Eliminations on another player's turn and by absence are events of the record.
#[test]
fn eliminations_are_converted_and_back() {
    let text = "[Variant \"Dilkel\"]\n[Result \"Red 4 - Blue 1 - Yellow 2 - Green 3\"]\n\n\
        { [%out red:absence] } 1. b7-d7 .. i13-i11 .. R\n2. d7-e7 { [%out yellow:time] }\n\n";
    let records = converted(&["--to", "json"], text.as_bytes(), 1);
    let record: MatchRecord = serde_json::from_slice(&records).unwrap();
    let shown: Vec<String> =
        record.events.iter().map(|recorded| serde_json::to_string(&recorded.event).unwrap()).collect();
    assert_eq!(
        shown,
        [
            r#"{"type":"eliminated","color":"red","cause":"absence"}"#,
            r#"{"type":"moved","color":"blue","move":"b7d7"}"#,
            r#"{"type":"moved","color":"yellow","move":"i13i11"}"#,
            r#"{"type":"eliminated","color":"green","cause":"resign"}"#,
            r#"{"type":"moved","color":"blue","move":"d7e7"}"#,
            r#"{"type":"eliminated","color":"yellow","cause":"time"}"#,
            r#"{"type":"ended","reason":"time","places":{"red":4,"blue":1,"yellow":2,"green":3}}"#,
        ]
    );
    assert_eq!(games(&converted(&[], &records, 1)), games(text.as_bytes()));
}

const MIXED: &str = "[White \"1\"]\n\n1. e4 *\n\n[White \"2\"]\n\n1. e5 *\n\n[White \"3\"]\n\n1. d4 {never closed\n\n\
    [White \"4\"]\n[FEN \"4k2r/8/8/8/8/8/8/4K3 w Kk - 0 1\"]\n\n1. Ke2 O-O *\n";

/// The first refusal ends the conversion; the games before it are complete.
#[test]
fn a_refused_game_ends_the_conversion() {
    let output = convert(&["--to", "pgn"], MIXED.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(games(&output.stdout).len(), 1);
    assert_eq!(
        stderr(&output),
        "quadrex: standard input: game 2, line 7 (byte 38), round 1, white: \"e5\": no legal move fits\n\
         1 games converted, 1 refused\n"
    );
}

/// With `--keep-going` every refusal is reported with its location, and the other games are
/// converted.
#[test]
fn refused_games_are_reported_and_skipped() {
    let output = convert(&["--keep-going"], MIXED.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let whites: Vec<String> = output
        .stdout
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice::<MatchRecord>(line).unwrap().tags[0].1.clone())
        .collect();
    assert_eq!(whites, ["1", "4"]);
    let expected = [
        "quadrex: standard input: game 2, line 7 (byte 38), round 1, white: \"e5\": no legal move fits",
        "quadrex: standard input: game 3, line 11 (byte 63): comment without an end",
        "quadrex: standard input: warning: game 4, line 13 (byte 78): castling: white's right to castle O-O is dropped: \
         king and rook are not in place",
        "2 games converted, 2 refused",
    ];
    assert_eq!(stderr(&output).lines().collect::<Vec<_>>(), expected);
}

/// A game by other rules is refused, or converted up to the first illegal move with `--partial`.
#[test]
fn games_by_other_rules_are_converted_only_in_part() {
    let text = "[Variant \"FFA\"]\n[RuleVariants \"PromoteTo=D\"]\n[StartFen4 \"4PCo\"]\n\n1. h2-h4 .. R .. g13-g12\n";
    let output = convert(&[], text.as_bytes());
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert!(stderr(&output).contains("round 1, blue: \"R\": "), "{}", stderr(&output));
    let record: MatchRecord = serde_json::from_slice(&converted(&["--partial"], text.as_bytes(), 1)).unwrap();
    let rejected = record.rejected.unwrap();
    assert_eq!((record.events.len(), rejected.round, rejected.text.as_str()), (1, 1, "R"));
    assert_eq!(record.written.unwrap().line.len(), 3);
}

/// Any inconsistent change of a record is found.
#[test]
fn a_record_that_contradicts_itself_is_refused() {
    let records = converted(&["--to", "json"], ANNOTATED.as_bytes(), 1);
    let good = String::from_utf8(records).unwrap();
    for (from, to, message) in [
        ("\"g2g4\"", "\"g2g3\"", "event 5 cannot have happened there"),
        ("\"g2g4\"", "\"g2g5\"", "event 3 cannot have happened there"),
        ("\"e7e5\"", "\"e7e6\"", "written: the words lead to other events from number 2 on"),
        ("\"text\":\"g4\"", "\"text\":\"e4\"", "written: the words lead to other events from number 3 on"),
        ("\"text\":\"g4\"", "\"text\":\"zz\"", "written: the words cannot be followed to their end: "),
        (",\"text\":\"g4\"", "", "written: a word without text"),
        ("298000", "298001", "written: the words lead to other events from number 1 on"),
        ("\"white\":2", "\"white\":1", "event 5 cannot have happened there"),
        (
            "\"comments\":[\"mate\"]",
            "\"comments\":[\"ma{te} 1-0 [Event \\\"x\\\"]\"]",
            "has a text that the notation cannot represent",
        ),
        (
            "\"tags\":[",
            "\"tags\":[[\"FEN\",\"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"],",
            "written: the tags give another setup",
        ),
        ("\"variant\":\"classic\"", "\"variant\":\"x\\u001b[1m\"", ": not a variant: expected classic, "),
        ("quadrex-record-2", "\\u001b[1m", ": unknown variant ` [1m`, "),
        ("\"variant\":\"classic\"", "\"variant\":\"dilkel\"", "event 1 cannot have happened there"),
        ("\"variant\":\"classic\"", "\"variant\":\"chess960\"", ": not a variant: expected classic, "),
        ("quadrex-record-2", "quadrex-record-3", ": unknown variant `quadrex-record-3`"),
        ("\"written\"", "\"writen\"", "unknown field `writen`"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good, "{from}");
        let output = convert(&["--to", "pgn"], bad.as_bytes());
        let shown = stderr(&output);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{to}: {shown}");
        let prefix = "quadrex: standard input: record 1, line 1 (byte 0): ";
        assert!(shown.starts_with(prefix) && shown.contains(message), "{to}: {shown}");
    }
}

/// The example in `docs/RECORD.md` is a record.
#[test]
fn the_example_of_the_record_document_is_valid() {
    let document =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/RECORD.md")).unwrap();
    let (_, rest) = document.split_once("```json\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let text = converted(&[], example.replace('\n', " ").as_bytes(), 1);
    assert_eq!(
        String::from_utf8(text).unwrap(),
        "[White \"A\"]\n[Result \"0-1\"]\n\n1. f3 $2 { weak } e5 0-1\n\n"
    );
}

#[test]
fn a_game_is_not_written_in_the_other_notation() {
    let output = convert(&["--to", "pgn4"], b"1. e4 *");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("game 1, line 1 (byte 0): a game of PGN cannot be written as PGN4"));
}

/// Extensions select the formats. Errors name files that cannot be opened, or would be overwritten
/// while they are read.
#[test]
fn files_are_read_and_written_by_their_extensions() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a.pgn"), ANNOTATED).unwrap();
    converted(&[&path("a.pgn"), &path("b.jsonl")], b"", 1);
    converted(&[&path("b.jsonl"), &path("c.pgn")], b"", 1);
    assert_eq!(games(&fs::read(path("c.pgn")).unwrap()), games(ANNOTATED.as_bytes()));
    assert!(fs::read(path("b.jsonl")).unwrap().starts_with(b"{\"format\":"));

    let missing = path("missing.pgn");
    for (arguments, message) in [
        ([missing.as_str(), "-"], format!("quadrex: {missing}: ")),
        (
            [&path("a.pgn"), &path("no/such/folder.json")],
            format!("quadrex: {}: ", path("no/such/folder.json")),
        ),
        (
            [&path("a.pgn"), &path("a.pgn")],
            format!("quadrex: {}: the input and the output are the same file", path("a.pgn")),
        ),
    ] {
        let output = convert(&arguments, b"");
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).starts_with(&message), "{}", stderr(&output));
    }
    assert_eq!(fs::read(path("a.pgn")).unwrap(), ANNOTATED.as_bytes());
}

/// A closed output pipe is not an error.
#[test]
fn a_closed_pipe_ends_the_conversion_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let big = folder.path().join("big.pgn");
    fs::write(&big, ANNOTATED.repeat(3000)).unwrap();
    let mut child = quadrex()
        .arg(&big)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut first = [0; 100];
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(stderr(&output), "");
}

/// Only one game is in memory at a time: 32 MiB of games need at most 2 MiB more than 4 MiB of
/// games.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_input() {
    let mut child = quadrex()
        .args(["--from", "pgn", "--to", "pgn"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let comment = "word ".repeat(10_000);
    let game = format!("[White \"x\"]\n\n1. e4 {{{comment}}} *\n\n");
    let mut write = |bytes: usize| {
        for _ in 0..bytes / game.len() {
            stdin.write_all(game.as_bytes()).unwrap();
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
    };
    let (early, late) = (write(4 << 20), write(28 << 20));
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert!(late < early + (2 << 10), "{early} KiB after 4 MiB, {late} KiB after 32 MiB");
}
