//! `quadrex render`: the pictures of a server, from files.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use quadrex_rules::{AnyPosition, Color, Setup, Variant};
use quadrex_server::picture::{self, Picture};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrex"))
        .arg("render")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A command that refuses its flags reads nothing.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

/// Returns the picture of a successful command.
fn drawn(arguments: &[&str], input: &str) -> Vec<u8> {
    let output = run(arguments, input);
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    output.stdout
}

/// Returns the error without the program's name.
fn refused(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}: {output:?}");
    let error = String::from_utf8(output.stderr).unwrap();
    error.strip_prefix("quadrex: ").unwrap_or(&error).trim_end().to_owned()
}

fn position(setup: &Setup) -> Picture {
    Picture::of(&AnyPosition::new(setup).unwrap())
}

fn start(variant: Variant) -> Picture {
    position(&Setup::start(variant))
}

fn games(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/games").join(name)
}

const MATE: &str = "1. f3 e5 2. g4 Qh4# 0-1\n";

#[test]
fn a_position_is_drawn_as_the_server_draws_it() {
    for variant in Variant::ALL {
        let (fen, name) = (Setup::start(variant).to_string(), variant.name());
        let svg = picture::svg(&start(variant), 600).into_bytes();
        assert_eq!(drawn(&["--variant", name], &fen), svg, "{variant}");
        assert_eq!(drawn(&["--position", "startpos", "--variant", name], ""), svg, "{variant}");
        let png = picture::png(&start(variant), 300);
        assert_eq!(drawn(&["--variant", name, "--format", "png", "--width", "300"], &fen), png);
    }
    assert_eq!(
        drawn(&["--position", "startpos"], ""),
        picture::svg(&start(Variant::Dilkel), 600).into_bytes()
    );
    let marked = start(Variant::Classic).seen_by(Color::Black).with_move("e2e4".parse().unwrap());
    let fen = Setup::start(Variant::Classic).to_string();
    let flags = ["--position", &fen, "--bottom", "black", "--move", "e2e4"];
    assert_eq!(drawn(&flags, ""), picture::svg(&marked, 600).into_bytes());
    let card = picture::card(&start(Variant::Dilkel));
    assert_eq!(drawn(&["--position", "startpos", "--format", "card"], ""), card);
    let animation = picture::gif(&[start(Variant::DilkelCompact)]);
    let flags = ["--position", "startpos", "--variant", "dilkel-compact", "--format", "gif"];
    assert_eq!(drawn(&flags, ""), animation);
}

/// The drawing equals a golden file, which `UPDATE_GOLDEN=1` replaces.
#[test]
fn a_drawing_equals_the_golden_file() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/mate.svg");
    let drawn = drawn(&["--bottom", "black", "--width", "400"], MATE);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&golden, &drawn).unwrap();
    }
    assert_eq!(String::from_utf8(drawn).unwrap(), fs::read_to_string(golden).unwrap());
}

#[test]
fn a_game_is_drawn_at_a_ply_and_as_an_animation() {
    let at = |ply: &str| drawn(&["--ply", ply], MATE);
    assert_eq!(at("0"), picture::svg(&start(Variant::Classic), 600).into_bytes());
    assert_eq!(at("4"), drawn(&[], MATE), "all plies are the default");
    let distinct: std::collections::BTreeSet<_> = ["0", "1", "2", "3", "4"].map(at).into();
    assert_eq!(distinct.len(), 5);
    let mate = String::from_utf8(at("4")).unwrap();
    assert_eq!(mate.matches("<circle ").count(), 1, "the king is attacked");
    let frames = |animation: &[u8]| {
        let mut decoder = gif::DecodeOptions::new().read_info(animation).unwrap();
        std::iter::from_fn(|| decoder.read_next_frame().unwrap().map(|_| ())).count()
    };
    assert_eq!(frames(&drawn(&["--format", "gif"], MATE)), 5);
    assert_eq!(frames(&drawn(&["--format", "gif", "--ply", "2"], MATE)), 3);
}

/// The pictures of a game do not depend on its format.
#[test]
fn games_and_their_records_have_the_same_pictures() {
    for name in ["own.pgn", "own.pgn4"] {
        let path = games(name);
        let path = path.to_str().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let records = folder.path().join("records.json");
        let records = records.to_str().unwrap();
        let mut convert = Command::new(env!("CARGO_BIN_EXE_quadrex"));
        assert!(convert.args(["convert", path, records]).output().unwrap().status.success());
        for game in ["1", "3"] {
            for flags in [&["--format", "png"][..], &["--ply", "7"], &["--format", "gif", "--ply", "12"]] {
                let of = |file: &str| drawn(&[&[file, "--game", game], flags].concat(), "");
                assert_eq!(of(path), of(records), "{name}, game {game}, {flags:?}");
            }
        }
        assert_ne!(drawn(&[path, "--game", "1"], ""), drawn(&[path, "--game", "3"], ""), "{name}");
        let text = fs::read_to_string(path).unwrap();
        assert_eq!(drawn(&["-"], &text), drawn(&[path], ""), "{name}");
    }
}

#[test]
fn the_extension_selects_the_format() {
    let folder = tempfile::tempdir().unwrap();
    for (name, magic) in
        [("a.svg", &b"<svg "[..]), ("a.PNG", b"\x89PNG"), ("a.gif", b"GIF89a"), ("a", b"<svg ")]
    {
        let file = folder.path().join(name);
        assert_eq!(drawn(&["--out", file.to_str().unwrap()], MATE), b"");
        assert!(fs::read(&file).unwrap().starts_with(magic), "{name}");
    }
}

#[test]
fn errors_describe_the_problem_of_the_input() {
    let pgn4 = "[Variant \"Dilkel\"]\n[Red \"?\"]\n\n1. h2-h4 *\n";
    let record = "{\"format\":\"quadrex-record-2\",\"variant\":\"classic\",\"events\":[{\"event\":\
                  {\"type\":\"moved\",\"color\":\"white\",\"move\":\"e2e5\"}}]}";
    let cases: [(&[&str], &str, &str); 19] = [
        (&[], "", "standard input: the input has no position and no game"),
        (&["none.pgn"], "", "none.pgn: No such file or directory (os error 2)"),
        (&["--position", "hello"], "", "--position: the text is no position: it must be a FEN or FEN4"),
        (&["--position", ""], "", "--position: the text is no position: it must be a FEN or FEN4"),
        (&["--game", "2"], MATE, "standard input: --game is 2, and the file has one game"),
        (&["--game", "9"], "1. e4 *\n\n1. d4 *\n", "standard input: --game is 9, and the file has 2 games"),
        (&["--ply", "5"], MATE, "--ply is 5, and the game has 4 plies"),
        (&["--ply", "2"], pgn4, "--ply is 2, and the game has 1 ply"),
        (&["--move", "e2e4"], MATE, "--move applies to a position, and the input is a game"),
        (
            &["--position", "startpos", "--ply", "1"],
            "",
            "--ply applies to a game, and the input is a position",
        ),
        (
            &["--position", "startpos", "--game", "2"],
            "",
            "--game applies to a file of games, and the input is a position",
        ),
        (&["--bottom", "green"], MATE, "--bottom is green, which classic does not have"),
        (&["--bottom", "white"], pgn4, "--bottom is white, which dilkel does not have"),
        (&["--width", "63"], MATE, "--width is 63: expected 64 to 1600"),
        (&["--width", "1601"], MATE, "--width is 1601: expected 64 to 1600"),
        (&["--width", "100", "--format", "gif"], MATE, "--width does not apply to gif, whose size is fixed"),
        (
            &[],
            "1. e4 e5 2. Ke3 *\n",
            "standard input: game 1, line 1 (byte 12), round 2, white: \"Ke3\": no legal move fits",
        ),
        (&[], record, "standard input: record 1, line 1 (byte 0): event 1 cannot have happened there"),
        (&[], "{\"format\":1}", "standard input: record 1, line 1 (byte 0): column 11: expected value"),
    ];
    for (arguments, input, error) in cases {
        assert_eq!(refused(arguments, input), error, "{arguments:?}");
    }
    for wrong in [
        &["--bottom", "pink"][..],
        &["--move", "z9"],
        &["--variant", "checkers"],
        &["--format", "bmp"],
        &["--game", "0"],
        &["a.pgn", "--position", "startpos"],
    ] {
        assert_eq!(run(wrong, "").status.code(), Some(2), "{wrong:?}");
    }
}

/// An existing file is kept if the command fails.
#[test]
fn a_failed_command_keeps_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("old.svg");
    fs::write(&file, "old").unwrap();
    refused(&["--out", file.to_str().unwrap(), "--ply", "9"], MATE);
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
}

#[test]
fn a_game_by_other_rules_is_drawn_up_to_its_first_illegal_move() {
    let text = "1. e4 e5 2. Ke3 *\n";
    assert_eq!(drawn(&["--partial"], text), drawn(&[], "1. e4 e5 *\n"));
}
