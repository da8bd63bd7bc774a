//! G12, C6: time. Every point in time is an argument.

use std::time::Duration;

use quadrex_rules::Color::{Black, Blue, Green, Red, White, Yellow};
use quadrex_rules::{
    AbortCause, DrawPolicy, GameCommand, GameEvent, Reason, Rejection, Request, Setup, TimeControl,
    Timestamp, Variant,
};

use crate::play::{Play, dilkel, fen, fischer, gone, mv};

const DAY_MS: u64 = 86_400_000;

fn timed(setup: Setup, time: TimeControl) -> Play {
    Play::with(setup, DrawPolicy::Claim, time)
}

/// A game in which every player has already moved, at time zero.
fn under_way(variant: Variant, time: TimeControl) -> Play {
    let mut play = timed(Setup::start(variant), time);
    play.moves(if variant == Variant::Classic { "e2e4 e7e5" } else { "h2h4 b7c7 g13g11 m8l8" });
    play
}

/// A position of few pieces in which every player has already moved, at time zero.
fn few(setup: Setup, time: TimeControl, moves: &str) -> Play {
    let mut play = timed(setup, time);
    play.moves(moves);
    play
}

fn days(days: u64) -> TimeControl {
    TimeControl::Correspondence { per_turn: Duration::from_millis(days * DAY_MS) }
}

fn at(ms: u64) -> Timestamp {
    Timestamp::from_millis(ms)
}

fn left(play: &Play, color: quadrex_rules::Color) -> Option<u128> {
    play.game.clock().remaining(color, at(play.now)).map(|left| left.as_millis())
}

fn free(play: &Play) -> u128 {
    play.game.clock().free(at(play.now)).as_millis()
}

fn deadline(play: &Play) -> Option<u64> {
    play.game.clock().deadline().map(Timestamp::as_millis)
}

/// G12 (F): a player out of time loses at once.
#[test]
fn a_fallen_clock_loses() {
    let mut play = under_way(Variant::Classic, fischer(60, 2));
    assert_eq!(deadline(&play), Some(62_000));
    play.now = 61_999;
    assert_eq!(play.refuse(&GameCommand::Flag), Rejection::TimeIsNotUp);
    play.now = 62_000;
    assert_eq!(play.refuse(&play.command("d2d4", false)), Rejection::TimeIsUp { color: White });
    play.accept(&GameCommand::Flag);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Time), vec![2, 1]));
    assert_eq!((left(&play, White), play.game.clock().running()), (Some(0), None));
    assert_eq!(deadline(&play), None);
}

/// G12, D11 (F): in `dilkel` the others play on, and the next player's clock runs from then.
#[test]
fn a_fallen_clock_puts_out_and_the_next_one_runs() {
    let mut play = under_way(Variant::Dilkel, fischer(10, 0));
    play.now = 12_000;
    let events = play.accept(&GameCommand::Flag);
    assert_eq!(gone(&events), ["red=time"]);
    assert_eq!(play.game.clock().running(), Some(Blue));
    assert_eq!(deadline(&play), Some(22_000));
}

/// G12, D11: two players whose clocks expire one after the other each have their own time; a
/// resignation in between passes the clock on too.
#[test]
fn two_flags_in_succession_charge_each_only_its_own_turn() {
    let mut play = under_way(Variant::Dilkel, fischer(10, 0));
    play.now = 10_000;
    assert_eq!(gone(&play.accept(&GameCommand::Flag)), ["red=time"]);
    assert_eq!(play.refuse(&GameCommand::Flag), Rejection::TimeIsNotUp);
    play.now = 19_999;
    assert_eq!(left(&play, Blue), Some(1));
    play.now = 20_000;
    assert_eq!(gone(&play.accept(&GameCommand::Flag)), ["blue=time"]);
    assert_eq!(
        (left(&play, Yellow), left(&play, Green), deadline(&play)),
        (Some(10_000), Some(10_000), Some(30_000))
    );
    play.now = 24_000;
    play.resign(Yellow);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Resign), vec![4, 3, 2, 1]));
}

/// D11: an elimination on another player's turn does not affect the running clock.
#[test]
fn an_elimination_on_anothers_turn_does_not_touch_the_clock() {
    let mut play = under_way(Variant::Dilkel, fischer(10, 0));
    play.now = 4_000;
    play.resign(Yellow);
    assert_eq!((play.game.clock().running(), left(&play, Red)), (Some(Red), Some(6_000)));
    play.now = 5_000;
    play.moves("g2g4");
    play.now = 6_000;
    play.resign(Blue);
    assert_eq!((play.game.clock().running(), deadline(&play)), (Some(Green), Some(16_000)));
}

/// Before its first own move a player's budget does not run; it has 30 seconds for that move, in
/// any turn order.
#[test]
fn no_budget_runs_before_a_players_first_own_move() {
    let mut play = timed(Setup::start(Variant::Dilkel), fischer(10, 2));
    assert_eq!((play.game.clock().running(), deadline(&play)), (Some(Red), Some(30_000)));
    assert!(play.game.clock().turn_is_first());
    play.now = 29_000;
    assert_eq!((left(&play, Red), free(&play)), (Some(10_000), 1_000));
    let events = play.moves("h2h4");
    assert_eq!(events, [GameEvent::Moved { color: Red, mv: mv("h2h4"), left_ms: Some(12_000) }]);
    assert_eq!(deadline(&play), Some(59_000), "Blue's 30 seconds begin with its turn");
    play.moves("b7c7 g13g11 m8l8");
    assert!(!play.game.clock().turn_is_first());
    play.now = 30_000;
    assert_eq!((left(&play, Red), free(&play), deadline(&play)), (Some(11_000), 0, Some(41_000)));
}

/// A player who does not make its first own move in time aborts the match: no places.
#[test]
fn a_missing_first_move_aborts_the_match() {
    let mut play = timed(Setup::start(Variant::Dilkel), fischer(300, 0));
    play.moves("h2h4 b7c7 g13g11");
    play.now = 29_999;
    assert_eq!(play.refuse(&GameCommand::Flag), Rejection::TimeIsNotUp);
    play.now = 30_000;
    assert_eq!(play.refuse(&play.command("m8l8", false)), Rejection::TimeIsUp { color: Green });
    let events = play.accept(&GameCommand::Flag);
    assert_eq!(events, [GameEvent::Aborted { cause: AbortCause::FirstMove }]);
    assert_eq!((play.game.aborted(), play.game.outcome()), (Some(AbortCause::FirstMove), None));
    assert_eq!((play.game.clock().running(), deadline(&play)), (None, None));
    assert!(play.game.is_over());
    assert_eq!(play.refuse(&GameCommand::Resign { color: Red }), Rejection::MatchOver);
}

/// G12: a resignation before the player's first move counts; the next player's 30 seconds start
/// then.
#[test]
fn resigning_before_the_first_move_is_no_abort() {
    let mut play = timed(Setup::start(Variant::Dilkel), fischer(300, 0));
    play.now = 20_000;
    assert_eq!(gone(&play.resign(Red)), ["red=resign"]);
    assert_eq!((play.game.clock().running(), deadline(&play)), (Some(Blue), Some(50_000)));
}

/// The match may be aborted for other reasons too: by agreement, or because a player never came
/// back.
#[test]
fn an_abort_ends_the_match_without_places() {
    for cause in [AbortCause::Agreement, AbortCause::Absence] {
        let mut play = under_way(Variant::Classic, fischer(60, 0));
        play.accept(&GameCommand::Ask { request: Request::Draw, color: White });
        assert_eq!(play.accept(&GameCommand::Abort { cause }), [GameEvent::Aborted { cause }]);
        assert_eq!((play.game.aborted(), play.game.outcome()), (Some(cause), None));
        assert_eq!(play.game.request(Request::Draw), None);
        assert_eq!(play.refuse(&GameCommand::Abort { cause }), Rejection::MatchOver);
    }
}

/// Correspondence: the same days for every turn, without carry-over; a player who has never moved
/// aborts the match.
#[test]
fn correspondence_gives_the_same_days_each_turn() {
    let mut play = timed(Setup::start(Variant::Classic), days(3));
    assert_eq!((deadline(&play), free(&play)), (Some(3 * DAY_MS), 0));
    play.now = 2 * DAY_MS;
    assert_eq!(
        (left(&play, White), left(&play, Black)),
        (Some(u128::from(DAY_MS)), Some(u128::from(3 * DAY_MS)))
    );
    assert_eq!(play.moves("e2e4"), [GameEvent::Moved { color: White, mv: mv("e2e4"), left_ms: None }]);
    assert_eq!((left(&play, White), deadline(&play)), (Some(u128::from(3 * DAY_MS)), Some(5 * DAY_MS)));
    play.now = 5 * DAY_MS;
    let mut unmoved = Play { game: play.game.clone(), now: play.now };
    assert_eq!(unmoved.accept(&GameCommand::Flag), [GameEvent::Aborted { cause: AbortCause::FirstMove }]);
    play.now -= 1;
    play.moves("e7e5");
    assert_eq!(deadline(&play), Some(8 * DAY_MS - 1));
    play.now = 8 * DAY_MS - 1;
    play.accept(&GameCommand::Flag);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Time), vec![2, 1]));
}

/// S4: in correspondence a takeback gives a fresh turn too.
#[test]
fn a_takeback_in_correspondence_begins_a_turn_anew() {
    let mut play = timed(Setup::start(Variant::Classic), days(1));
    play.moves("e2e4");
    play.now = DAY_MS / 2;
    play.accept(&GameCommand::Ask { request: Request::Takeback, color: White });
    let events = play.accept(&GameCommand::Agree { request: Request::Takeback, color: Black });
    assert_eq!(events[1], GameEvent::TakenBack { plies: 1, left_ms: None });
    assert_eq!((deadline(&play), left(&play, Black)), (Some(DAY_MS + DAY_MS / 2), Some(u128::from(DAY_MS))));
    play.now = DAY_MS + DAY_MS / 2;
    play.accept(&GameCommand::Flag);
    assert_eq!(play.reason(), Some(Reason::Time), "a move that was taken back was made");
}

/// While the clocks are frozen no time runs, of budget, delay and first move alike; afterwards they
/// resume.
#[test]
fn frozen_clocks_stand_still_and_go_on_where_they_stood() {
    let delay = TimeControl::Delay { base: Duration::from_secs(10), delay: Duration::from_secs(5) };
    let mut play = under_way(Variant::Dilkel, delay);
    play.game.freeze_clocks(at(3_000));
    play.now = 60_000;
    assert!(play.game.clock().is_frozen());
    assert_eq!((play.game.clock().running(), deadline(&play)), (None, None));
    assert_eq!((left(&play, Red), free(&play)), (Some(10_000), 2_000));
    assert_eq!(play.refuse(&GameCommand::Flag), Rejection::TimeIsNotUp);
    play.game.thaw_clocks(at(100_000));
    play.now = 103_000;
    assert_eq!((left(&play, Red), free(&play), deadline(&play)), (Some(9_000), 0, Some(112_000)));
    play.game.freeze_clocks(at(104_000));
    play.now = 200_000;
    assert_eq!(left(&play, Red), Some(8_000));
    play.game.thaw_clocks(at(200_000));
    assert_eq!(deadline(&play), Some(208_000));

    let mut first = timed(Setup::start(Variant::Dilkel), fischer(10, 0));
    first.game.freeze_clocks(at(20_000));
    first.game.thaw_clocks(at(90_000));
    assert_eq!(deadline(&first), Some(100_000));

    let mut slow = timed(Setup::start(Variant::Classic), days(2));
    slow.game.freeze_clocks(at(DAY_MS));
    slow.game.thaw_clocks(at(5 * DAY_MS));
    assert_eq!(deadline(&slow), Some(6 * DAY_MS));
}

/// D11: a player may resign while the clocks are frozen; the turn passes, and the next player's
/// time does not run either.
#[test]
fn an_elimination_while_frozen_passes_a_frozen_clock_on() {
    let mut play = under_way(Variant::Dilkel, fischer(10, 0));
    play.game.freeze_clocks(at(4_000));
    play.now = 50_000;
    play.resign(Red);
    play.now = 90_000;
    assert_eq!((left(&play, Blue), play.game.clock().is_frozen()), (Some(10_000), true));
    play.game.thaw_clocks(at(90_000));
    assert_eq!((play.game.clock().running(), deadline(&play)), (Some(Blue), Some(100_000)));
}

/// The reconnect bank: a tenth of base + 40 increments, 30 to 180 seconds; 180 without clocks, none
/// in correspondence.
#[test]
fn the_reconnect_bank_follows_the_time_control() {
    let delay = |base, delay| TimeControl::Delay {
        base: Duration::from_secs(base),
        delay: Duration::from_secs(delay),
    };
    let bank = |time: TimeControl| time.reconnect_bank().map(|bank| bank.as_secs());
    for (time, seconds) in [
        (TimeControl::None, Some(180)),
        (fischer(60, 0), Some(30)),
        (fischer(300, 3), Some(42)),
        (fischer(900, 10), Some(130)),
        (fischer(3_600, 30), Some(180)),
        (delay(300, 15), Some(90)),
        (delay(10, 1), Some(30)),
        (days(3), None),
    ] {
        assert_eq!(bank(time), seconds, "{time:?}");
    }
}

/// C6 (F, decided): expired time against a bare king is a draw; nobody is eliminated.
#[test]
fn a_bare_king_cannot_win_on_time() {
    let mut play = few(fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), fischer(5, 0), "a1a2 e8e7");
    play.now = 5_000;
    play.accept(&GameCommand::Flag);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Time), vec![1, 1]));
    let mut play = few(fen("4k3/7p/8/8/8/8/8/R3K3 w - - 0 1"), fischer(5, 0), "a1a2 e8e7");
    play.now = 5_000;
    play.accept(&GameCommand::Flag);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Time), vec![2, 1]));
}

/// C6 (F, decided): the same in `dilkel` with two players left; with three left the player is
/// eliminated.
#[test]
fn a_bare_king_draws_on_time_only_with_two_left() {
    let mut play = few(dilkel(Red, "rKg1 rRd4 bKa8"), fischer(5, 0), "d4d5 a8a7");
    play.now = 5_000;
    let events = play.accept(&GameCommand::Flag);
    assert!(gone(&events).is_empty());
    assert_eq!((play.reason(), play.places()), (Some(Reason::Time), vec![1, 1, 4, 3]));
    let mut play = few(dilkel(Red, "rKg1 rRd4 bKa8 yKh14 yRd14"), fischer(5, 0), "d4d5 a8a7 h14g14");
    play.now = 5_000;
    assert_eq!(gone(&play.accept(&GameCommand::Flag)), ["red=time"]);
}

/// C6, D11 (decided): removal for absence counts as time, also against a bare king; resigning
/// always loses.
#[test]
fn absence_counts_as_time_and_resigning_always_loses() {
    let mut play = Play::new(dilkel(Red, "rKg1 rRd4 bKa8"));
    play.accept(&GameCommand::Remove { color: Red });
    assert_eq!((play.reason(), play.places()), (Some(Reason::Absence), vec![1, 1, 4, 3]));
    let mut play = Play::new(dilkel(Red, "rKg1 rRd4 bKa8"));
    play.resign(Red);
    assert_eq!((play.reason(), play.places()), (Some(Reason::Resign), vec![2, 1, 4, 3]));
}

/// G12: an increment is added after each own move, and the event has the new time.
#[test]
fn fischer_time_grows_with_each_move() {
    let mut play = under_way(Variant::Classic, fischer(60, 2));
    play.now = 10_000;
    let events = play.moves("d2d4");
    assert_eq!(events, [GameEvent::Moved { color: White, mv: mv("d2d4"), left_ms: Some(54_000) }]);
    play.now = 15_000;
    assert_eq!((left(&play, White), left(&play, Black)), (Some(54_000), Some(57_000)));
    play.moves("d7d5");
    assert_eq!(left(&play, Black), Some(59_000));
}

/// G12: with a delay the budget starts to run later, and unused delay is lost.
#[test]
fn a_delay_is_free_on_every_turn() {
    let delay = TimeControl::Delay { base: Duration::from_secs(10), delay: Duration::from_secs(5) };
    let mut play = under_way(Variant::Dilkel, delay);
    assert_eq!(deadline(&play), Some(15_000));
    play.now = 4_000;
    play.moves("d2d4");
    assert_eq!(left(&play, Red), Some(10_000));
    play.now = 12_000;
    assert_eq!(left(&play, Blue), Some(7_000));
    play.moves("b8d8");
    play.now = 22_000;
    assert_eq!((left(&play, Yellow), left(&play, Green)), (Some(5_000), Some(10_000)));
    play.now = 27_000;
    assert_eq!(gone(&play.accept(&GameCommand::Flag)), ["yellow=time"]);
}

/// G12: without clocks no time ever expires.
#[test]
fn without_clocks_no_time_runs() {
    let mut play = Play::start(Variant::Dilkel);
    play.now = u64::MAX;
    assert_eq!(play.refuse(&GameCommand::Flag), Rejection::TimeIsNotUp);
    assert_eq!((play.game.clock().running(), left(&play, Red)), (None, None));
    assert_eq!(play.moves("h2h4"), [GameEvent::Moved { color: Red, mv: mv("h2h4"), left_ms: None }]);
}

/// G12: time while the server is down is never charged; the time before is, and a grace period may
/// precede.
#[test]
fn a_restarted_clock_charges_only_what_is_known() {
    let mut play = under_way(Variant::Dilkel, fischer(60, 0));
    play.game.charge_clock(at(7_000));
    play.game.restart_clock(at(103_000));
    play.game.charge_clock(at(100_000));
    play.now = 100_000;
    assert_eq!(left(&play, Red), Some(53_000));
    play.now = 104_000;
    assert_eq!(left(&play, Red), Some(52_000));
    assert_eq!(deadline(&play), Some(156_000));
}

/// G12: only the part of a delay that was unused before the server went down remains after it.
#[test]
fn a_restart_gives_no_second_delay() {
    let delay = TimeControl::Delay { base: Duration::from_secs(10), delay: Duration::from_secs(5) };
    let mut play = under_way(Variant::Dilkel, delay);
    play.game.charge_clock(at(4_000));
    play.game.restart_clock(at(100_000));
    assert_eq!(deadline(&play), Some(111_000));
}

/// G12, D11: a player eliminated on its own turn has spent its time, and its clock does not run any
/// more.
#[test]
fn the_clock_of_an_eliminated_player_stops() {
    let mut play = under_way(Variant::Dilkel, fischer(10, 2));
    play.now = 4_000;
    play.resign(Red);
    play.now = 9_000;
    assert_eq!((left(&play, Red), left(&play, Blue)), (Some(8_000), Some(7_000)));
}
