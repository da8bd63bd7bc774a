use std::time::Duration;

use quadrex_protocol::http::{Activity, LobbyCounts, TableStatus};

use super::super::samples::{
    ANN, BEN, BLACK, CAT, WHITE, auditor, match_id, own_table, summary, table_id, user_id,
};
use super::*;

fn lobby(tables: Vec<TableSummary>) -> ServerFrame {
    let counts = LobbyCounts { open: 0, running: 0, players: 0 };
    ServerFrame::Lobby { tables, counts, activity: Activity::default() }
}

/// Returns an open table at which Ann sits.
fn open(table: u128) -> TableSummary {
    summary(table, Phase::Open, &[(WHITE, ANN)])
}

/// Returns a preview of a table with five plies.
fn preview(table: u128) -> ServerFrame {
    let status = TableStatus { table: table_id(table), turn: Some(BLACK), plies: 5, spectators: 3 };
    ServerFrame::LobbyPreview { tables: vec![status], counts: None, activity: None }
}

#[test]
fn frames_change_the_copy_of_the_lobby() {
    let mut mirror = ListMirror::default();
    mirror.apply(&lobby(vec![open(1), open(2)])).unwrap();
    mirror.apply(&ServerFrame::LobbyTable { table: open(3) }).unwrap();
    mirror.apply(&ServerFrame::LobbyRemoved { table: table_id(1) }).unwrap();
    let running = summary(2, Phase::Running, &[(WHITE, ANN), (BLACK, BEN)]);
    mirror.apply(&ServerFrame::LobbyTable { table: running.clone() }).unwrap();
    mirror.apply(&preview(2)).unwrap();
    let changed = TableSummary { turn: Some(BLACK), plies: 5, spectators: 3, ..running };
    assert_eq!(mirror.lobby, Some([(table_id(2), changed), (table_id(3), open(3))].into()));
    assert_eq!(mirror.own, None);
    mirror.apply(&lobby(vec![open(4)])).unwrap();
    assert_eq!(mirror.lobby, Some([(table_id(4), open(4))].into()), "a new list replaces the old one");
}

#[test]
fn frames_change_the_copy_of_the_own_tables() {
    let mut mirror = ListMirror::default();
    mirror.apply(&ServerFrame::OwnTables { tables: vec![own_table(open(1))] }).unwrap();
    mirror.apply(&ServerFrame::OwnTable { table: own_table(open(2)) }).unwrap();
    mirror.apply(&ServerFrame::OwnTableRemoved { table: table_id(1) }).unwrap();
    assert_eq!(mirror.own, Some([(table_id(2), own_table(open(2)))].into()));
    assert_eq!(mirror.lobby, None);
}

#[test]
fn frames_that_do_not_fit_the_lists_are_errors() {
    let changes = [
        ServerFrame::LobbyTable { table: open(1) },
        ServerFrame::LobbyRemoved { table: table_id(1) },
        preview(1),
        ServerFrame::OwnTable { table: own_table(open(1)) },
        ServerFrame::OwnTableRemoved { table: table_id(1) },
    ];
    for change in &changes {
        assert!(ListMirror::default().apply(change).is_err(), "before the list: {change:?}");
    }
    let mut mirror = ListMirror::default();
    mirror.apply(&lobby(vec![open(2)])).unwrap();
    mirror.apply(&ServerFrame::OwnTables { tables: vec![own_table(open(2))] }).unwrap();
    for unlisted in [&changes[1], &changes[2], &changes[4]] {
        assert!(mirror.clone().apply(unlisted).is_err(), "unlisted: {unlisted:?}");
    }
}

/// Returns the outline of a table of Ann.
fn outline(phase: Phase, seats: &[(Color, u128)]) -> Outline {
    Outline {
        match_id: match_id(1),
        is_public: true,
        phase,
        host: user_id(ANN),
        seats: seats.iter().map(|(color, user)| (*color, user_id(*user))).collect(),
        has_people: !seats.is_empty(),
    }
}

/// Compares lists of Ann, which she has had for long, with one table. Returns the violations.
fn compared(frame: &ServerFrame, outline: &Outline) -> Vec<String> {
    let auditor = auditor();
    let mut mirror = ListMirror::default();
    mirror.apply(frame).unwrap();
    auditor.set_lists("ann", user_id(ANN), Some(mirror));
    let outlines = [(table_id(1), outline.clone())].into();
    assert_eq!(auditor.check_lists(&outlines, &[], virtual_now()), 1);
    auditor.violations()
}

#[tokio::test(start_paused = true)]
async fn the_lobby_has_the_public_tables_as_they_are() {
    let seats = [(WHITE, ANN), (BLACK, BEN)];
    let running = outline(Phase::Running, &seats);
    let right = lobby(vec![summary(1, Phase::Running, &seats)]);
    assert!(compared(&right, &running).is_empty());
    assert!(compared(&lobby(vec![open(1)]), &outline(Phase::Open, &[(WHITE, ANN)])).is_empty());
    for missing in [&running, &outline(Phase::Open, &[(WHITE, ANN)])] {
        let text = format!("ann: the lobby lacks {}: {missing:?}", table_id(1));
        assert_eq!(compared(&lobby(vec![]), missing), [text]);
    }
    for outline in [outline(Phase::Ended, &seats), Outline { is_public: false, ..running.clone() }] {
        let text = format!("ann: the lobby still has {}: {outline:?}", table_id(1));
        assert_eq!(compared(&right, &outline), [text]);
        assert!(compared(&lobby(vec![]), &outline).is_empty());
    }
    let empty = outline(Phase::Open, &[]);
    assert!(compared(&lobby(vec![]), &empty).is_empty(), "the host may be away");
    assert!(compared(&lobby(vec![summary(1, Phase::Open, &[])]), &empty).is_empty());
    let other_host =
        TableSummary { host: super::super::samples::user(BEN), ..summary(1, Phase::Running, &seats) };
    let wrong = [
        summary(1, Phase::Open, &seats),
        other_host,
        summary(1, Phase::Running, &[(WHITE, ANN), (BLACK, CAT)]),
        summary(1, Phase::Running, &[(WHITE, ANN)]),
    ];
    for wrong in wrong {
        let shown = Shown::of(&wrong);
        let text = format!("ann: the lobby shows {} as {shown:?}, and it is {running:?}", table_id(1));
        assert_eq!(compared(&lobby(vec![wrong]), &running), [text]);
    }
}

/// The lobby shows the first tables of each phase. The others are on further pages.
#[tokio::test(start_paused = true)]
async fn a_full_lobby_may_lack_tables() {
    let seats = [(WHITE, ANN), (BLACK, BEN)];
    let running = outline(Phase::Running, &seats);
    for (count, open_count) in [(50, 0), (49, 1)] {
        let auditor = auditor();
        let mut mirror = ListMirror::default();
        let others = (2..2 + count).map(|table| summary(table, Phase::Running, &seats));
        mirror.apply(&lobby(others.chain((100..100 + open_count).map(open)).collect())).unwrap();
        auditor.set_lists("ann", user_id(ANN), Some(mirror));
        let changing: Vec<_> = (2..200).map(table_id).collect();
        auditor.check_lists(&[(table_id(1), running.clone())].into(), &changing, virtual_now());
        let lacks = format!("ann: the lobby lacks {}: {running:?}", table_id(1));
        assert_eq!(auditor.violations(), if count < 50 { vec![lacks] } else { vec![] });
    }
}

#[tokio::test(start_paused = true)]
async fn the_own_tables_are_those_of_the_user() {
    let seats = [(WHITE, BEN), (BLACK, CAT)];
    let own = |tables: &[TableSummary]| {
        let tables = tables.iter().cloned().map(own_table).collect();
        ServerFrame::OwnTables { tables }
    };
    let host = outline(Phase::Running, &seats);
    let listed = own(&[summary(1, Phase::Running, &seats)]);
    assert!(compared(&listed, &host).is_empty());
    assert!(compared(&listed, &Outline { is_public: false, ..host.clone() }).is_empty());
    let player = Outline { host: user_id(BEN), ..outline(Phase::Running, &[(WHITE, BEN), (BLACK, ANN)]) };
    for outline in [&host, &player] {
        let text = format!("ann: the list of own tables lacks {}: {outline:?}", table_id(1));
        assert_eq!(compared(&own(&[]), outline), [text]);
    }
    for outline in [outline(Phase::Ended, &seats), Outline { host: user_id(BEN), ..host }] {
        let text = format!("ann: the list of own tables still has {}: {outline:?}", table_id(1));
        assert_eq!(compared(&listed, &outline), [text]);
        assert!(compared(&own(&[]), &outline).is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_has_no_unknown_tables() {
    let auditor = auditor();
    let mut mirror = ListMirror::default();
    mirror.apply(&lobby(vec![open(1), open(2)])).unwrap();
    auditor.set_lists("ann", user_id(ANN), Some(mirror));
    let outlines = [(table_id(1), outline(Phase::Open, &[(WHITE, ANN)]))].into();
    auditor.check_lists(&outlines, &[table_id(2)], virtual_now());
    assert!(auditor.violations().is_empty(), "the other table changes: {:?}", auditor.violations());
    auditor.check_lists(&outlines, &[], virtual_now());
    assert_eq!(auditor.violations(), [format!("ann: the lobby has the unknown table {}", table_id(2))]);
}

#[tokio::test(start_paused = true)]
async fn only_lists_that_are_older_than_the_tables_are_compared() {
    let auditor = auditor();
    let unchanged_since = virtual_now();
    tokio::time::advance(Duration::from_secs(1)).await;
    let mut mirror = ListMirror::default();
    mirror.apply(&lobby(vec![])).unwrap();
    mirror.apply(&ServerFrame::OwnTables { tables: vec![] }).unwrap();
    auditor.set_lists("ann", user_id(ANN), Some(mirror.clone()));
    let outlines = [(table_id(1), outline(Phase::Running, &[(WHITE, ANN), (BLACK, BEN)]))].into();
    assert_eq!(auditor.check_lists(&outlines, &[], unchanged_since), 0);
    assert!(auditor.violations().is_empty(), "{:?}", auditor.violations());
    tokio::time::advance(Duration::from_secs(1)).await;
    auditor.set_lists("ann", user_id(ANN), Some(mirror));
    assert_eq!(auditor.check_lists(&outlines, &[], virtual_now()), 2, "a change does not make it new");
    assert_eq!(auditor.violations().len(), 2, "{:?}", auditor.violations());
    auditor.set_lists("ann", user_id(ANN), None);
    assert_eq!(auditor.check_lists(&outlines, &[], virtual_now()), 0, "it is not connected any more");
}
