//! G12, C6: time.

use std::time::Duration;

use quadrex_rules::Color::{Black, Blue, Green, Red, White, Yellow};
use quadrex_rules::{
    DrawPolicy, GameCommand, GameEvent, Reason, Rejection, Setup, TimeControl, Timestamp, Variant,
};

use crate::play::{Play, dilkel, fen, fischer, gone, mv};

fn timed(setup: Setup, time: TimeControl) -> Play {
    Play::with(setup, DrawPolicy::Claim, time)
}

fn left(play: &Play, color: quadrex_rules::Color) -> Option<u128> {
    let now = Timestamp::from_millis(play.now);
    play.game.clock().remaining(color, now).map(|left| left.as_millis())
}

/// G12 (F): a player out of time loses at once.
#[test]
fn a_fallen_clock_loses() {
    let mut play = timed(Setup::start(Variant::Classic), fischer(60, 2));
    assert_eq!(play.game.clock().deadline(), Some(Timestamp::from_millis(60_000)));
    play.now = 59_999;
    assert_eq!(play.refuse(&GameCommand::Flag), Rejection::TimeIsNotUp);
    play.now = 60_000;
    assert_eq!(play.refuse(&play.command("e2e4", false)), Rejection::TimeIsUp { color: White });
    play.accept(&GameCommand::Flag);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Time), vec![2, 1]));
    assert_eq!((left(&play, White), play.game.clock().running()), (Some(0), None));
}

/// G12, D11 (F): in `dilkel` the others play on, and the next player's clock runs from then.
#[test]
fn a_fallen_clock_puts_out_and_the_next_one_runs() {
    let mut play = timed(Setup::start(Variant::Dilkel), fischer(10, 0));
    play.now = 12_000;
    let events = play.accept(&GameCommand::Flag);
    assert_eq!(gone(&events), ["red=time"]);
    assert_eq!(play.game.clock().running(), Some(Blue));
    assert_eq!(play.game.clock().deadline(), Some(Timestamp::from_millis(22_000)));
}

/// C6 (F, decided): out of time against a bare king is a draw; nobody goes out.
#[test]
fn a_bare_king_cannot_win_on_time() {
    let mut play = timed(fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), fischer(5, 0));
    play.now = 5_000;
    play.accept(&GameCommand::Flag);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Time), vec![1, 1]));
    let mut play = timed(fen("4k3/7p/8/8/8/8/8/R3K3 w - - 0 1"), fischer(5, 0));
    play.now = 5_000;
    play.accept(&GameCommand::Flag);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Time), vec![2, 1]));
}

/// C6 (F, decided): likewise in `dilkel` with two left; with three left the player goes out.
#[test]
fn a_bare_king_draws_on_time_only_with_two_left() {
    let mut play = timed(dilkel(Red, "rKg1 rRd4 bKa8"), fischer(5, 0));
    play.now = 5_000;
    let events = play.accept(&GameCommand::Flag);
    assert!(gone(&events).is_empty());
    assert_eq!((play.reason(), play.places()), (Some(Reason::Time), vec![1, 1, 4, 3]));
    let mut play = timed(dilkel(Red, "rKg1 rRd4 bKa8 yKh14 yRd14"), fischer(5, 0));
    play.now = 5_000;
    assert_eq!(gone(&play.accept(&GameCommand::Flag)), ["red=time"]);
}

/// C6, D11 (decided): removal for absence counts as time, also against a bare king; resigning always loses.
#[test]
fn absence_counts_as_time_and_resigning_always_loses() {
    let mut play = Play::new(dilkel(Red, "rKg1 rRd4 bKa8"));
    play.accept(&GameCommand::Remove { color: Red });
    assert_eq!((play.reason(), play.places()), (Some(Reason::Absence), vec![1, 1, 4, 3]));
    let mut play = Play::new(dilkel(Red, "rKg1 rRd4 bKa8"));
    play.resign(Red);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Resign), vec![2, 1, 4, 3]));
}

/// G12: an increment is added after each own move, and the clock told with it.
#[test]
fn fischer_time_grows_with_each_move() {
    let mut play = timed(Setup::start(Variant::Classic), fischer(60, 2));
    play.now = 10_000;
    let events = play.moves("e2e4");
    assert_eq!(events, [GameEvent::Moved { color: White, mv: mv("e2e4"), left_ms: Some(52_000) }]);
    play.now = 15_000;
    assert_eq!((left(&play, White), left(&play, Black)), (Some(52_000), Some(55_000)));
    play.moves("e7e5");
    assert_eq!(left(&play, Black), Some(57_000));
}

/// G12: with a delay the budget starts to run later, and unused delay is lost.
#[test]
fn a_delay_is_free_on_every_turn() {
    let delay = TimeControl::Delay { base: Duration::from_secs(10), delay: Duration::from_secs(5) };
    let mut play = timed(Setup::start(Variant::Dilkel), delay);
    assert_eq!(play.game.clock().deadline(), Some(Timestamp::from_millis(15_000)));
    play.now = 4_000;
    play.moves("h2h4");
    assert_eq!(left(&play, Red), Some(10_000));
    play.now = 12_000;
    assert_eq!(left(&play, Blue), Some(7_000));
    play.moves("b7c7");
    play.now = 22_000;
    assert_eq!((left(&play, Yellow), left(&play, Green)), (Some(5_000), Some(10_000)));
    play.now = 27_000;
    assert_eq!(gone(&play.accept(&GameCommand::Flag)), ["yellow=time"]);
}

/// G12: without clocks nobody's time is ever up.
#[test]
fn without_clocks_no_time_runs() {
    let mut play = Play::start(Variant::Dilkel);
    play.now = u64::MAX;
    assert_eq!(play.refuse(&GameCommand::Flag), Rejection::TimeIsNotUp);
    assert_eq!((play.game.clock().running(), left(&play, Red)), (None, None));
    assert_eq!(play.moves("h2h4"), [GameEvent::Moved { color: Red, mv: mv("h2h4"), left_ms: None }]);
}

/// G12: time while the server is away is never charged; what ran before is, and a grace may precede.
#[test]
fn a_restarted_clock_charges_only_what_is_known() {
    let mut play = timed(Setup::start(Variant::Dilkel), fischer(60, 0));
    play.game.charge_clock(Timestamp::from_millis(7_000));
    play.game.restart_clock(Timestamp::from_millis(103_000));
    play.game.charge_clock(Timestamp::from_millis(100_000));
    play.now = 100_000;
    assert_eq!(left(&play, Red), Some(53_000));
    play.now = 104_000;
    assert_eq!(left(&play, Red), Some(52_000));
    assert_eq!(play.game.clock().deadline(), Some(Timestamp::from_millis(156_000)));
}

/// G12, D11: who goes out on its own turn has spent what it spent, and its clock stands still from then.
#[test]
fn the_clock_of_who_goes_out_stands_still() {
    let mut play = timed(Setup::start(Variant::Dilkel), fischer(10, 2));
    play.now = 4_000;
    play.resign(Red);
    play.now = 9_000;
    assert_eq!((left(&play, Red), left(&play, Blue)), (Some(6_000), Some(5_000)));
}
