//! The order of adjudication, and the consequences of one elimination.

use quadrex_rules::Color::{Black, Blue, Green, Red, White, Yellow};
use quadrex_rules::{
    CastlingRights, DrawPolicy, GameCommand, GameEvent, Reason, Rejection, Request, TimeControl, Timestamp,
};

use crate::play::{Play, dilkel, fen, fischer, gone, mv};

/// Green is to move, and Red, the next player, is checkmated by Blue.
const RED_IS_NEXT: &str = "rKg1 bKa8 bRd2 bRk1 yKh14 gKn7";

/// D8, D11 (D; F): a resignation on the player's own turn passes the turn to the next player, who
/// may be checkmated by then.
#[test]
fn resigning_on_the_own_turn_may_mate_the_next_player() {
    let mut play = Play::new(dilkel(Green, RED_IS_NEXT));
    assert_eq!(play.checks(), [Red]);
    assert_eq!(gone(&play.resign(Green)), ["green=resign", "red=mate"]);
    assert_eq!((play.game.position().turn(), play.reason()), (Blue, None));
}

/// D9, D11 (D; F): or stalemated, which draws the game among the players still in the match.
#[test]
fn resigning_on_the_own_turn_may_stalemate_the_next_player() {
    let mut play = Play::new(dilkel(Green, "rKd1 bKa8 bQf2 yKh14 gKn7"));
    assert_eq!(gone(&play.resign(Green)), ["green=resign"]);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Stalemate), vec![1, 1, 1, 4]));
}

/// G12, D8, D11 (F): the same with an expired clock; only the clock of the next player runs from
/// then.
#[test]
fn a_fallen_clock_may_mate_the_next_player() {
    let before = dilkel(Green, "rKf1 bKa8 bRd2 bRk5 yKh14 gKn7");
    let mut play = Play::with(before, DrawPolicy::Claim, fischer(10, 0));
    play.moves("n7n8 f1g1 k5k1 h14g14");
    play.now = 10_000;
    assert_eq!(gone(&play.accept(&GameCommand::Flag)), ["green=time", "red=mate"]);
    assert_eq!(play.game.clock().running(), Some(Blue));
    assert_eq!(play.game.clock().deadline(), Some(Timestamp::from_millis(20_000)));
}

/// D8, D10, D12 (D): one resignation may checkmate one player, that elimination the next, and so
/// end the match.
#[test]
fn one_resignation_may_end_the_match_through_mates() {
    let mut play = Play::new(dilkel(Green, &format!("{RED_IS_NEXT} rNa6 yRa4 yRb11")));
    let events = play.resign(Green);
    assert_eq!(gone(&events), ["green=resign", "red=mate", "blue=mate"]);
    let by: Vec<_> = play.game.eliminated().iter().map(|out| out.by.clone()).collect();
    assert_eq!(by, [vec![], vec![Blue], vec![Yellow]]);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Mate), vec![3, 2, 1, 4]));
}

/// D10, D11 (D): if the player to move is one of the last two, the resignation of the other ends
/// the match at once, even for a player who is in check without a move.
#[test]
fn the_last_player_wins_before_it_is_judged() {
    let mut play = Play::new(dilkel(Yellow, "rKg1 bKa8 bRd2 bRk1 yKh14 yPd9"));
    play.resign(Yellow);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Mate), vec![2, 1, 3, 4]));
    let mut play = Play::new(dilkel(Blue, RED_IS_NEXT));
    play.resign(Yellow);
    play.resign(Green);
    assert_eq!((play.game.position().turn(), play.reason()), (Blue, None));
    assert_eq!(gone(&play.resign(Blue)), ["blue=resign"]);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Resign), vec![1, 2, 4, 3]));
}

/// D12 (decided): a checkmate is recorded with the players who attack the king at the time of the
/// verdict, and no others.
#[test]
fn players_eliminated_before_the_mate_are_not_recorded_with_it() {
    let mut play = Play::new(dilkel(Yellow, "rKg1 bKa8 bQg9 yKh14 gKn7 gRd2 gRk1"));
    assert_eq!(play.game.position().checked_by(Red).collect::<Vec<_>>(), [Blue, Green]);
    play.resign(Blue);
    play.moves("h14h13 n7n8");
    assert_eq!(play.game.eliminated()[1].by, [Green]);
}

/// D13 (O; decided): an expired clock may leave two players who cannot checkmate; the bishops of
/// both count together.
#[test]
fn two_remaining_players_without_material_draw() {
    let mut play = Play::with(dilkel(Yellow, "rKg1 rNd4 bKa8 yKh14 yRk14"), DrawPolicy::Claim, fischer(5, 0));
    play.moves("h14h13 g1h1 a8a7");
    play.now = 5_000;
    assert_eq!(gone(&play.accept(&GameCommand::Flag)), ["yellow=time"]);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Material), vec![1, 1, 3, 4]));
    for (words, dead) in [
        ("rKg1 rBd4 bKa8 bBe5", true),
        ("rKg1 rBd4 bKa8 bBe6", false),
        ("rKg1 rNd4 bKa8 bNe6", false),
        ("rKg1 bKa8 bQe6", false),
        ("rKg1 bKa8 yKh14", true),
        ("rKg1 rBd4 bKa8 bBe5 yKh14", false),
    ] {
        assert_eq!(Play::new(dilkel(Red, words)).reason(), dead.then_some(Reason::Material), "{words}");
    }
}

/// C4, G11 (decided): stalemate on the last of the 75 moves is stalemate; a claim made with such a
/// move is not needed.
#[test]
fn stalemate_comes_before_the_count_and_before_a_claim() {
    let mut play = Play::new(fen("7k/8/5K2/8/8/8/8/6Q1 w - - 149 100"));
    play.moves("g1g6");
    assert_eq!(play.reason(), Some(Reason::Stalemate));
    let mut play = Play::new(fen("7k/8/5K2/8/8/8/8/6Q1 w - - 5 100"));
    play.accept(&play.command("g1g6", true));
    assert_eq!(play.reason(), Some(Reason::Stalemate));
}

/// C6, D11 (F): only the opponent's material matters when a player's time expires; absence
/// likewise.
#[test]
fn a_bare_king_itself_loses_on_time() {
    let mut play = Play::with(fen("4k3/8/8/8/8/8/8/R3K3 b - - 0 1"), DrawPolicy::Claim, fischer(5, 0));
    play.moves("e8e7 a1a2");
    play.now = 5_000;
    play.accept(&GameCommand::Flag);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Time), vec![1, 2]));
    let mut play = Play::new(fen("4k3/8/8/8/8/8/8/R3K3 b - - 0 1"));
    play.accept(&GameCommand::Remove { color: White });
    assert_eq!((play.reason(), play.places()), (Some(Reason::Absence), vec![1, 1]));
    let mut play = Play::new(fen("4k3/8/8/8/8/8/8/R3K3 b - - 0 1"));
    play.accept(&GameCommand::Remove { color: Black });
    assert_eq!((play.reason(), play.places()), (Some(Reason::Absence), vec![1, 2]));
}

/// D7 (decided): a rook that moves to a rook's start square later gives no right.
#[test]
fn another_rook_on_the_rooks_square_gives_no_right() {
    let mut setup = dilkel(Blue, "rKg1 rRd1 rRd5 bKa8 bBf3 yKh14 gKn7");
    setup.castling[Red].short = true;
    let mut play = Play::new(setup);
    play.moves("f3d1 h14h13 n7n8 d5d1 a8a9 h13h14 n8n7");
    assert_eq!(play.game.setup().castling[Red], CastlingRights::default());
    let refusal = play.refuse(&play.command("g1e1", false));
    assert_eq!(refusal, Rejection::IllegalMove { mv: mv("g1e1") });
}

/// G12: no command is accepted once the match is over.
#[test]
fn a_match_that_is_over_takes_no_command() {
    let play = Play::with(fen("7k/8/6K1/8/8/8/8/8 w - - 0 1"), DrawPolicy::Claim, TimeControl::None);
    assert_eq!(play.reason(), Some(Reason::Material));
    for command in [
        play.command("g6g5", false),
        GameCommand::Resign { color: Black },
        GameCommand::Flag,
        GameCommand::Remove { color: White },
        GameCommand::Ask { request: Request::Draw, color: White },
        GameCommand::Agree { request: Request::Draw, color: Black },
        GameCommand::Decline { request: Request::Draw, color: Black },
        GameCommand::ClaimDraw { color: White },
        GameCommand::Ask { request: Request::Takeback, color: White },
        GameCommand::Agree { request: Request::Takeback, color: Black },
        GameCommand::Decline { request: Request::Takeback, color: Black },
    ] {
        assert_eq!(play.refuse(&command), Rejection::MatchOver, "{command:?}");
    }
}

/// G9, S4 (decided): an open offer and an open request end with the match.
#[test]
fn nothing_stays_open_after_the_end() {
    let mut play = Play::new(fen("6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1"));
    play.moves("d1d2 g8f8");
    play.accept(&GameCommand::Ask { request: Request::Draw, color: White });
    play.accept(&GameCommand::Ask { request: Request::Takeback, color: Black });
    let events = play.moves("d2d8");
    assert!(matches!(events.last(), Some(GameEvent::Ended { reason: Reason::Mate, .. })));
    assert_eq!((play.game.request(Request::Draw), play.game.request(Request::Takeback)), (None, None));
}
