use super::super::samples::{
    ANN, BEN, BLACK, BOT, CAT, Log, WHITE, aborted, ended, match_id, moved, seated, settings, started,
    table_id, user, user_id, vacated,
};
use super::*;

/// Returns the logs of a table with these matches, numbered from 1.
fn logs(matches: impl IntoIterator<Item = Log>) -> TableLogs {
    let matches = matches.into_iter().zip(1..).map(|(log, number)| (match_id(number), log.0));
    TableLogs { table: table_id(1), matches: matches.collect() }
}

fn host_changed(user_number: u128) -> Event {
    Event::HostChanged { host: user(user_number) }
}

/// Returns the outline of a table with one match.
fn outline(log: Log) -> Outline {
    logs([log]).outline().unwrap()
}

#[test]
fn the_outline_follows_the_log() {
    let log = Log::opened();
    let expected = Outline {
        match_id: match_id(1),
        is_public: true,
        phase: Phase::Open,
        host: user_id(ANN),
        seats: BTreeMap::new(),
        has_people: false,
    };
    assert_eq!(outline(log.clone()), expected);
    let log = log.then(seated(BLACK, BOT));
    let seats = [(BLACK, user_id(BOT))].into();
    assert_eq!(outline(log.clone()), Outline { seats, ..expected.clone() }, "a bot is no person");
    let log = log.then(vacated(BLACK, VacateReason::Kicked));
    assert_eq!(outline(log.clone()), expected);
    let log = log.then(seated(WHITE, ANN)).then(seated(BLACK, BEN));
    let log = log.then(host_changed(BEN));
    let seats: BTreeMap<_, _> = [(WHITE, user_id(ANN)), (BLACK, user_id(BEN))].into();
    let full = Outline { seats, host: user_id(BEN), has_people: true, ..expected };
    assert_eq!(outline(log.clone()), full);
    let log = log.then(started());
    assert_eq!(outline(log.clone()), Outline { phase: Phase::Running, ..full.clone() });
    for end in [ended(), aborted(), Event::Closed { reason: None }] {
        assert_eq!(outline(log.clone().then(end)), Outline { phase: Phase::Ended, ..full.clone() });
    }
}

#[test]
fn an_outline_that_is_the_same_as_before_has_a_later_change() {
    let log = Log::opened().then(seated(WHITE, ANN));
    let toggled = log.clone().then(vacated(WHITE, VacateReason::Left)).then(seated(WHITE, ANN));
    let [before, after] = [log, toggled].map(|log| logs([log]));
    assert_eq!(before.outline(), after.outline());
    assert_eq!((before.last_change(), after.last_change()), (Some(2), Some(4)));
    let moved = logs([Log::started().then(moved(WHITE, "e2e4"))]);
    assert_eq!(moved.last_change(), logs([Log::started()]).last_change(), "a move changes no list");
    assert_eq!(logs([]).last_change(), None);
}

#[test]
fn the_seats_may_be_drawn_at_the_start() {
    let mut log = Log::started();
    let Some(Event::Started { seats, .. }) = log.0.last_mut().map(|row| &mut row.event) else { panic!() };
    *seats = [(WHITE, user(BEN)), (BLACK, user(ANN))].into();
    assert_eq!(outline(log).seats, [(WHITE, user_id(BEN)), (BLACK, user_id(ANN))].into());
}

#[test]
fn the_outline_is_that_of_the_last_match_and_knows_a_private_table() {
    let private = Log::opened_with(settings(Privacy::Private), Some(match_id(1)));
    let outline = logs([Log::started().then(ended()), private]).outline().unwrap();
    assert_eq!((outline.match_id, outline.is_public, outline.phase), (match_id(2), false, Phase::Open));
    assert_eq!(logs([]).outline(), None);
    assert_eq!(logs([Log(Vec::new())]).outline(), None, "a match without events");
}

/// Returns a match that has ended, and names this next match.
fn rematched(next: u128) -> Log {
    Log::started()
        .then(moved(WHITE, "e2e4"))
        .then(ended())
        .then(Event::Rematched { match_id: match_id(next) })
}

/// Returns a next match of Ann and this user after this match.
fn next(previous: u128, opponent: u128) -> Log {
    let opened = Log::opened_with(settings(Privacy::Public), Some(match_id(previous)));
    opened.then(seated(BLACK, ANN)).then(seated(WHITE, opponent)).then(started())
}

#[test]
fn a_match_names_its_one_next_match() {
    assert!(logs([rematched(2), next(1, BEN)]).check_rematches().is_empty());
    assert!(logs([Log::started().then(ended())]).check_rematches().is_empty());
    let [first, second, third] = [1, 2, 3].map(match_id);
    let names = |named: &[MatchId], are: &[MatchId]| {
        [format!("{first} names the next matches {named:?}, but there are {are:?}")]
    };
    let unnamed = logs([Log::started().then(ended()), next(1, BEN)]);
    assert_eq!(unnamed.check_rematches(), names(&[], &[second]));
    assert_eq!(logs([rematched(2)]).check_rematches(), names(&[second], &[]));
    assert_eq!(logs([rematched(3), next(1, BEN)]).check_rematches(), names(&[third], &[second]));
    let twice = rematched(2).then(Event::Rematched { match_id: third });
    assert_eq!(logs([twice, next(1, BEN)]).check_rematches(), names(&[second, third], &[second]));
}

#[test]
fn a_next_match_names_the_one_before_and_has_its_players() {
    let [first, second] = [1, 2].map(match_id);
    let follows = format!("{second} follows {:?}, and not {first}", Some(match_id(7)));
    assert_eq!(logs([rematched(2), next(7, BEN)]).check_rematches(), [follows]);
    let others = format!("{second} has other players than {first} before it");
    assert_eq!(logs([rematched(2), next(1, CAT)]).check_rematches(), [others]);
}

/// Returns a table at which Ann, the host, and another user sit.
fn host_and(other: u128) -> Log {
    Log::opened().then(seated(WHITE, ANN)).by(ANN, "sit").then(seated(BLACK, other))
}

/// Lets Ann leave her seat.
fn host_leaves(log: Log) -> Log {
    log.then(vacated(WHITE, VacateReason::Left)).by(ANN, "leave")
}

#[test]
fn a_host_who_leaves_passes_the_table_on() {
    let stays = [format!("{}: the host left by event 4 and stays host", match_id(1))];
    assert_eq!(logs([host_leaves(host_and(BEN))]).check_hosts(), stays);
    let late = host_leaves(host_and(BEN)).then(seated(WHITE, CAT)).then(host_changed(BEN));
    assert_eq!(logs([late]).check_hosts(), stays, "another event is between");
    assert!(logs([host_leaves(host_and(BEN)).then(host_changed(BEN))]).check_hosts().is_empty());
}

#[test]
fn a_host_stays_host_if_nobody_else_can_be_host() {
    assert!(logs([host_leaves(host_and(BOT))]).check_hosts().is_empty(), "a bot is no host");
    let alone = host_leaves(Log::opened().then(seated(WHITE, ANN)));
    assert!(logs([alone]).check_hosts().is_empty());
    assert!(logs([host_leaves(host_and(ANN))]).check_hosts().is_empty(), "the host has another seat");
}

#[test]
fn other_vacated_seats_do_not_change_the_host() {
    let guest_leaves = host_and(BEN).then(vacated(BLACK, VacateReason::Left)).by(BEN, "leave");
    assert!(logs([guest_leaves]).check_hosts().is_empty());
    let kicks_herself = host_and(BEN).then(vacated(WHITE, VacateReason::Kicked)).by(ANN, "kick");
    assert!(logs([kicks_herself]).check_hosts().is_empty());
    let disappears = host_and(BEN).then(vacated(WHITE, VacateReason::Left));
    assert!(logs([disappears]).check_hosts().is_empty(), "the server vacated the seat");
    let next_host = host_leaves(host_and(BEN)).then(host_changed(BEN)).then(seated(WHITE, ANN));
    let next_host = next_host.by(ANN, "sit-again");
    assert!(logs([host_leaves(next_host.clone())]).check_hosts().is_empty(), "she is no host any more");
    let leaves = next_host.then(vacated(BLACK, VacateReason::Left)).by(BEN, "leave");
    let stays = format!("{}: the host left by event 7 and stays host", match_id(1));
    assert_eq!(logs([leaves]).check_hosts(), [stays]);
}
