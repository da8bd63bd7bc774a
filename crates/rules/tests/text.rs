//! Text forms: strict, inverse to each other, with errors that name the field.

use quadrex_rules::{
    AnyPosition, Cause, Color, Field, Move, Piece, Reason, Reserve, Role, Setup, Square, Variant,
};

#[test]
fn every_name_is_read_back_and_nothing_else() {
    for color in Color::ALL {
        assert_eq!(color.to_string().parse(), Ok(color));
    }
    for role in Role::ALL {
        assert_eq!(role.to_string().parse(), Ok(role));
        assert_eq!(Role::from_letter(role.letter()), Some(role));
    }
    for variant in Variant::ALL {
        assert_eq!(variant.to_string().parse(), Ok(variant));
    }
    for cause in Cause::ALL {
        assert_eq!(cause.to_string().parse(), Ok(cause));
    }
    for reason in Reason::ALL {
        assert_eq!(reason.to_string().parse(), Ok(reason));
    }
    for wrong in ["", "Red", "red ", "r", "purple"] {
        assert!(wrong.parse::<Color>().is_err(), "{wrong:?}");
    }
    assert!("Pawn".parse::<Role>().is_err() && "dilkel_compact".parse::<Variant>().is_err());
    assert!("mated".parse::<Cause>().is_err() && "draw".parse::<Reason>().is_err());
}

#[test]
fn squares_are_read_strictly() {
    let all: Vec<Square> =
        (0..14).flat_map(|rank| (0..14).filter_map(move |file| Square::new(file, rank))).collect();
    assert_eq!(all.len(), 196);
    for square in all {
        assert_eq!(square.to_string().parse(), Ok(square));
    }
    assert_eq!((Square::new(14, 0), Square::new(0, 14)), (None, None));
    for wrong in
        ["", "a", "1", "a0", "a01", "a+1", "a15", "o1", "A1", "a1 ", " a1", "a1b", "a-1", "ä1", "a1\u{661}"]
    {
        assert!(wrong.parse::<Square>().is_err(), "{wrong:?}");
    }
}

#[test]
fn moves_are_read_strictly() {
    for right in ["h2h4", "b10a11n", "g1e1", "e7e8q", "a1n14r", "n14a1b"] {
        assert_eq!(right.parse::<Move>().map(|mv| mv.to_string()).as_deref(), Ok(right));
    }
    for wrong in ["", "e2", "e2e", "e2-e4", "e7e8k", "e7e8p", "e7e8Q", "e2e4 ", "b010a11", "e2e4qq", "0000"] {
        assert!(wrong.parse::<Move>().is_err(), "{wrong:?}");
    }
}

#[test]
fn pieces_are_read_as_of_their_variant() {
    for (variant, text, color) in [
        (Variant::Classic, "bK", Color::Black),
        (Variant::Dilkel, "bK", Color::Blue),
        (Variant::Dilkel, "gN", Color::Green),
    ] {
        let piece = Piece::parse(variant, text).expect("a piece of the variant");
        assert_eq!((piece.color, piece.to_string().as_str()), (color, text));
    }
    for wrong in ["", "w", "wKK", "WK", "wk", "rK"] {
        assert!(Piece::parse(Variant::Classic, wrong).is_err(), "{wrong:?}");
    }
}

fn refusal(variant: Variant, text: &str) -> (Field, String) {
    let error = Setup::parse(variant, text).and_then(|setup| AnyPosition::new(&setup));
    let error = error.expect_err(text);
    (error.field, error.to_string())
}

#[test]
fn a_wrong_fen_is_refused_with_its_field() {
    for (text, field) in [
        ("", Field::Text),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0", Field::Text),
        ("4k3/8/8/8/8/8/8/4K3  w - - 0 1", Field::Text),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", Field::Board),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", Field::Board),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", Field::Board),
        ("4k3/8/8/8/8/8/8/4K12 w - - 0 1", Field::Board),
        ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", Field::Board),
        ("4k3/8/8/8/8/8/8/4X3 w - - 0 1", Field::Board),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", Field::Board),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", Field::Board),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", Field::Board),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", Field::Board),
        ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", Field::Turn),
        ("4k3/8/8/8/8/8/8/4K2R w QK - 0 1", Field::Castling),
        ("4k3/8/8/8/8/8/8/4K2R w  - 0 1", Field::Castling),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", Field::Castling),
        ("4k3/8/8/8/8/8/8/3K2R1 w K - 0 1", Field::Castling),
        ("4k3/8/8/8/8/8/8/R2K4 w K - 0 1", Field::Castling),
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", Field::EnPassant),
        ("4k3/8/8/8/8/8/8/4K3 b - e3 0 1", Field::EnPassant),
        ("4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1", Field::EnPassant),
        ("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", Field::EnPassant),
        ("4k3/8/8/8/8/8/8/4K3 w - - +1 1", Field::Clock),
        ("4k3/8/8/8/8/8/8/4K3 w - - 01 1", Field::Clock),
        ("4k3/8/8/8/8/8/8/4K3 w - - 4294967295 1", Field::Clock),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", Field::MoveNumber),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999", Field::MoveNumber),
    ] {
        let (found, message) = refusal(Variant::Classic, text);
        assert_eq!(found, field, "{text}: {message}");
        assert!(message.starts_with(&format!("{field}: ")), "{message}");
    }
}

#[test]
fn a_fen_is_written_as_it_was_read() {
    for text in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 12 34",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        "r3k3/8/8/8/8/8/8/4K2R b Kq - 3 77",
    ] {
        let position = AnyPosition::new(&Setup::parse(Variant::Classic, text).expect(text)).expect(text);
        assert_eq!(position.setup().to_string(), text);
    }
    let idle = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1";
    let position = AnyPosition::new(&Setup::parse(Variant::Classic, idle).expect(idle)).expect(idle);
    assert_eq!(position.setup().to_string(), idle.replace("e3", "-"));
    let short = Setup::parse(Variant::Classic, "4k3/8/8/8/8/8/8/4K3 w - -").expect("four fields are enough");
    assert_eq!(short.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

#[test]
fn rounds_are_counted_from_the_beginner_on() {
    let play = |text: &str, variant, moves: &[&str]| {
        let setup = Setup::parse(variant, text).expect(text);
        let mut position = AnyPosition::new(&setup).expect(text);
        for mv in moves {
            position.play(mv.parse().expect("a move"));
        }
        position.setup()
    };
    let start = Setup::start(Variant::Classic).to_string();
    let after = play(&start, Variant::Classic, &["e2e4", "e7e5", "g1f3"]);
    assert_eq!(after.to_string(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    let numbered = format!("B-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-{{'moveNumber':7}}-{START}");
    for (moves, number) in [(3, 7), (4, 8)] {
        let moves = &["b7c7", "g13g12", "m8l8", "h2h3"][..moves];
        assert_eq!(play(&numbered, Variant::Dilkel, moves).move_number, Some(number));
    }
    let unnumbered = Setup::start(Variant::Dilkel).to_string();
    assert_eq!(play(&unnumbered, Variant::Dilkel, &["h2h3", "b7c7", "g13g12", "m8l8"]).move_number, None);
}

#[test]
fn colors_of_other_variants_have_nothing() {
    let position = AnyPosition::new(&Setup::start(Variant::Classic)).expect("the start is a position");
    for color in [Color::Red, Color::Blue, Color::Yellow, Color::Green] {
        assert_eq!(position.reserve(color), Reserve::EMPTY);
        assert!(!position.is_playing(color) && position.checked_by(color).next().is_none());
    }
}

/// The board of the Dilkel set-up.
const START: &str = "3,yR,yN,yB,yQ,yK,yB,yN,yR,3/3,yP,yP,yP,yP,yP,yP,yP,yP,3/14/bR,bP,10,gP,gR/bN,bP,10,gP,gN/bB,bP,10,gP,gB/bK,bP,10,gP,gQ/bQ,bP,10,gP,gK/bB,bP,10,gP,gB/bN,bP,10,gP,gN/bR,bP,10,gP,gR/14/3,rP,rP,rP,rP,rP,rP,rP,rP,3/3,rR,rN,rB,rK,rQ,rB,rN,rR,3";

#[test]
fn the_dilkel_set_up_is_written_as_the_notation_page_has_it() {
    let text = format!("R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-{START}");
    assert_eq!(Setup::start(Variant::Dilkel).to_string(), text);
    assert_eq!(Setup::parse(Variant::Dilkel, &text), Ok(Setup::start(Variant::Dilkel)));
}

/// Three kings, Green eliminated; a Red pawn has made a double step.
const BOARD: &str = "7,yK,6/14/14/14/14/14/bK,13/14/14/14/4,rP,9/14/14/6,rK,7";

#[test]
fn a_fen4_with_options_is_read_and_written() {
    let options =
        "{'enPassant':('e3:e4','','',''),'reserve':('BBN','','R',''),'out':('green:time'),'moveNumber':12}";
    let text = format!("B-0,0,0,1-0,0,0,0-0,0,0,0-0,0,0,0-0-{options}-{BOARD}");
    let setup = Setup::parse(Variant::Dilkel, &text).expect("the FEN4 can be read");
    assert_eq!(setup.to_string(), text);
    assert_eq!(setup.eliminated, [(Color::Green, Cause::Time)]);
    let position = AnyPosition::new(&setup).expect("the FEN4 is a position");
    let reserve = position.reserve(Color::Red);
    assert_eq!((reserve.bishops, reserve.knights, reserve.rooks), (2, 1, 0));
    assert!(position.setup().double_steps[Color::Red].is_some());
}

#[test]
fn foreign_spellings_of_a_fen4_are_read() {
    let options = "{'dim':'14x14','royal':('g1','a8','h14',''),'pawnsBaseRank':2,'flags':[true,{'a':null}]}";
    let board = BOARD.replacen("7,yK,6", "x,X,x,4,yK,3,x,x,x", 1).replacen("14/14", "3,8,3/14", 1);
    let text = format!("Y-0,0,0,1-0,0,0,0-0,0,0,0-17,0,3,0-8-{options}-{board}");
    let setup = Setup::parse(Variant::Dilkel, &text).expect("the FEN4 can be read");
    assert_eq!(setup.to_string(), format!("Y-0,0,0,1-0,0,0,0-0,0,0,0-0,0,0,0-8-{BOARD}"));
    assert_eq!(setup.eliminated, [(Color::Green, Cause::Resign)]);
}

#[test]
fn a_wrong_fen4_is_refused_with_its_field() {
    let fields = |turn: &str, dead: &str, castle: &str, clock: &str, options: &str, board: &str| {
        format!("{turn}-{dead}-{castle}-0,0,0,0-0,0,0,0-{clock}-{options}{board}")
    };
    let rights = "0,0,0,0";
    let dead = "0,0,0,1";
    let step = |text: &str| format!("{{'enPassant':({text})}}-");
    for (text, field) in [
        (String::new(), Field::Text),
        (fields("R", dead, rights, "0", "", "").trim_end_matches('-').to_owned(), Field::Text),
        (fields("r", dead, rights, "0", "", BOARD), Field::Turn),
        (fields("G", dead, rights, "0", "", BOARD), Field::Turn),
        (fields("R", "0,0,1", rights, "0", "", BOARD), Field::Dead),
        (fields("R", "0,0,0,2", rights, "0", "", BOARD), Field::Dead),
        (fields("R", "1,1,1,1", rights, "0", "", BOARD), Field::Dead),
        (fields("R", "0,0,0,0", rights, "0", "", BOARD), Field::Board),
        (fields("R", "0,0,1,1", rights, "0", "", BOARD), Field::Board),
        (fields("R", dead, "1,0,0,0", "0", "", BOARD), Field::Castling),
        (fields("R", dead, "0,0,0,1", "0", "", BOARD), Field::Castling),
        (fields("R", dead, "yes", "0", "", BOARD), Field::Castling),
        (fields("R", dead, rights, "x", "", BOARD), Field::Clock),
        (fields("R", dead, rights, "0", "{'a':}-", BOARD), Field::Options),
        (fields("R", dead, rights, "0", "{'a':1,'a':2}-", BOARD), Field::Options),
        (fields("R", dead, rights, "0", "{'a':1-", BOARD), Field::Options),
        (fields("R", dead, rights, "0", "{'out':('red:time')}-", BOARD), Field::Out),
        (fields("R", dead, rights, "0", "{'out':('green:sleep')}-", BOARD), Field::Out),
        (fields("R", dead, rights, "0", "{'reserve':('Q','','','')}-", BOARD), Field::Reserve),
        (fields("R", dead, rights, "0", "{'reserve':('B')}-", BOARD), Field::Reserve),
        (fields("R", dead, rights, "0", "{'moveNumber':'1'}-", BOARD), Field::MoveNumber),
        (fields("R", dead, rights, "0", "{'moveNumber':0}-", BOARD), Field::MoveNumber),
        (fields("R", dead, rights, "0", "", &BOARD.replacen("14/", "13/", 1)), Field::Board),
        (fields("R", dead, rights, "0", "", &BOARD.replacen("14/", "15/", 1)), Field::Board),
        (fields("R", dead, rights, "0", "", &BOARD.replacen("14/", "0,14/", 1)), Field::Board),
        (fields("R", dead, rights, "0", "", &BOARD.replacen("14/", "", 1)), Field::Board),
        (fields("R", dead, rights, "0", "", &BOARD.replacen("7,yK,6", "yN,6,yK,6", 1)), Field::Board),
        (fields("R", dead, rights, "0", "", &BOARD.replacen("bK,13", "bK,x,12", 1)), Field::Board),
        (fields("R", dead, rights, "0", "", &BOARD.replacen("bK,13", "dK,13", 1)), Field::Board),
        (fields("B", dead, rights, "0", &step("'e3','','',''"), BOARD), Field::EnPassant),
        (fields("B", dead, rights, "0", &step("'e3:e5','','',''"), BOARD), Field::EnPassant),
        (fields("B", dead, rights, "0", &step("'e4:e5','','',''"), BOARD), Field::EnPassant),
        (fields("B", dead, rights, "0", &step("'f3:f4','','',''"), BOARD), Field::EnPassant),
        (fields("B", dead, rights, "0", &step("'','d5:e5','',''"), BOARD), Field::EnPassant),
        (fields("R", dead, rights, "0", &step("'e3:e4','','',''"), BOARD), Field::EnPassant),
    ] {
        let (found, message) = refusal(Variant::Dilkel, &text);
        assert_eq!(found, field, "{text}: {message}");
        assert!(message.starts_with(&format!("{field}: ")), "{message}");
    }
}

/// D3: a right is refused if its square of origin is occupied right after the step, not later.
#[test]
fn the_origin_of_a_double_step_is_empty_only_at_first() {
    let occupied = BOARD.replacen("4,rP,9/14/14", "4,rP,9/14/4,bN,9", 1);
    for (turn, refused) in [("B", true), ("Y", false)] {
        let text =
            format!("{turn}-0,0,0,1-0,0,0,0-0,0,0,0-0,0,0,0-0-{{'enPassant':('e3:e4','','','')}}-{occupied}");
        let setup = Setup::parse(Variant::Dilkel, &text).expect("the FEN4 can be read");
        assert_eq!(AnyPosition::new(&setup).is_err(), refused, "{turn}");
    }
}
