//! Tables that nobody is at close, and say so in their log.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::view::Phase;
use quadrex_rules::{Color, Variant};

use super::{Bench, sit, terms};
use crate::table::closing::CloseAfter;
use crate::table::command::{Action, Rejection, TableCommand};
use crate::table::view::state_view;

const AFTER: CloseAfter = CloseAfter { open: Duration::from_secs(600), ended: Duration::from_secs(120) };

fn close(bench: &mut Bench) -> Result<Vec<Event>, Rejection> {
    let events = bench.state().decide(&TableCommand::Close, bench.now())?;
    bench.take_in(&events);
    Ok(events)
}

#[test]
fn a_table_whose_match_has_not_begun_closes() {
    let mut bench = Bench::open(&terms(Variant::Classic));
    bench.ask("ann", sit(None, None)).unwrap();
    assert_eq!(bench.state().closes_after(AFTER), Some(AFTER.open));
    assert_eq!(close(&mut bench), Ok(vec![Event::Closed {}]));
    let view = state_view(bench.state(), bench.now());
    assert_eq!((view.phase, view.closed, view.turn, view.outcome), (Phase::Ended, true, None, None));
    assert_eq!(bench.state().closes_after(AFTER), None);
}

#[test]
fn a_table_whose_match_is_over_closes_and_keeps_its_result() {
    let mut bench = Bench::started(&terms(Variant::Classic), 0);
    assert_eq!(close(&mut bench), Err(Rejection::AlreadyStarted));
    assert_eq!(bench.state().closes_after(AFTER), None, "a running match is never closed");
    bench.ask("white", Action::Resign).unwrap();
    assert_eq!(bench.state().closes_after(AFTER), Some(AFTER.ended));
    close(&mut bench).unwrap();
    let view = state_view(bench.state(), bench.now());
    assert_eq!((view.phase, view.closed), (Phase::Ended, true));
    assert!(view.outcome.is_some());
}

#[test]
fn nothing_can_be_done_at_a_closed_table() {
    let mut open = Bench::open(&terms(Variant::Classic));
    open.ask("white", sit(None, None)).unwrap();
    let mut over = Bench::started(&terms(Variant::Classic), 0);
    over.ask("white", Action::Resign).unwrap();
    for mut bench in [open, over] {
        close(&mut bench).unwrap();
        let asked = [sit(None, None), Action::Leave, Action::Kick { color: Color::White }, Action::Resign];
        for action in asked {
            for by in ["host", "white", "stranger"] {
                assert_eq!(bench.decide(by, action.clone()), Err(Rejection::Closed), "{by}: {action:?}");
            }
        }
        assert_eq!(close(&mut bench), Err(Rejection::Closed), "it closes once");
        assert_eq!(Rejection::Closed.to_string(), "the table is closed");
    }
}
