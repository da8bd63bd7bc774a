//! Positions as other programs write them: what lenient reading accepts, drops and still refuses.

mod random;

use quadrex_rules::{AnyPosition, Cause, Color, Field, Setup, SetupWarning, Variant};
use random::Random;

/// Three kings, Green eliminated; a Red pawn has made a double step.
const BOARD: &str = "7,yK,6/14/14/14/14/14/bK,13/14/14/14/4,rP,9/14/14/6,rK,7";

fn text(turn: &str, board: &str) -> String {
    format!("{turn}-0,0,0,1-0,0,0,0-0,0,0,0-0,0,0,0-3-{board}")
}

fn lenient(variant: Variant, text: &str) -> (String, Vec<String>) {
    let (setup, warnings) =
        Setup::parse_lenient(variant, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    (setup.to_string(), warnings.iter().map(ToString::to_string).collect())
}

/// Lenient reading accepts everything that strict reading does, with the same result and no
/// warning.
#[test]
fn what_is_written_strictly_is_read_without_warnings() {
    let options =
        "{'enPassant':('e3:e4','','',''),'reserve':('BBN','','R',''),'out':('green:time'),'moveNumber':12}";
    let with_options = format!("B-0,0,0,1-0,0,0,0-0,0,0,0-0,0,0,0-0-{options}-{BOARD}");
    let cases = [
        (Variant::Classic, Setup::start(Variant::Classic).to_string()),
        (Variant::Classic, "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 9".to_owned()),
        (Variant::Dilkel, Setup::start(Variant::Dilkel).to_string()),
        (Variant::DilkelCompact, Setup::start(Variant::DilkelCompact).to_string()),
        (Variant::Dilkel, with_options),
        (Variant::Dilkel, two_rooks("1,0,0,0", "{'shortRook':('j1','','','')}-")),
    ];
    for (variant, text) in cases {
        let strict = Setup::parse(variant, &text).unwrap();
        assert_eq!(Setup::parse_lenient(variant, &text), Ok((strict, Vec::new())), "{text}");
    }
}

/// Red's king on g1 with a rook two squares of space away on both sides.
fn two_rooks(short: &str, options: &str) -> String {
    let board = BOARD.replacen("6,rK,7", "3,rR,2,rK,2,rR,4", 1);
    format!("R-0,0,0,1-{short}-0,0,0,0-0,0,0,0-3-{options}{board}")
}

/// D7: the name of a rook is dropped with an impossible right, and without a right; a name that is
/// not a square is refused.
#[test]
fn a_rook_is_named_with_its_right_or_not_at_all() {
    let warning = "castling: red's right to castle O-O is dropped: king and rook are not in place";
    let without = two_rooks("0,0,0,0", "");
    for text in [
        two_rooks("1,0,0,0", "{'shortRook':('k1','','','')}-"),
        two_rooks("0,0,0,0", "{'shortRook':('j1','','','')}-"),
    ] {
        assert_eq!(lenient(Variant::Dilkel, &text), (without.clone(), vec![warning.to_owned()]), "{text}");
    }
    for wrong in ["('j','','','')", "('z1','','','')", "('j1','','')", "'j1'"] {
        let text = two_rooks("1,0,0,0", &format!("{{'shortRook':{wrong}}}-"));
        for read in [
            Setup::parse(Variant::Dilkel, &text),
            Setup::parse_lenient(Variant::Dilkel, &text).map(|(setup, _)| setup),
        ] {
            assert_eq!(read.unwrap_err().field, Field::Castling, "{text}");
        }
    }
}

/// Other forms of the same FEN4, without a warning.
#[test]
fn spellings_of_a_fen4_mean_the_same() {
    let same = text("B", BOARD);
    let corners =
        BOARD.replacen("7,yK,6", "x,x,x,4,yK,3,x,X,x", 1).replacen("14/14", "XXX,8,xxx/1,1,1,8,2,1", 1);
    let spellings = [
        text("B", &corners),
        text("b", BOARD),
        text("B", &BOARD.replace('/', "/\n")),
        text("B", &BOARD.replace('/', "/\r\n")),
        text("B", &format!("\n{BOARD}\n")),
        text("B", &BOARD.replace(',', " , ")),
        format!("  {}  ", same.replace('-', " - ")),
        same.replacen("0,0,0,1", "0, 0, 0, 1", 1),
        same.replacen("-0,0,0,0-3-", "-17,3,-5,0-3-", 1),
        same.replacen("-0,0,0,0-3-", "-many-3-", 1),
        same.replacen("-0,0,0,0-3-", "--3-", 1),
        same.replacen("-3-", "-3--", 1),
        same.replacen("-3-", "-3-{}-", 1),
        same.replacen("-3-", "-3-{ }-", 1),
        format!("{same}-{{}}"),
        format!("{{}}-{same}"),
        same.replacen("-3-", "-{\"out\":(\"green:resign\")}-3-", 1),
    ];
    for spelling in spellings {
        assert_eq!(lenient(Variant::Dilkel, &spelling), (same.clone(), Vec::new()), "{spelling}");
        let strict = Setup::parse(Variant::Dilkel, &spelling).map(|setup| setup.to_string());
        assert!(strict.is_err() || strict.as_ref() == Ok(&same), "{spelling}");
    }
}

#[test]
fn options_are_read_with_either_quote_and_with_blanks() {
    let options =
        "{ \"enPassant\" : ( \"e3:e4\", '', \"\" , '' ), 'reserve':[\"N\",'','',''],\n'moveNumber': 7 }";
    let (written, warnings) = lenient(Variant::Dilkel, &text("B", &format!("{options}-{BOARD}")));
    let expected = "{'enPassant':('e3:e4','','',''),'reserve':('N','','',''),'moveNumber':7}";
    assert_eq!(written, text("B", &format!("{expected}-{BOARD}")));
    assert_eq!(warnings, [""; 0]);
}

/// A warning names each part of the sites' forms that we do not have.
#[test]
fn what_is_dropped_is_named_with_its_field() {
    let board = BOARD.replacen("14/14", "dR,13/drP,rD,2,dK,9", 1);
    let options = "{'royal':('g1','a8','h14',''),'gameOver':'1 - 0','lives':(-1,2,{'a':null},\"-\")}";
    let (written, warnings) = lenient(Variant::Dilkel, &text("B", &format!("{options}-{board}")));
    assert_eq!(written, text("B", &BOARD.replacen("14/14", "14/1,rQ,12", 1)));
    let expected = [
        "board: the piece on a13 has no owner in the game and is dropped",
        "board: the piece on a12 has no owner in the game and is dropped",
        "board: the queen of one point on b12 is read as any queen",
        "board: the piece on e12 has no owner in the game and is dropped",
        "options: the unknown key \"gameOver\" is dropped",
        "options: the unknown key \"lives\" is dropped",
        "options: the unknown key \"royal\" is dropped",
    ];
    assert_eq!(warnings, expected);
}

/// D7: rights without king and rook in place are dropped, the others stay. Strict reading refuses
/// the position.
#[test]
fn castling_rights_that_cannot_be_are_dropped() {
    let start = Setup::start(Variant::Dilkel).to_string();
    let without = start.replacen("3,rR,rN", "4,rN", 1);
    let (setup, warnings) = Setup::parse_lenient(Variant::Dilkel, &without).unwrap();
    let shown: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["castling: red's right to castle O-O is dropped: king and rook are not in place"]);
    assert_eq!(warnings.iter().map(SetupWarning::field).collect::<Vec<_>>(), [Field::Castling]);
    assert!(!setup.castling[Color::Red].short && setup.castling[Color::Red].long);
    assert!(setup.castling[Color::Green].short && setup.castling[Color::Blue].long);
    assert!(AnyPosition::new(&setup).is_ok());
    let strict = Setup::parse(Variant::Dilkel, &without).unwrap();
    assert_eq!(AnyPosition::new(&strict).unwrap_err().field, Field::Castling);

    let (written, warnings) = lenient(Variant::Classic, "4k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1");
    assert_eq!(written, "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1");
    let dropped = |who, side| {
        format!("castling: {who}'s right to castle {side} is dropped: king and rook are not in place")
    };
    assert_eq!(warnings, [dropped("white", "O-O"), dropped("black", "O-O-O")]);
}

#[test]
fn spellings_of_a_fen_mean_the_same() {
    let cases = [
        ("4k2r/8/8/8/8/8/8/R3K3  w  Qk -  5 9", "4k2r/8/8/8/8/8/8/R3K3 w Qk - 5 9"),
        (" 4k2r/8/8/8/8/8/8/R3K3 w Qk -\n", "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1"),
        ("4k2r/8/8/8/8/8/8/R3K3 w Qk - 5", "4k2r/8/8/8/8/8/8/R3K3 w Qk - 5 1"),
        ("4k2r/8/8/8/8/8/8/R3K3 W kQ - 5 9", "4k2r/8/8/8/8/8/8/R3K3 w Qk - 5 9"),
        ("4k2r/8/8/8/8/8/8/R3K3 B Ah - 5 9", "4k2r/8/8/8/8/8/8/R3K3 b Qk - 5 9"),
        // A double step that nobody can capture is still a double step.
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"),
    ];
    for (spelling, same) in cases {
        assert_eq!(lenient(Variant::Classic, spelling), (same.to_owned(), Vec::new()), "{spelling}");
    }
    let cases = [
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "move number: 0 is not a round number and is read as 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e4 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "en passant: e4 is dropped: is not a square that the last pawn could have passed",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "en passant: e6 is dropped: black's e6:e5: no such pawn stands there",
        ),
    ];
    for (spelling, same, warning) in cases {
        assert_eq!(
            lenient(Variant::Classic, spelling),
            (same.to_owned(), vec![warning.to_owned()]),
            "{spelling}"
        );
    }
}

/// Lenient reading guesses nothing: the necessary parts of a position must be there and make sense.
#[test]
fn what_makes_no_sense_stays_refused() {
    let good = text("B", BOARD);
    let step = |text: &str| good.replacen("-3-", &format!("-3-{{'enPassant':({text})}}-"), 1);
    for (bad, field) in [
        (String::new(), Field::Text),
        (good.replacen("B-", "", 1), Field::Text),
        (good.replacen("-3-", "-", 1), Field::Text),
        (text("", BOARD), Field::Turn),
        (text("W", BOARD), Field::Turn),
        (text("G", BOARD), Field::Turn),
        (good.replacen("0,0,0,1", "0,0,1", 1), Field::Dead),
        (good.replacen("0,0,0,1", "0,0,0,2", 1), Field::Dead),
        (good.replacen("0,0,0,1", "0,0,0,0", 1), Field::Board),
        (good.replacen("-3-", "-x-", 1), Field::Clock),
        (good.replacen("-3-", "-3-{'out':('red:time')}-", 1), Field::Out),
        (good.replacen("-3-", "-3-{'reserve':('Q','','','')}-", 1), Field::Reserve),
        (good.replacen("-3-", "-3-{'moveNumber':'1'}-", 1), Field::MoveNumber),
        (good.replacen("-3-", "-3-{'a':1,'a':2}-", 1), Field::Options),
        (good.replacen("-3-", "-3-{'a':}-", 1), Field::Options),
        (text("B", &BOARD.replacen("14/", "13/", 1)), Field::Board),
        (text("B", &BOARD.replacen("14/", "", 1)), Field::Board),
        (text("B", &BOARD.replacen("bK,13", "bK,x,12", 1)), Field::Board),
        (text("B", &BOARD.replacen("bK,13", "bK,xx,11", 1)), Field::Board),
        (text("B", &BOARD.replacen("7,yK,6", "7,yK,3,xxxx", 1)), Field::Board),
        (text("B", &BOARD.replacen("bK,13", "bK,zP,12", 1)), Field::Board),
        (text("B", &BOARD.replacen("bK,13", "bK,rX,12", 1)), Field::Board),
        (text("B", &BOARD.replacen("bK,13", "bK,dR2,12", 1)), Field::Board),
        (text("B", &BOARD.replacen("bK,13", "bK,rP,rP,x", 1)), Field::Board),
        (text("B", &BOARD.replacen("7,yK,6", "yN,6,yK,6", 1)), Field::Board),
        (text("B", &BOARD.replacen("6,rK,7", "6,rK,1,gN,5", 1)), Field::Board),
        (step("'e3','','',''"), Field::EnPassant),
        // A position written twice: the text in between is no list of points.
        (format!("{good}{good}"), Field::Points),
        (format!("{good} {good}"), Field::Points),
        (step("'e3:e4','','',''").repeat(2), Field::Points),
        (good.replacen("0,0,0,0-3", "0,0,0,0-{}-{}-3", 1), Field::Points),
    ] {
        let read = Setup::parse_lenient(Variant::Dilkel, &bad);
        let error = read.and_then(|(setup, _)| AnyPosition::new(&setup)).unwrap_err();
        assert_eq!(error.field, field, "{bad}: {error}");
    }
    for (bad, field) in [
        ("", Field::Text),
        ("4k3/8/8/8/8/8/8/4K3", Field::Text),
        ("4k3/8/8/8/8/8/8/4K3 w -", Field::Text),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", Field::Text),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", Field::Turn),
        ("4k3/8/8/8/8/8/8/4K3 w KX - 0 1", Field::Castling),
        ("4k3/8/8/8/8/8/8/4K3 w - z9 0 1", Field::EnPassant),
        ("4k3/8/8/8/8/8/8/4K3 w - - ? 1", Field::Clock),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", Field::Board),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", Field::Board),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", Field::Board),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", Field::Board),
    ] {
        let read = Setup::parse_lenient(Variant::Classic, bad);
        let error = read.and_then(|(setup, _)| AnyPosition::new(&setup)).unwrap_err();
        assert_eq!(error.field, field, "{bad}: {error}");
    }
}

/// D3: entries that no double step can have left, or whose right has expired, are dropped by name.
/// Strict reading refuses the position.
#[test]
fn en_passant_rights_that_cannot_be_are_dropped() {
    let step = |texts: &str| text("B", &format!("{{'enPassant':({texts})}}-{BOARD}"));
    let board = "7,yK,6/14/14/14/14/14/bK,13/13,gK/14/14/4,rP,9/14/14/6,rK,7";
    let stale =
        text("G", &format!("{{'enPassant':('e3:e4','','','')}}-{board}")).replacen("0,0,0,1", "0,0,0,0", 1);
    for (given, square) in [(step("'e3:e5','','',''"), "e3"), (step("'','d5:e5','',''"), "d5"), (stale, "e3")]
    {
        let strict = Setup::parse(Variant::Dilkel, &given).unwrap();
        assert_eq!(AnyPosition::new(&strict).unwrap_err().field, Field::EnPassant, "{given}");
        let (written, warnings) = lenient(Variant::Dilkel, &given);
        assert!(!written.contains("enPassant"), "{written}");
        assert_eq!(warnings.len(), 1, "{given}");
        assert!(warnings[0].starts_with(&format!("en passant: {square} is dropped: ")), "{warnings:?}");
    }
    assert_eq!(lenient(Variant::Dilkel, &step("'e3:e4','','',''")).1, [""; 0]);
}

/// `dead` without `out`: resigned, in order from Red to Green.
#[test]
fn the_dead_without_causes_have_resigned() {
    let board = BOARD.replacen("bK,13", "14", 1);
    let (setup, warnings) =
        Setup::parse_lenient(Variant::Dilkel, &text("R", &board).replacen("0,0,0,1", "0,1,0,1", 1)).unwrap();
    assert_eq!(setup.eliminated, [(Color::Blue, Cause::Resign), (Color::Green, Cause::Resign)]);
    assert_eq!(warnings, []);
}

/// No text makes lenient reading panic.
#[test]
fn garbage_is_refused_or_parsed() {
    let pieces = [
        "R",
        "-",
        "0,0,0,0",
        "1,1,1,1",
        "{",
        "}",
        "'",
        "\"",
        "14",
        "x",
        "X",
        "dK",
        "rD",
        "/",
        ",",
        " ",
        "3",
        "yK",
        "é",
        "(",
        ")",
        "[",
        "]",
        "'out'",
        ":",
        "w",
        "KQkq",
        "e3",
        "8/8/8/8/8/8/8/4K2k",
        "\n",
    ];
    let mut random = Random(11);
    let mut refused = 0;
    for _ in 0..20_000 {
        let text: String = (0..random.below(30)).map(|_| pieces[random.below(pieces.len())]).collect();
        for variant in Variant::ALL {
            refused += u32::from(Setup::parse_lenient(variant, &text).is_err());
        }
    }
    assert!(refused > 50_000, "{refused}");
}
