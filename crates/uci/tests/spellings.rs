//! Positions as other programs write them, given to `position fen`.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use quadrex_rules::{Setup, Variant};
use quadrex_uci::Session;

/// Three kings and a Red pawn; Green is eliminated.
const BOARD: &str = "7,yK,6/14/14/14/14/14/bK,13/14/14/14/4,rP,9/14/14/6,rK,7";

fn session() -> Session {
    let mut session = Session::new();
    assert_eq!(session.answer("setoption name UCI_Variant value dilkel"), Some(Vec::new()));
    session
}

fn fen(session: &mut Session) -> String {
    let lines = session.answer("d").unwrap();
    lines.iter().find_map(|line| line.strip_prefix("Fen: ")).unwrap().to_owned()
}

#[test]
fn every_spelling_of_a_fen4_is_accepted() {
    let corners = BOARD.replacen("7,yK,6/14", "x,x,x,4,yK,3,X,X,X/xxx,8,xxx", 1);
    for spelling in [
        format!("B-0,0,0,1-0,0,0,0-0,0,0,0-0,0,0,0-3-{BOARD}"),
        format!("B-0,0,0,1-0,0,0,0-0,0,0,0-12,0,-3,0-3-{corners}"),
        format!("b-0,0,0,1-0,0,0,0-0,0,0,0-0,0,0,0-3- {}", BOARD.replace('/', " / ")),
        format!("B-0,0,0,1-0,0,0,0-{{\"moveNumber\":9}}-0,0,0,0-0,0,0,0-3-{BOARD}"),
    ] {
        let mut session = session();
        assert_eq!(
            session.answer(&format!("position fen {spelling} moves a8b8")),
            Some(Vec::new()),
            "{spelling}"
        );
        let shown = fen(&mut session);
        assert!(shown.starts_with("Y-0,0,0,1-0,0,0,0-0,0,0,0-0,0,0,0-4-"), "{shown}");
        assert!(shown.ends_with("7,yK,6/14/14/14/14/14/1,bK,12/14/14/14/4,rP,9/14/14/6,rK,7"), "{shown}");
    }
}

#[test]
fn ignored_parts_are_reported_and_the_position_is_set() {
    let mut session = session();
    let line = format!("position fen B-0,0,0,1-1,0,0,0-0,0,0,0-0,0,0,0-3-{{'royal':('','','','')}}-{BOARD}");
    let expected = [
        "info string warning: position: options: the unknown key \"royal\" is dropped",
        "info string warning: position: castling: red's right to castle O-O is dropped: king and rook are not in place",
    ];
    assert_eq!(session.answer(&line).unwrap(), expected);
    assert_eq!(fen(&mut session), format!("B-0,0,0,1-0,0,0,0-0,0,0,0-0,0,0,0-3-{BOARD}"));
}

/// A refused position changes nothing, and only the error is reported.
#[test]
fn invalid_positions_are_refused() {
    let mut session = session();
    let before = fen(&mut session);
    for (bad, error) in [
        (format!("B-0,0,0,0-1,0,0,0-0,0,0,0-0,0,0,0-3-{BOARD}"), "board: green has 0 kings instead of one"),
        (format!("G-0,0,0,1-0,0,0,0-0,0,0,0-0,0,0,0-3-{BOARD}"), "turn: green is eliminated"),
        (
            format!("B-0,0,0,1-0,0,0,0-0,0,0,0-3-{BOARD}"),
            "text: expected seven or eight fields joined by -, found 6",
        ),
        (
            format!("B-0,0,0,1-0,0,0,0-0,0,0,0-0,0,0,0-3-{BOARD}").repeat(2),
            "points: they contain a board or options: are these two positions?",
        ),
    ] {
        let expected = format!("info string error: position: {error}");
        assert_eq!(session.answer(&format!("position fen {bad}")), Some(vec![expected]), "{bad}");
        assert_eq!(fen(&mut session), before);
    }
    session.answer("setoption name UCI_Variant value classic").unwrap();
    for bad in [
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3KK3 w - - 0 1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    ] {
        let answer = session.answer(&format!("position fen {bad}")).unwrap();
        assert!(answer[0].starts_with("info string error: position: board: "), "{bad}: {answer:?}");
    }
}

/// D3: an expired en-passant right, as other sites write it, is ignored with a warning that names
/// it.
#[test]
fn an_expired_en_passant_right_is_ignored() {
    let board = Setup::start(Variant::Dilkel).to_string().rsplit_once('-').unwrap().1.to_owned();
    let ranks = ["bR,bP,10,gP,gR/14/3,rP,rP,rP,rP,rP", "bR,bP,5,rP,4,gP,gR/14/3,rP,rP,rP,rP,1"];
    let board = board.replacen(ranks[0], ranks[1], 1);
    assert!(board.contains(ranks[1]), "{board}");
    let mut session = session();
    let given = format!("G-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-3-{{'enPassant':('h3:h4','','','')}}-{board}");
    let answer = session.answer(&format!("position fen {given}")).unwrap();
    let warning = "info string warning: position: en passant: h3 is dropped: red's h3:h4: it is not near the turn to capture it";
    assert_eq!(answer, [warning]);
    assert!(fen(&mut session).starts_with("G-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-3-3,"));
}

/// D8, D10: after the mate, nobody is left to play on.
#[test]
fn no_move_is_legal_after_the_end_of_the_game() {
    let mut session = session();
    let fen4 =
        "B-0,0,1,1-0,0,0,0-0,0,0,0-0,0,0,0-1-14/14/14/14/14/14/14/1,bK,12/14/14/5,bR,8/14/3,bR,10/7,rK,6";
    assert_eq!(session.answer(&format!("position fen {fen4}")), Some(vec![]));
    let counts = session.answer("go perft 2").unwrap();
    assert!(counts.contains(&"f4f1: 0".to_owned()), "{counts:?}");
    assert_eq!(counts.last().unwrap(), "Nodes searched: 142");
    assert!(session.answer("go perft 1").unwrap().contains(&"f4f1: 1".to_owned()));
}
