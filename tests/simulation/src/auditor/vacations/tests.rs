use quadrex_rules::GameCommand;

use super::super::samples::{BEN, BLACK, Log, WHITE, auditor, correspondence, user_id};
use super::*;
use crate::trace::BEGIN;

/// Returns a vacation of a day that begins some time after the beginning.
fn day(since_ms: u64) -> Vacation {
    let since_ms = BEGIN.as_millis() + since_ms;
    Vacation { since_ms, until_ms: since_ms + 86_400_000 }
}

fn begins(color: Color, Vacation { since_ms, until_ms }: Vacation) -> Event {
    Event::VacationStarted { color, since_ms, until_ms }
}

/// The answer to a request of Ben, with the second after the beginning at which it arrived, if there is one.
type Answered = Option<(u64, VacationChange)>;

/// The requests of Ben: to begin or not, with the second after the beginning at which they were sent and their
/// answers. The outage is in milliseconds after the beginning. An event is committed when it happens.
#[derive(Default)]
struct Known {
    requests: Vec<(bool, u64, Answered)>,
    outage: Option<(u64, u64)>,
}

impl Known {
    fn begun(sent: u64, answered: u64, vacation: Vacation) -> Self {
        Self::default().begin(sent, Some((answered, VacationChange::Began(vacation))))
    }

    fn begin(mut self, sent: u64, answer: Answered) -> Self {
        self.requests.push((true, sent, answer));
        self
    }

    fn end(mut self, sent: u64, answer: Answered) -> Self {
        self.requests.push((false, sent, answer));
        self
    }

    fn check(&self, log: &Log) -> Vec<String> {
        let began = virtual_now();
        let at = |seconds: u64| began + Duration::from_secs(seconds);
        let request = |(begins, sent, answer): &(bool, u64, Answered)| Request {
            user: user_id(BEN),
            begins: *begins,
            sent_at: at(*sent),
            answer: answer.map(|(seconds, change)| (change, at(seconds))),
        };
        let mut outages = Outages::default();
        if let Some((since, until)) = self.outage {
            outages.add(BEGIN + Duration::from_millis(since), BEGIN + Duration::from_millis(until));
        }
        let committed_at = |seq: u64| {
            let row = log.0.get(usize::try_from(seq).ok()? - 1)?;
            Some(began + row.at.since(BEGIN))
        };
        let of = Match { log: &log.0, committed_at: &committed_at, outages: &outages };
        Vacations(self.requests.iter().map(request).collect()).check(&of)
    }
}

/// Returns the log of a match whose second move comes half a minute after the first one. It starts after 4
/// seconds.
fn half_a_minute() -> Log {
    correspondence().played(6_000, WHITE, "e2e4").played(30_000, BLACK, "e7e5").played(1_000, WHITE, "g1f3")
}

#[test]
fn a_match_receives_the_vacations_that_its_players_begin() {
    let log = correspondence().played(6_000, WHITE, "e2e4").after_ms(2_000, begins(BLACK, day(11_000)));
    let wrong = ["event 6 begins a vacation that black has not begun"];
    assert_eq!(Known::default().check(&log), wrong);
    assert!(Known::begun(11, 13, day(11_000)).check(&log).is_empty());
    assert_eq!(Known::begun(11, 13, day(11_001)).check(&log)[..1], wrong, "it has another time");
    assert!(Known::default().begin(11, None).check(&log).is_empty(), "the answer may be lost");
    assert_eq!(Known::default().begin(11, Some((13, VacationChange::Refused))).check(&log), wrong);
    assert_eq!(Known::default().end(11, None).check(&log), wrong);
    let cut = Vacation { until_ms: BEGIN.as_millis() + 12_500, ..day(11_000) };
    let log = correspondence().played(6_000, WHITE, "e2e4").after_ms(2_000, begins(BLACK, cut));
    assert_eq!(Known::begun(11, 11, day(11_000)).check(&log), wrong);
    let ended = Known::begun(11, 11, day(11_000)).end(11, None);
    assert!(ended.check(&log).is_empty(), "the server that ended it is ahead");
    let ahead = Known::begun(11, 13, day(13_000));
    let cut = Vacation { since_ms: BEGIN.as_millis() + 12_000, ..day(13_000) };
    let log = correspondence().played(6_000, WHITE, "e2e4").after_ms(2_000, begins(BLACK, cut));
    assert!(ahead.check(&log).is_empty(), "the server at which it began is ahead");
    let of_white = correspondence().played(6_000, WHITE, "e2e4").after_ms(2_000, begins(WHITE, day(11_000)));
    let wrong = ["event 6 begins a vacation that white has not begun"];
    assert_eq!(Known::begun(11, 13, day(11_000)).check(&of_white), wrong);
}

#[test]
fn a_vacation_ends_when_it_is_over_or_its_player_ends_it() {
    let log = || correspondence().after_ms(0, begins(BLACK, day(2_000)));
    let begun = || Known::begun(2, 3, day(2_000));
    let ended = |later_ms| log().after_ms(later_ms, Event::VacationEnded { color: BLACK });
    assert!(begun().check(&ended(86_400_000 - 1_000)).is_empty());
    assert_eq!(begun().check(&ended(60_000)), ["event 6 ends a vacation that black has not ended"]);
    assert!(begun().end(30, Some((31, VacationChange::Ended))).check(&ended(60_000)).is_empty());
    assert!(begun().end(30, None).check(&ended(60_000)).is_empty());
    let refused = Some((31, VacationChange::Refused));
    assert_eq!(begun().end(30, refused).check(&ended(60_000)).len(), 1);
    assert_eq!(begun().end(70, None).check(&ended(60_000)).len(), 1, "it was sent later");
}

#[test]
fn a_match_does_not_go_on_for_long_without_a_vacation() {
    let log = half_a_minute();
    let wrong = ["the vacation of black is still unknown 30s after event 5"];
    let from_start = ["the vacation of black is still unknown 36s after event 4"];
    assert_eq!(Known::begun(2, 3, day(2_000)).check(&log), from_start);
    assert_eq!(Known::begun(8, 9, day(8_000)).check(&log), wrong);
    assert!(Known::begun(10, 11, day(10_000)).check(&log).is_empty(), "only the last events came later");
    let begun = || Known::begun(8, 9, day(8_000));
    assert!(begun().end(39, None).check(&log).is_empty());
    assert_eq!(begun().end(42, None).check(&log), wrong);
    assert!(Known::default().end(7, None).begin(8, begun().requests[0].2).check(&log).is_empty());
    let outage = |until| Known { outage: Some((10_000, until)), ..begun() };
    assert!(outage(31_000).check(&log).is_empty());
    assert_eq!(outage(30_999).check(&log), ["the vacation of black is still unknown 31s after event 5"]);
    let received = correspondence().played(6_000, WHITE, "e2e4").after_ms(30_000, begins(BLACK, day(8_000)));
    assert!(begun().check(&received.played(90_000, BLACK, "e7e5")).is_empty());
    let over = Vacation { until_ms: BEGIN.as_millis() + 39_000, ..day(8_000) };
    assert!(Known::begun(8, 9, over).check(&log).is_empty());
}

#[test]
fn nobody_runs_out_of_time_on_vacation() {
    let log = correspondence().played(6_000, WHITE, "e2e4").played(1_000, BLACK, "e7e5");
    let log = log.played(1_000, WHITE, "g1f3").decided(86_400_000, &GameCommand::Flag);
    let wrong = ["event 8 lets a player run out of time on vacation"];
    let day_later = day(20_000);
    assert_eq!(Known::begun(20, 21, day_later).check(&log), wrong);
    assert!(Known::begun(20, 21, day_later).end(30, None).check(&log).is_empty());
    assert!(Known::begun(5, 6, day(5_000)).check(&log).is_empty(), "the vacation was over");
    assert!(Known::default().begin(20, None).check(&log).is_empty());
}

#[test]
fn the_answers_to_requests_are_kept() {
    let auditor = auditor();
    let vacation = day(11_000);
    let log = correspondence().played(6_000, WHITE, "e2e4").after_ms(2_000, begins(BLACK, vacation));
    let outages = Outages::default();
    let count = || {
        let vacations = auditor.lock().vacations.clone();
        vacations.check(&Match { log: &log.0, committed_at: &|_| None, outages: &outages }).len()
    };
    assert_eq!(count(), 1);
    let request = auditor.vacation_begin_sent(user_id(BEN));
    assert_eq!(count(), 0);
    auditor.vacation_answered(request, VacationChange::Refused);
    assert_eq!(count(), 1);
    let request = auditor.vacation_begin_sent(user_id(BEN));
    auditor.vacation_answered(request, VacationChange::Began(vacation));
    assert_eq!(count(), 0);
    assert_eq!(auditor.vacation_end_sent(user_id(BEN)), 2);
}
