//! Streams of games: every game that goes in comes out, whatever is missing between them, and each
//! error has its location.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use quadrex_rules::notation::{ReadError, Reader, WrittenGame, pgn, pgn4};

const MARK: &str = "\u{feff}";

/// Moves that can be repeated forever, by rounds.
const PGN: [&str; 2] = ["Nf3 Nf6", "Ng1 Ng8"];
const PGN4: [&str; 2] =
    ["Nj1-i3 .. Na5-c6 .. Ne14-f12 .. Nn10-l9", "Ni3-j1 .. Nc6-a5 .. Nf12-e14 .. Nl9-n10"];

/// The defect of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// `}` after the first round.
    Moves,
    /// A tag without its quotes.
    Tag,
    /// A tag without its bracket, the last of its game.
    OpenTag,
}

/// A game of a stream, and its parts.
#[derive(Clone, Debug)]
struct Part {
    has_tags: bool,
    rounds: usize,
    has_result: bool,
    /// Between tags and moves.
    has_empty_line: bool,
    /// Before the game.
    follows_empty_line: bool,
    /// A byte order mark before it, as in joined files; the last line of the file before may have
    /// no line end.
    follows_mark: bool,
    follows_line_end: bool,
    comment: bool,
    escaped_line: bool,
    fault: Option<Fault>,
}

fn part() -> impl Strategy<Value = Part> {
    let fault = prop_oneof![Just(Fault::Moves), Just(Fault::Tag), Just(Fault::OpenTag)];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let more = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (flags, more, 0..4_usize, option::weighted(0.15, fault)).prop_map(
        |((has_tags, has_result, has_empty_line, follows_empty_line), more, rounds, fault)| Part {
            has_tags,
            rounds,
            has_result,
            has_empty_line,
            follows_empty_line,
            follows_mark: more.0,
            follows_line_end: more.1,
            comment: more.2,
            escaped_line: more.3,
            fault,
        },
    )
}

/// Removes missing parts only as far as the end of one game and the start of the next stay
/// recognizable.
fn mend(parts: &mut [Part]) {
    let mut before: Option<Part> = None;
    for part in parts {
        if part.fault == Some(Fault::Moves) {
            part.rounds = part.rounds.max(1);
        } else if part.fault.is_some() {
            part.has_tags = true;
        }
        if !part.has_tags && part.rounds == 0 {
            part.has_tags = true;
        }
        let Some(before) = before.replace(part.clone()) else {
            part.follows_empty_line = false;
            continue;
        };
        let ends = before.has_result && before.fault.is_none();
        let ends_by_number =
            before.rounds > 1 && before.fault.is_none() || part.follows_empty_line && before.rounds > 0;
        if !part.follows_mark && !part.has_tags && !ends && !ends_by_number {
            part.has_tags = true;
        }
        // Errors are skipped by lines, and a remark would extend to the end of its line.
        let has_remark = (before.comment || before.escaped_line) && !before.has_result;
        if before.fault.is_some() || has_remark {
            part.follows_line_end = true;
        }
    }
}

/// Returns the stream with LF, and for each game the lines where it may start.
fn text(parts: &[Part], name: &str, moves: [&str; 2]) -> (String, Vec<(usize, usize)>) {
    let mut text = String::new();
    let mut lines = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        if part.follows_mark {
            if !part.follows_line_end {
                text.truncate(text.trim_end_matches('\n').len());
            }
            if part.follows_empty_line {
                text.push_str("\n\n");
            }
            text.push_str(MARK);
        } else if part.follows_empty_line {
            text.push('\n');
        }
        let first = text.matches('\n').count() + 1;
        if part.has_tags {
            text.push_str(&format!("[{name} \"{}\"]\n", value(name, number)));
            match part.fault {
                Some(Fault::Tag) => text.push_str("[Site bad]\n"),
                Some(Fault::OpenTag) => text.push_str("[Site \"bad\"\n"),
                _ => text.push_str("[Site \"x\"]\n"),
            }
            if part.has_empty_line {
                text.push('\n');
            }
        }
        for round in 0..part.rounds {
            let end = if part.comment && round == 0 { " ; note\n" } else { "\n" };
            text.push_str(&format!("{}. {}{end}", round + 1, moves[round % 2]));
            if part.fault == Some(Fault::Moves) && round == 0 {
                text.push_str("}\n");
            }
            if part.escaped_line {
                text.push_str("% 1. e4 [Event \"no\"]\n");
            }
        }
        if part.has_result {
            text.push_str("*\n");
        }
        lines.push((first, text.matches('\n').count() + 1));
    }
    (text, lines)
}

fn value(name: &str, number: usize) -> String {
    if name == "FEN" {
        format!("4k3/8/8/8/8/8/8/4K3 w - - 0 {}", number + 1)
    } else {
        format!("game {number}")
    }
}

fn check(mut parts: Vec<Part>, name: &str, moves: [&str; 2], line_end: &str) {
    mend(&mut parts);
    let (lf, lines) = text(&parts, name, moves);
    let text = lf.replace('\n', line_end);
    let read: Vec<_> = Reader::new(text.as_bytes()).collect();
    assert_eq!(read.len(), parts.len(), "{text:?}: {read:#?}");
    for (number, ((game, part), (first, last))) in read.into_iter().zip(&parts).zip(lines).enumerate() {
        let within = |line: u64| (first as u64..=last as u64).contains(&line);
        match game {
            Err(ReadError::Syntax(error)) => {
                assert!(part.fault.is_some(), "{error} in {text:?}");
                assert!(
                    within(error.location.line) && error.game == number as u64 + 1,
                    "{error} in {text:?}"
                );
            }
            Ok(game) => {
                assert_eq!(part.fault, None, "{text:?}");
                let reported = part.has_tags.then(|| value(name, number));
                assert_eq!(game.tags.get(name), reported.as_deref(), "{text:?}");
                assert_eq!(game.tags.iter().count(), if part.has_tags { 2 } else { 0 }, "{text:?}");
                let each = moves[0].replace(" ..", "").split(' ').count();
                assert_eq!(game.line.plies.len(), part.rounds * each, "{text:?}");
                assert_eq!(game.result.is_some(), part.has_result, "{text:?}");
                let comments: Vec<&String> = game.line.plies.iter().flat_map(|ply| &ply.comments).collect();
                let has_comment = part.comment && part.rounds > 0;
                assert_eq!(comments, if has_comment { vec!["note"] } else { vec![] }, "{text:?}");
                assert_eq!(game.location.line, first as u64, "{text:?}");
                assert_eq!(game.warnings, [], "{text:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn as_many_games_come_out_as_went_in(
        parts in vec(part(), 1..6),
        name in prop_oneof![Just("Event"), Just("FEN")],
        moves in prop_oneof![Just(PGN), Just(PGN4)],
        line_end in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
    ) {
        check(parts, name, moves, line_end);
    }
}

fn read(text: &str) -> Vec<WrittenGame> {
    Reader::new(text.as_bytes()).map(Result::unwrap).collect()
}

fn words(game: &WrittenGame) -> Vec<&str> {
    game.line.plies.iter().map(|ply| ply.text.as_str()).collect()
}

fn only(text: &str) -> WrittenGame {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0)
}

fn warnings(game: &WrittenGame) -> Vec<String> {
    game.warnings.iter().map(ToString::to_string).collect()
}

/// A name occurs once in a game; an empty line among its tags does not end it.
#[test]
fn a_tag_given_twice_begins_the_next_game() {
    let games = read(
        "[Event \"1\"]\n[White \"Ann\"]\n[Result \"1/2-1/2\"]\n\n[Event \"2\"]\n[White \"Cid\"]\n\n1. d4 1-0\n",
    );
    let [first, second] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!((first.tags.get("White"), first.tags.get("Result")), (Some("Ann"), Some("1/2-1/2")));
    assert_eq!((first.line.plies.len(), second.tags.get("Result")), (0, None));
    assert_eq!((second.tags.get("White"), second.result.as_deref()), (Some("Cid"), Some("1-0")));
    assert_eq!((second.location.line, second.location.offset), (5, 46));
    let gap = only("[Event \"1\"]\n\n[White \"Ann\"]\n\n1. d4 1-0\n");
    assert_eq!((gap.tags.get("Event"), gap.tags.get("White")), (Some("1"), Some("Ann")));
    let positions = read("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]");
    assert_eq!(positions.len(), 2);
    let slip = read("[White \"A\"]\n[White \"B\"]\n\n1. e4 *");
    assert_eq!(slip.iter().map(|game| game.tags.get("White")).collect::<Vec<_>>(), [Some("A"), Some("B")]);
}

/// `;` comments and `%` lines end with their line, whichever end it has (PGN standard, 5 and 6).
#[test]
fn carriage_returns_alone_end_lines() {
    let game = only("%1. a3\r1. e4 ; good\r e5 2. Nf3\r% Nc6\r*\r");
    assert_eq!(words(&game), ["e4", "e5", "Nf3"]);
    assert_eq!(game.line.plies[0].comments, ["good"]);
    assert_eq!(game.line.plies[2].location.line, 3);
    let games: Vec<_> =
        Reader::new(&b"[A \"1\"]\r\r1. e4 }\r\r[A \"2\"]\r\r1. d4 {open\r\r[A \"3\"]\r\r1. c4 *"[..])
            .collect();
    let errors: Vec<String> =
        games.iter().filter_map(|game| game.as_ref().err()).map(ToString::to_string).collect();
    assert_eq!(
        errors,
        ["game 1, line 3 (byte 15): unexpected '}'", "game 2, line 7 (byte 33): comment without an end"]
    );
    assert_eq!(games[2].as_ref().unwrap().tags.get("A"), Some("3"));
    let broken = only("[StartFen4 \"4PC\r\"]\r\r1. h2-h3");
    assert_eq!(broken.tags.get("StartFen4"), Some("4PC"));
}

/// Byte order marks and the end-of-file characters of old systems separate joined files.
#[test]
fn joined_files_are_games_of_their_own() {
    for joint in ["\n\u{feff}", "\u{feff}", "\u{1a}", "\n\u{1a}\n", "\r\n\u{1a}\u{feff}", "\u{feff}\u{feff}"]
    {
        let text = format!(
            "[Event \"a\"]\n\n1. e4 *{joint}[Event \"b\"]\n\n1. d4{joint}1. c4 c5{joint}1. f4 *\u{1a}"
        );
        let games = read(&text);
        let played: Vec<String> = games.iter().map(|game| words(game).join(" ")).collect();
        assert_eq!(played, ["e4", "d4", "c4 c5", "f4"], "{joint:?}");
        assert!(games.iter().all(|game| game.warnings.is_empty()), "{joint:?}");
    }
    // In the middle of a line it was once white space.
    let game = only("1.\u{feff}e4 e5\u{feff} Nf3 *");
    assert_eq!(words(&game), ["e4", "e5", "Nf3"]);
    assert_eq!(warnings(&game), ["line 1 (byte 2): U+FEFF is read as a blank (2 times)"]);
}

/// Numbers that restart belong to another game, unless they are a later move of the first round.
#[test]
fn a_game_without_a_result_ends_where_numbers_begin_anew() {
    let split = |text: &str| -> Vec<usize> { read(text).iter().map(|game| game.line.plies.len()).collect() };
    assert_eq!(split("1. e4 e5 2. Nf3\n1. d4 d5"), [3, 2]);
    assert_eq!(split("1. e4\n\n1. d4 d5 *"), [1, 2]);
    assert_eq!(split("35. Ke2 Ke7 1. d4"), [2, 1]);
    assert_eq!(split("1. e4\n\n1... e5 2. Nf3 1. e4"), [3, 1]);
    assert_eq!(split("1. e4\n\n1\u{2026} e5"), [2]);
    assert_eq!(split("1. e4\n\n1. ... e5"), [2]);
    assert_eq!(split("1. e4 1. e5 2. Nf3 (1. d4 d5) 2... Nc6"), [4]);
    assert_eq!(split("1. e4\n%x\n1. e5"), [2]);
}

/// The asterisk is a token by itself and ends itself (PGN standard, 7).
#[test]
fn an_asterisk_needs_no_blank() {
    let game = only("1. e4 e5 2. Nf3*");
    assert_eq!((words(&game), game.result.as_deref()), (vec!["e4", "e5", "Nf3"], Some("*")));
    let games = read("1. e4 (1. d4*) e5*?[White \"b\"]\n1. d4*1. c4 *");
    let played: Vec<String> = games.iter().map(|game| words(game).join(" ")).collect();
    assert_eq!(played, ["e4 e5", "d4", "c4"]);
}

/// Typographic blanks, hyphens and dots of word processors and web pages are read as the plain
/// ones, with a warning and its location.
#[test]
fn typographic_signs_are_read_with_a_warning() {
    for (text, played, warning) in [
        ("1.\u{a0}e4 e5 *", "e4 e5", "line 1 (byte 2): U+00A0 is read as a blank"),
        (
            "1. e4\u{2009}e5\n2.\u{2009}Nf3 *",
            "e4 e5 Nf3",
            "line 1 (byte 5): U+2009 is read as a blank (2 times)",
        ),
        ("1. e4 e5\n2. O\u{2013}O *", "e4 e5 O-O", "line 2 (byte 13): U+2013 is read as '-'"),
        ("1. O\u{2212}O\u{2212}O *", "O-O-O", "line 1 (byte 4): U+2212 is read as '-' (2 times)"),
        ("1. e4 1\u{2026} e5 *", "e4 e5", "line 1 (byte 7): U+2026 is read as three dots"),
        ("1. e4 1\u{2026}e5 *", "e4 e5", "line 1 (byte 7): U+2026 is read as three dots"),
        ("1. e4 \u{2026} e5 *", "e4 e5", "line 1 (byte 6): U+2026 is read as three dots"),
        ("1. e4\u{d7}d5 1\u{2013}0", "e4xd5", "line 1 (byte 5): U+00D7 is read as 'x'"),
    ] {
        let game = only(text);
        assert_eq!(words(&game).join(" "), played, "{text}");
        assert_eq!(warnings(&game)[0], warning, "{text}");
        assert!(game.result.is_some(), "{text}");
    }
    assert_eq!(only("1. e4 1\u{2026} e5").line.plies[1].number.unwrap().dots, 3);
    // Bytes of Windows-1252, where a letter is one byte.
    let old = Reader::new(&b"1.\xa0e4 1\x85 e5 2. O\x96O \xa0 *"[..]).next().unwrap().unwrap();
    assert_eq!(words(&old), ["e4", "e5", "O-O"]);
    assert_eq!(old.warnings.len(), 3);
    let comment = only("1. e4 {\u{a0}a\u{2013}b\u{2026}} *");
    assert_eq!(
        (comment.warnings.len(), comment.line.plies[0].comments[0].as_str()),
        (0, "a\u{2013}b\u{2026}")
    );
}

/// An annotation never costs the game: it is stored by its number, or dropped with a warning.
#[test]
fn annotations_of_positions_are_kept() {
    let game = only("1. e4 e5 2. Nf3 +/= Nc6 \u{b1} 3. Bb5\u{221e} a6= 4. Ba4 -+ Nf6 += 5. O-O+- *");
    assert_eq!(words(&game), ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O"]);
    let nags: Vec<u8> = game.line.plies.iter().flat_map(|ply| ply.nags.clone()).collect();
    assert_eq!(nags, [14, 16, 13, 10, 19, 14, 18]);
    assert_eq!(game.warnings, []);
    let dropped = only("= $6 1. e4!!! + e5 *");
    assert_eq!(words(&dropped), ["e4", "e5"]);
    let expected =
        ["\"$10\"", "\"$6\"", "\"!!!\"", "\"+\""].map(|text| format!(": the annotation {text} is dropped"));
    let shown = warnings(&dropped);
    assert!(
        shown.len() == 4 && shown.iter().zip(&expected).all(|(shown, end)| shown.ends_with(end)),
        "{shown:?}"
    );
}

/// The tag must equal the end of the moves (PGN standard, 8.1.1.7); if it does not, the moves
/// count.
#[test]
fn a_result_that_the_moves_contradict_is_reported() {
    for (tag, text, is_reported) in [
        ("1-0", "0-1", true),
        ("1-0", "*", true),
        ("*", "1-0", true),
        ("1/2", "1/2-1/2", false),
        ("1/2-1/2", "½-½", false),
        ("?", "1-0", false),
        ("", "1-0", false),
        ("0-1", "0-1", false),
    ] {
        let game = only(&format!("[Result \"{tag}\"]\n\n1. e4 e5 {text}"));
        let replay = pgn::replay(&game).unwrap();
        assert_eq!((replay.stopped, game.tags.get("Result")), (None, Some(tag)), "{tag} {text}");
        let reported: Vec<String> = replay.warnings.iter().map(ToString::to_string).collect();
        let warning = format!(
            "the tag Result says {tag:?} and the moves end with {text:?}: the end of the moves counts"
        );
        assert_eq!(reported, if is_reported { vec![warning] } else { vec![] });
        let result = pgn::result_text(replay.playback.game().outcome());
        assert!(result == text || text == "½-½", "{tag} {text}: {result}");
    }
    let stops = replay_stop("[Result \"1-0\"]\n\n1. e4 e5");
    assert_eq!(stops, None);
}

fn replay_stop(text: &str) -> Option<String> {
    let game = only(text);
    let replay = if text.contains("StartFen4") { pgn4::replay(&game) } else { pgn::replay(&game) };
    replay.unwrap().stopped.map(|stop| stop.to_string())
}

/// Null moves, and moves played after 75 moves before July 2014, end the replay: the reason names
/// both.
#[test]
fn what_cannot_be_followed_has_its_own_reason() {
    for null in ["--", "Z0", "\u{2013}\u{2013}"] {
        let stop = replay_stop(&format!("1. e4 {null} 2. d4 *")).unwrap();
        assert!(
            stop.contains("round 1, black: ") && stop.ends_with("a null move: passing is not allowed"),
            "{stop}"
        );
    }
    let kept = only("1. e4 (1. d4 -- 2. c4) e5 *");
    assert_eq!(kept.line.plies[0].variations[0].plies[1].text, "--");
    assert_eq!(pgn::replay(&kept).unwrap().stopped, None);

    let mut text = String::from("[FEN \"k7/8/8/8/8/8/8/K6R w - - 149 100\"]\n\n100. Rh2 Ka7 101. Rh3 *");
    let stop = replay_stop(&text).unwrap();
    let expected = "round 100, black: \"Ka7\": the game is drawn before it by 75 moves without a capture or a pawn's move \
                    (in chess since July 2014)";
    assert!(stop.ends_with(expected), "{stop}");
    text = format!("1. Nf3 Nf6 {}*", "2. Ng1 Ng8 3. Nf3 Nf6 ".repeat(5));
    let stop = replay_stop(&text).unwrap();
    assert!(stop.contains("by the fifth occurrence of a position (in chess since July 2014)"), "{stop}");
}

/// Sites write an exit directly after a move.
#[test]
fn an_exit_behind_a_move_has_the_reason_of_exits() {
    let site = |exit: &str| {
        format!(
            "[Variant \"FFA\"]\n[StartFen4 \"4PC\"]\n\n1. h2-h3 .. b7-c7 .. g13-g12 .. m8-l8\n2. {exit} .. c7-d7 .. g12-g11"
        )
    };
    for exit in ["Kh1-h2R", "Kh1-h2T", "Kh1-h2S", "Kh1-h2R#", "Kh1-h2T+", "h3-h4R", "O-OR", "Qg1xNn8R"] {
        let stop = replay_stop(&site(exit)).unwrap();
        let reason =
            ": in this game's own rules the pieces of an eliminated player stay on the board (the game";
        assert!(stop.contains(&format!("round 2, red: {exit:?}{reason}")), "{stop}");
        let ours = replay_stop(&site(exit).replace("FFA", "Dilkel")).unwrap();
        assert!(
            ours.ends_with("a player is eliminated with this move, and an exit must be a word of its own"),
            "{ours}"
        );
    }
    assert_eq!(replay_stop(&site("Kh1-h2")), None);
}
