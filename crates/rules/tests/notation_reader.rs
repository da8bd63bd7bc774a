//! Reading files of games: accepted texts, and the locations in errors.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod random;

use std::convert::Infallible;

use quadrex_rules::notation::{
    Line, Location, MAX_GAME_BYTES, MAX_VARIATION_DEPTH, MoveNumber, ReadError, Reader, SyntaxError,
    SyntaxKind, WrittenGame, pgn, pgn4,
};
use quadrex_rules::{Piece, Role, Setup, Variant};
use random::Random;

type Read = Result<WrittenGame, ReadError<Infallible>>;

fn read(text: &str) -> Vec<Read> {
    Reader::new(text.as_bytes()).collect()
}

fn only(text: &str) -> WrittenGame {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap()
}

fn words(game: &WrittenGame) -> Vec<&str> {
    game.line.plies.iter().map(|ply| ply.text.as_str()).collect()
}

#[test]
fn tags_moves_comments_and_judgements_are_read() {
    let game = only(concat!(
        "\u{feff}% a line for nobody\n[White \"O\\\"Hara \\\\ Sons\"]\n[Black   \"The \"Big\" One\" ]\n\n",
        "{before} 1.e4! {king's\n   pawn} $13 e5 ; to the end } of the line\n2. Nf3?! (2. f4 exf4 (2... d5 !?) 3. Nf3) Nc6 1-0\n",
    ));
    assert_eq!(game.tags.get("White"), Some("O\"Hara \\ Sons"));
    assert_eq!(game.tags.get("Black"), Some("The \"Big\" One"));
    assert_eq!(game.tags.get("Site"), None);
    assert_eq!(words(&game), ["e4", "e5", "Nf3", "Nc6"]);
    assert_eq!(game.line.comments, ["before"]);
    let [e4, e5, nf3, nc6] = game.line.plies.as_slice() else { panic!("{game:?}") };
    assert_eq!(
        (e4.nags.as_slice(), e4.comments.as_slice()),
        ([1, 13].as_slice(), ["king's pawn".to_owned()].as_slice())
    );
    assert_eq!(e4.number, Some(MoveNumber { number: 1, dots: 1 }));
    assert_eq!(e5.comments, ["to the end ) of the line"]);
    assert_eq!((nf3.location.line, nf3.nags.as_slice()), (7, [6].as_slice()));
    let inner = &nf3.variations[0].plies[1].variations[0].plies[0];
    assert_eq!((inner.text.as_str(), inner.nags.as_slice()), ("d5", [5].as_slice()));
    assert_eq!(inner.number, Some(MoveNumber { number: 2, dots: 3 }));
    assert_eq!(nc6.number, None);
    assert_eq!(game.result.as_deref(), Some("1-0"));
}

/// A word that is no move stays none with an annotation after it, or it would read back as
/// something else.
#[test]
fn a_judgement_makes_no_move_of_a_number_or_a_result() {
    let game = only("1!? e4 2! e5?! 1-0?");
    assert_eq!(words(&game), ["e4", "e5"]);
    assert_eq!(game.line.plies[1].number, Some(MoveNumber { number: 2, dots: 0 }));
    assert_eq!(game.line.plies[1].nags, [6]);
    assert_eq!(game.result.as_deref(), Some("1-0"));
}

/// A word that would be a remark at the start of a line is not written there.
#[test]
fn a_word_with_a_percent_sign_reads_back() {
    let game = only("[Event \"x\"]\n\n %odd 1. e4 *");
    assert_eq!(words(&game), ["%odd", "e4"]);
    for write in [WrittenGame::write_pgn, WrittenGame::write_pgn4] {
        let mut text = String::new();
        write(&game, &mut text).unwrap();
        assert_eq!(only(&text), game, "{text}");
    }
}

#[test]
fn what_is_written_reads_back_equal() {
    let game = only(
        "[Event \"A \\\\ \\\"B\\\"\"]\n\n{a} 1. e4 $1 {b} {c d} (1. d4 d5 (1... Nf6) 2. c4) ({x} 1. c4) 1... e5 2. Nf3 *",
    );
    let mut text = String::new();
    game.write_pgn(&mut text).unwrap();
    assert_eq!(only(&text), game, "{text}");
    let mut text = String::new();
    game.write_pgn4(&mut text).unwrap();
    assert_eq!(only(&text), game, "{text}");
}

#[test]
fn games_follow_one_another_with_or_without_tags() {
    let numbers = |text: &str| -> Vec<(u64, usize, u64)> {
        let games = read(text).into_iter().map(Result::unwrap);
        games.map(|game| (game.number, game.line.plies.len(), game.location.line)).collect()
    };
    assert_eq!(numbers("1. e4 1-0 1. d4 d5 1/2 *"), [(1, 1, 1), (2, 2, 1), (3, 0, 1)]);
    assert_eq!(
        numbers("[A \"1\"]\n[B \"2\"]\n\n[A \"3\"]\n1. h2-h3 .. b7-c7\n\n\n[A \"4\"]\n\n1. a3"),
        [(1, 0, 1), (2, 2, 4), (3, 1, 8)]
    );
    assert_eq!(numbers(""), []);
    assert_eq!(numbers(" \n% nothing\n"), []);
}

/// Latin-1 was the character set of PGN before UTF-8.
#[test]
fn old_alphabets_are_read() {
    let bytes = b"[White \"R\xe9ti\"]\n[Black \"R\xc3\xa9ti\"]\n\n1. Nf3 *".as_slice();
    let game = Reader::new(bytes).next().unwrap().unwrap();
    assert_eq!((game.tags.get("White"), game.tags.get("Black")), (Some("Réti"), Some("Réti")));
}

/// The forms of four-player sites: `..` between players or none, lines that start in the middle of
/// a round, variations, clock comments, set-ups over several lines.
#[test]
fn the_sites_way_of_writing_is_read() {
    let game = only(
        "[StartFen4 \"4PCo\n\"]\n\n1. h2-h3\n(1.. Nj1-i3 .. Na5-c6 .. Ne14-f12 .. m8-l8 )  .. b7-c7 { clock=1 } .. g13-g12 ( .. h13-h12 )  .. Nn10-l9 { Test }\n2. d2-d3 b8-c8 .. R# .. O-O#",
    );
    assert_eq!(words(&game), ["h2-h3", "b7-c7", "g13-g12", "Nn10-l9", "d2-d3", "b8-c8", "R#", "O-O#"]);
    let first = &game.line.plies[0].variations[0];
    assert_eq!(first.plies.len(), 4);
    assert_eq!(first.plies[0].number, Some(MoveNumber { number: 1, dots: 2 }));
    assert_eq!(game.line.plies[2].variations[0].plies[0].text, "h13-h12");
}

/// A file from another system: line ends of two characters, a byte order mark, escaped lines
/// between and in games, a result in one character, a remark without a blank before it.
#[test]
fn the_odd_ways_of_other_programs_are_read() {
    let text = "\u{feff}%first\r\n[White \"A\"]\r\n[Result \"½-½\"]\r\n\r\n1. e4 Nf6 2. e5 d5\r\n%between\r\n3. exd6e.p. ; why not?\r\nexd6 4. Nf3!! ½-½\r\n\r\n\
                [White \"B\"]\r\n\r\n1. d4ep $1 1/2\r\n";
    let games: Vec<WrittenGame> = read(text).into_iter().map(Result::unwrap).collect();
    let [first, second] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(words(first), ["e4", "Nf6", "e5", "d5", "exd6", "exd6", "Nf3"]);
    assert_eq!(first.line.plies[4].comments, ["why not?"]);
    assert_eq!((first.result.as_deref(), first.tags.get("White")), (Some("1/2-1/2"), Some("A")));
    assert_eq!(first.line.plies[6].nags, [3]);
    assert_eq!((words(second), second.result.as_deref()), (vec!["d4"], Some("1/2-1/2")));
    let replay = pgn::replay(first).unwrap();
    assert_eq!(replay.stopped, None);
    assert_eq!(replay.playback.plies().count(), 7);
}

/// Only the complete mark is skipped, wherever a game may start: its bytes may start a word.
#[test]
fn a_byte_order_mark_is_passed_over_only_where_it_is_one() {
    let word = |bytes: &[u8]| {
        let games: Vec<Read> = Reader::new(bytes).collect();
        assert_eq!(games.len(), 1, "{games:?}");
        let game = games.into_iter().next().unwrap().unwrap();
        let mut text = String::new();
        game.write_pgn(&mut text).unwrap();
        assert_eq!(only(&text), game, "written as {text:?}");
        (game.line.plies[0].text.clone(), game.location.offset)
    };
    assert_eq!(word(b"\xef\xbb\xbfe4 *"), ("e4".into(), 3));
    assert_eq!(word(b"\xef\xbb\xbf\xef\xbb\xbfe4 *"), ("e4".into(), 6));
    assert_eq!(word(b"\n\xef\xbb\xbfe4 *"), ("e4".into(), 4));
    // Latin-1: three letters and quotes that share the mark's bytes.
    assert_eq!(word(b"\xefe4 *"), ("\u{ef}e4".into(), 0));
    assert_eq!(word(b"\xbf\xefe4 *"), ("\u{bf}\u{ef}e4".into(), 0));
    assert_eq!(word(b"\xef\xbbe4 *"), ("\u{ef}\u{bb}e4".into(), 0));
    let second = read("e4 * \u{feff}d4 *");
    assert_eq!(words(second[1].as_ref().unwrap()), ["d4"]);
}

/// A line break in a tag's value is a blank, so that the written text reads back equal.
#[test]
fn a_set_up_over_several_lines_is_one_value() {
    let setup = Setup::start(Variant::Dilkel).to_string();
    let broken = setup.replacen("-0-3,", "-0-\n3,", 1).replace('/', "/\r\n");
    let game = only(&format!("[Variant \"Dilkel\"]\n[StartFen4 \"{broken}\"]\n\n1. h2-h4"));
    assert_eq!(
        game.tags.get("StartFen4"),
        Some(broken.split_whitespace().collect::<Vec<_>>().join(" ").as_str())
    );
    let replay = pgn4::replay(&game).unwrap();
    assert_eq!((replay.stopped, replay.warnings), (None, Vec::new()));
    let mut text = String::new();
    game.write_pgn4(&mut text).unwrap();
    assert_eq!(only(&text), game);
}

/// The named set-ups of sites: the squares of kings and queens.
#[test]
fn the_sites_set_ups_are_known_by_name() {
    for (name, kings, queens) in [
        ("4PC", ["h1", "a7", "g14", "n8"], ["g1", "a8", "h14", "n7"]),
        ("4PCo", ["h1", "a8", "g14", "n7"], ["g1", "a7", "h14", "n8"]),
        ("4PCb", ["h1", "a7", "h14", "n7"], ["g1", "a8", "g14", "n8"]),
        ("4PCn", ["h1", "a7", "h14", "n8"], ["g1", "a8", "g14", "n7"]),
        ("4PCrg", ["g1", "a8", "g14", "n8"], ["h1", "a7", "h14", "n7"]),
        ("4pcO", ["h1", "a8", "g14", "n7"], ["g1", "a7", "h14", "n8"]),
    ] {
        let game = only(&format!("[Variant \"FFA\"]\n[StartFen4 \"{name}\"]\n\n1. d2-d3"));
        let replay = pgn4::replay(&game).unwrap();
        assert_eq!(replay.stopped, None, "{name}");
        let setup = &replay.playback.game().config().setup;
        for (color, (king, queen)) in Variant::Dilkel.colors().iter().zip(kings.into_iter().zip(queens)) {
            let at = |square: &str| setup.pieces[&square.parse().unwrap()];
            assert_eq!(at(king), Piece { color: *color, role: Role::King }, "{name} {color}");
            assert_eq!(at(queen), Piece { color: *color, role: Role::Queen }, "{name} {color}");
        }
        assert_eq!(setup.pieces.len(), 64, "{name}");
    }
}

/// The error of an unknown start names its tag.
#[test]
fn an_unknown_start_is_refused_by_its_tag() {
    for (tags, message) in [
        ("[Variant \"FFA\"]\n[StartFen4 \"4PCx\"]", "StartFen4: unknown set-up \"4PCx\""),
        ("[Variant \"FFA\"]\n[StartFen4 \"2PC\"]", "StartFen4: unknown set-up \"2PC\""),
        ("[Variant \"Dilkel-Compact\"]\n[StartFen4 \"4PC\"]", "StartFen4: unknown set-up \"4PC\""),
        ("[Variant \"Teams\"]", "StartFen4 is missing, and the variant \"Teams\" has no set-up of its own"),
        ("[Variant \"Classic\"]", "unknown variant \"Classic\""),
        ("[StartFen4 \"R-0\"]", "set-up: text: expected seven or eight fields joined by -, found 2"),
    ] {
        let error = pgn4::replay(&only(&format!("{tags}\n\n1. h2-h4"))).unwrap_err();
        assert_eq!(error.to_string(), format!("game 1, line 1 (byte 0): {message}"));
    }
    for (tags, message) in [
        ("[SetUp \"1\"]", "FEN is missing, and SetUp says that there is one"),
        ("[Variant \"Atomic\"]", "unknown variant \"Atomic\""),
        ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]", "set-up: board: white has 0 kings instead of one"),
    ] {
        let error = pgn::replay(&only(&format!("{tags}\n\n1. e4"))).unwrap_err();
        assert_eq!(error.to_string(), format!("game 1, line 1 (byte 0): {message}"));
    }
}

/// The dropped parts of a game's set-up are reported: a castling right without its rook, an en
/// passant right that lives longer on the sites than here.
#[test]
fn dropped_parts_of_a_games_set_up_are_reported() {
    let fen = only("[FEN \"4k2r/8/8/8/8/8/8/4K3  w KQk -\"]\n\n1. Ke2 O-O *");
    let replay = pgn::replay(&fen).unwrap();
    assert_eq!((replay.stopped, replay.warnings.len()), (None, 2));
    let board = "7,yK,6/14/14/14/14/14/bK,13/13,gK/14/14/4,rP,9/14/14/6,rK,7";
    let fen4 = format!("G-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{{'enPassant':('e3:e4','','','')}}-{board}");
    let foreign = format!("[Variant \"FFA\"]\n[StartFen4 \"{fen4}\"]\n\n1. Kn7-n6");
    let replay = pgn4::replay(&only(&foreign)).unwrap();
    let shown: Vec<String> = replay.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["en passant: e3 is dropped: red's e3:e4: it is not near the turn to capture it"]);
    assert_eq!(replay.stopped, None);
    let own = pgn4::replay(&only(&foreign.replacen("FFA", "Dilkel", 1))).unwrap();
    assert_eq!((own.stopped, own.warnings), (None, replay.warnings));
}

/// The replay of a game by other rules stops with their names.
#[test]
fn a_stop_in_a_game_of_other_rules_names_them() {
    let text = "[Variant \"FFA\"]\n[RuleVariants \"DeadKingWalking PromoteTo=D\"]\n[StartFen4 \"4PC\"]\n\n1. h2-h4 .. R";
    let stop = pgn4::replay(&only(text)).unwrap().stopped.unwrap();
    let shown = stop.to_string();
    let expected = "round 1, blue: \"R\": in this game's own rules the pieces of an eliminated player stay on the board \
                    (the game was played by other rules: \"FFA, DeadKingWalking PromoteTo=D\")";
    assert!(shown.ends_with(expected), "{shown}");
}

#[test]
fn a_malformed_game_is_named_and_the_next_one_read() {
    let good = "\n[A \"good\"]\n\n1. e4 *\n";
    let deep = "(".repeat(usize::from(MAX_VARIATION_DEPTH) + 1);
    let deep = format!("[A \"bad\"]\n\n{}", "1. e4 ".to_owned() + &deep.replace('(', "( 1. d4 ") + "\n");
    let long = format!("[A \"bad\"]\n\n1. e4 {{{}", "word ".repeat(300_000));
    let cases: [(&str, SyntaxKind, u64); 13] = [
        ("[A bad]\n\n1. e4\n", SyntaxKind::MalformedTag, 1),
        ("[A \"bad\n\n1. e4\n", SyntaxKind::MalformedTag, 1),
        ("[A \"1\"]\n[ \"bad\"]\n[C \"3\"]\n\n1. e4\n", SyntaxKind::MalformedTag, 2),
        ("[A \"bad\"]\n\n1. e4 {never ends\n", SyntaxKind::UnclosedComment, 3),
        ("[A \"bad\"]\n\n1. e4 (1. d4\n", SyntaxKind::UnclosedVariation, 3),
        ("[A \"bad\"]\n\n(1. d4) 1. e4\n", SyntaxKind::VariationOfNothing, 3),
        ("[A \"bad\"]\n\n1. e4)\n", SyntaxKind::Unexpected { sign: ')' }, 3),
        ("[A \"bad\"]\n\n1. e4 } e5\n", SyntaxKind::Unexpected { sign: '}' }, 3),
        ("[A \"bad\"]\n\n1. e4 <e5>\n", SyntaxKind::Unexpected { sign: '<' }, 3),
        ("[A \"bad\"]\n\n1. e4 $256\n", SyntaxKind::MalformedNag, 3),
        ("[A \"bad\"]\n\n99999999999. e4\n", SyntaxKind::MalformedNumber, 3),
        (&deep, SyntaxKind::TooDeep, 3),
        (&long, SyntaxKind::TooLong, 1),
    ];
    for (bad, kind, line) in cases {
        let shown = &bad[..bad.len().min(80)];
        let games = read(&format!("{bad}{good}"));
        let [Err(ReadError::Syntax(error)), Ok(next)] = games.as_slice() else {
            panic!("{shown}: {games:?}")
        };
        assert_eq!((error.game, error.kind, error.location.line), (1, kind, line), "{shown}");
        assert_eq!((next.number, next.tags.get("A")), (2, Some("good")), "{shown}");
    }
}

#[test]
fn errors_say_where() {
    let error = SyntaxError {
        game: 3,
        location: Location { offset: 120, line: 7 },
        kind: SyntaxKind::UnclosedComment,
    };
    assert_eq!(error.to_string(), "game 3, line 7 (byte 120): comment without an end");

    let text = "[A \"1\"]\n\n1. e4 e5 *\n\n[A \"2\"]\n\n1. e4 e5\n2. Ke2 Ke7 3. Kf1 *\n";
    let game = read(text).remove(1).unwrap();
    let stop = pgn::replay(&game).unwrap().stopped.unwrap();
    assert_eq!(stop.to_string(), "game 2, line 8 (byte 53), round 3, white: \"Kf1\": no legal move fits");
}

#[test]
fn a_four_player_error_names_round_seat_and_move() {
    let text =
        "[Variant \"Dilkel\"]\n\n1. h2-h4 .. b7-c7 .. i13-i12 .. m11-k11\n2. h4-h5 .. b8-b9 .. i12-i11";
    let stop = pgn4::replay(&only(text)).unwrap().stopped.unwrap();
    let shown = stop.to_string();
    assert!(shown.starts_with("game 1, line 4 (byte "), "{shown}");
    assert!(shown.ends_with("), round 2, blue: \"b8-b9\": not a legal move"), "{shown}");
}

/// A line that ends with the opening brace is not empty: text below it belongs to the comment,
/// including a bracket.
#[test]
fn a_comment_may_begin_with_a_bracket_on_its_second_line() {
    let game = only("1. e4 {\n[k] is no tag} e5 1-0\n");
    assert_eq!(words(&game), ["e4", "e5"]);
    assert_eq!(game.line.plies[0].comments, ["[k] is no tag"]);
}

/// An endless source is read in constant memory: one game is stored at a time, and no game grows
/// beyond its bounds.
#[test]
fn an_endless_source_is_read_game_by_game() {
    let game = b"[White \"A\"]\n\n1. e4 {a comment} e5 *\n\n";
    let mut at = 0;
    let endless = |buffer: &mut [u8]| -> Result<usize, Infallible> {
        for byte in buffer.iter_mut() {
            *byte = game[at];
            at = (at + 1) % game.len();
        }
        Ok(buffer.len())
    };
    let last = Reader::new(endless).nth(5000).unwrap().unwrap();
    assert_eq!((last.number, last.line.plies.len()), (5001, 2));
    assert_eq!(last.location.offset, 5000 * game.len() as u64);

    let endless = |buffer: &mut [u8]| -> Result<usize, &str> {
        buffer.fill(b'x');
        Ok(buffer.len())
    };
    let mut served = 0;
    let bounded = |buffer: &mut [u8]| {
        served += buffer.len() as u64;
        if served > 4 * MAX_GAME_BYTES { Err("enough") } else { endless(buffer) }
    };
    let errors: Vec<_> = Reader::new(bounded).map(Result::unwrap_err).collect();
    let [ReadError::Source { game: 1, error: "enough", .. }] = errors.as_slice() else {
        panic!("{errors:?}")
    };
}

/// No bytes make the reader or a replay panic or loop forever.
#[test]
fn garbage_never_panics() {
    let pieces = [
        "[",
        "]",
        "\"",
        "{",
        "}",
        "(",
        ")",
        ";",
        "$",
        "$3",
        "1.",
        "1...",
        "..",
        "e4",
        "Nf3",
        "O-O",
        "0-0-0",
        "h2-h4",
        "b7-c7",
        "Qg1xQn8+#",
        "=D",
        "R",
        "T",
        "S",
        "#",
        "*",
        "1-0",
        "\n",
        "\n\n",
        " ",
        "%",
        "e.p.",
        "!?",
        "[A \"b\"]\n",
        "[Variant \"Dilkel\"]\n",
        "[StartFen4 \"4PCo\"]\n",
        "{ [%out blue:resign] }",
        "{[%clk 0:01:02]}",
        "é",
        "\r",
        "\u{0}",
        "\u{1a}",
        "\u{a0}",
        "\u{feff}",
        "\u{2013}",
        "\u{2026}",
        "+/=",
        "=",
        "\u{b1}",
        "--",
        "e",
        "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n",
        "[Result \"Red 1 - Blue 1\"]\n",
    ];
    let mut random = Random(7);
    for _ in 0..3000 {
        let text: String = (0..random.below(60))
            .map(|_| pieces[random.below(pieces.len())])
            .collect::<Vec<_>>()
            .join(["", " "][random.below(2)]);
        for game in read(&text).into_iter().flatten() {
            let _ = pgn::replay(&game);
            let _ = pgn4::replay(&game);
            for write in [WrittenGame::write_pgn, WrittenGame::write_pgn4] {
                let mut written = String::new();
                write(&game, &mut written).unwrap();
                let again: Vec<WrittenGame> = read(&written).into_iter().map(Result::unwrap).collect();
                let is_empty = game.tags.is_empty() && game.line == Line::default() && game.result.is_none();
                let expected = if is_empty { vec![] } else { vec![game.clone()] };
                assert_eq!(again, expected, "{text:?} written as {written:?}");
            }
        }
    }
}
