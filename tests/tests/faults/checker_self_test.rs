//! Tests of the checker. It accepts the log of a real server, and detects each kind of violation
//! that the test adds to that log.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::chat::{ChatMessage, Phrase, Room};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, RefusalCode, UserId};
use quadrex_rules::{Color, Variant};
use quadrex_store::{Epoch, LoggedEvent, SeatHolder};
use quadrex_tests::checker::{self, Command, Violation};
use quadrex_tests::contest::without_rate_limits;
use quadrex_tests::ledger::{self, LedgerEntry, RecordedAnswer};
use quadrex_tests::swarm::{Pace, Plan, ReceivedLog, Swarm};
use quadrex_tests::{Database, Launch, Ledger};

/// One match of a real server, with its ledger and the received events.
struct Case {
    log: Vec<LoggedEvent>,
    entries: Vec<LedgerEntry>,
    received: ReceivedLog,
    holders: Vec<SeatHolder>,
}

impl Case {
    async fn play() -> Result<Self> {
        let launch = without_rate_limits(Launch::new(&Database::Sqlite)?);
        let mut server = launch.start().await?;
        let path = launch.sibling_path("ledger");
        let (ledger, writing) = Ledger::create(&path)?;
        let plan = Plan {
            address: server.address(),
            connections: server.address(),
            tables: 1,
            variant: Variant::Dilkel,
            time: None,
            watchers: 2,
            pace: Pace::ClosedLoop,
            ledger: Some(ledger),
            resigns: None,
            seed: 1,
        };
        let swarm = Swarm::start(&plan).await?;
        swarm.tally().until_done(40).await;
        let (players, watchers) = (swarm.tally().to_players(), swarm.tally().to_watchers());
        ensure!(players.count >= 30 && watchers.count >= 30, "timed: {players:?}, {watchers:?}");
        ensure!(players.p50 > Duration::ZERO && players.p50 <= players.longest, "{players:?}");
        let mut played = swarm.finish().await?;
        drop(plan);
        writing.end()?;
        server.kill().await?;
        let entries = ledger::read(&path)?;
        let checked = checker::check_all(&launch, &entries, &played).await?;
        ensure!(checked.acknowledged >= 40 && checked.received == checked.events, "{checked:?}");
        let received =
            played.pop().and_then(|mut table| table.matches.drain(..).next()).context("one table")?;
        let store = checker::open(&launch).await?;
        let log = store.events(received.match_id, 0).await?;
        let holders = store.seat_holders(received.match_id).await?;
        store.close().await;
        let entries = entries.into_iter().filter(|entry| entry.match_id == received.match_id).collect();
        Ok(Self { log, entries, received, holders })
    }

    fn violations(&self, log: &[LoggedEvent], entries: &[LedgerEntry]) -> Vec<Violation> {
        checker::check(log, Some(entries), Some(&self.received)).1
    }

    /// Returns the index of the last move in the log.
    fn last_move(&self) -> Result<usize> {
        let place = self.log.iter().rposition(|row| matches!(row.event, Event::Moved { .. }));
        place.context("there is a move")
    }
}

/// Returns a seated user as events contain it.
fn view_of_user(log: &[LoggedEvent], user: UserId) -> Result<UserView> {
    let sits = |row: &LoggedEvent| match &row.event {
        Event::Seated { user: seated, .. } if seated.id == user => Some(seated.clone()),
        _ => None,
    };
    log.iter().find_map(sits).context("the user has a seat")
}

fn command(row: &LoggedEvent) -> Result<Command> {
    Ok(Command {
        by: row.by.context("a user's")?,
        command_id: row.command_id.clone().context("a command's last")?,
    })
}

#[tokio::test]
async fn the_checker_detects_every_kind_of_violation() -> Result<()> {
    let case = Case::play().await?;
    let (log, entries) = (&case.log, &case.entries);
    ensure!(case.violations(log, entries).is_empty(), "{:?}", case.violations(log, entries));
    let last = case.last_move()?;
    let (seq, lost) = (log[last].seq, command(&log[last])?);

    // Lost command: the log ends before an acknowledged and received event.
    let found = case.violations(&log[..last], entries);
    ensure!(found.contains(&Violation::Lost(lost.clone())), "{found:?}");
    let beyond = Violation::ReceivedBeyondLog { received: log.len() as u64, logged: last as u64 };
    ensure!(found.contains(&beyond), "{found:?}");

    // Gap: an event is missing in the middle.
    let mut gap = log.clone();
    gap.remove(last - 1);
    let found = case.violations(&gap, entries);
    ensure!(found.contains(&Violation::Gap { expected: seq - 1, found: seq }), "{found:?}");

    // Duplicate: the log contains the same command twice.
    let mut double = log.clone();
    double.push(LoggedEvent { seq: log.len() as u64 + 1, ..log[last].clone() });
    let found = case.violations(&double, entries);
    ensure!(found.contains(&Violation::DuplicateCommand(lost.clone())), "{found:?}");
    ensure!(found.iter().any(|fault| matches!(fault, Violation::IllegalEvents(_))), "{found:?}");

    // Fork: the log contains an event that differs from the received and acknowledged one.
    let mut fork = log.clone();
    let at_another_moment = fork[last].at.as_millis() + 1;
    fork[last].at = quadrex_rules::Timestamp::from_millis(at_another_moment);
    let found = case.violations(&fork, entries);
    ensure!(found == [Violation::ReceivedDifferently { seq }], "{found:?}");
    let Event::Moved { mv, .. } = &mut fork[last].event else { unreachable!("it is a move") };
    *mv = "a1a2".parse()?;
    let found = case.violations(&fork, entries);
    ensure!(found.contains(&Violation::MissingMove(lost.clone())), "{found:?}");

    // The stored seat holders are not those of the log: one is missing, or one was eliminated.
    ensure!(case.holders.len() == 4 && case.holders.iter().all(|holder| holder.is_playing), "all play");
    ensure!(checker::check_seat_holders(log, &case.holders).is_none());
    ensure!(checker::check_seat_holders(&log[..3], &case.holders).is_some(), "before the start");
    ensure!(checker::check_seat_holders(log, &case.holders[1..]).is_some());
    let mut eliminated = case.holders.clone();
    eliminated[0].is_playing = false;
    ensure!(checker::check_seat_holders(log, &eliminated).is_some());

    // The server's time was set back.
    let mut back = log.clone();
    back[last].at = quadrex_rules::Timestamp::from_millis(log[last - 1].at.as_millis() - 1);
    let found = case.violations(&back, entries);
    ensure!(found.contains(&Violation::TimeDecreased { seq }), "{found:?}");

    // A previous owner has written again.
    let mut epochs = log.clone();
    epochs[last - 1].epoch = Epoch(7);
    let found = case.violations(&epochs, entries);
    ensure!(found.contains(&Violation::EpochDecreased { seq }), "{found:?}");

    // An acknowledgement has another number than the log, and a refused command is in the log.
    let answer = |answer: RecordedAnswer| -> Vec<LedgerEntry> {
        let change = |entry: &LedgerEntry| {
            let is_it = (entry.by, &entry.command_id) == (lost.by, &lost.command_id);
            LedgerEntry { answer: if is_it { answer.clone() } else { entry.answer.clone() }, ..entry.clone() }
        };
        entries.iter().map(change).collect()
    };
    let found = case.violations(log, &answer(RecordedAnswer::Done { seq: seq - 1, mv: None }));
    let elsewhere = Violation::WrongSeq { command: lost.clone(), acknowledged: seq - 1, logged: seq };
    ensure!(found == [elsewhere], "{found:?}");
    let found = case.violations(log, &answer(RecordedAnswer::Refused(RefusalCode::Stale)));
    ensure!(found == [Violation::Refused(lost.clone(), RefusalCode::Stale)], "{found:?}");

    // After an internal error the server may not know the outcome, so this is counted and is not a
    // violation.
    let faulted_but_logged = answer(RecordedAnswer::Refused(RefusalCode::Internal));
    let (checked, found) = checker::check(log, Some(&faulted_but_logged), Some(&case.received));
    ensure!(found.is_empty() && checked.faulted_but_logged == 1, "{checked:?}, {found:?}");

    // An event belongs to no command, at the end or in the middle. This is also a violation in a
    // match without recorded answers, as around a rematch.
    let unsent = Command { by: lost.by, command_id: "unsent".parse()? };
    let said = Event::MessageSent {
        user: view_of_user(log, lost.by)?,
        color: None,
        room: Room::Bystanders,
        message: ChatMessage::Phrase(Phrase::Hello),
    };
    for at in [last, log.len()] {
        let mut more = log.clone();
        let row = LoggedEvent {
            command_id: Some(unsent.command_id.clone()),
            event: said.clone(),
            ..log[at - 1].clone()
        };
        more.insert(at, LoggedEvent { by: Some(unsent.by), ..row });
        (1..).zip(&mut more).for_each(|(seq, row)| row.seq = seq);
        let found = checker::check(&more, Some(entries), None).1;
        ensure!(found.contains(&Violation::Unanswered(unsent.clone())), "{found:?}");
    }
    let found = checker::check(log, Some(&[]), None).1;
    ensure!(found.contains(&Violation::Unanswered(lost.clone())), "{found:?}");

    // An event of a user has no command id. It is followed by an event of the server, by another
    // user's event, or by nothing.
    for at in 1..=log.len() {
        if log.get(at).is_some_and(|next| next.by == Some(unsent.by)) || log[at - 1].command_id.is_none() {
            continue;
        }
        let mut more = log.clone();
        let row = LoggedEvent { command_id: None, event: said.clone(), ..log[at - 1].clone() };
        more.insert(at, LoggedEvent { by: Some(unsent.by), ..row });
        (1..).zip(&mut more).for_each(|(seq, row)| row.seq = seq);
        let found = checker::check(&more, Some(entries), None).1;
        ensure!(found.contains(&Violation::EventWithoutCommand { seq: at as u64 + 1 }), "at {at}: {found:?}");
    }
    ensure!(checker::check(log, None, None).1.is_empty(), "without a ledger no answer is required");

    // Connections that broke when a rematch began have not received the last two events of the
    // match. Any other event that nobody received counts as missing.
    let agreed = Event::RematchAgreed { color: Color::Red, nonce: "any".parse()? };
    let rematched = Event::Rematched { match_id: case.received.match_id };
    for (events, superseded) in [
        (vec![agreed.clone(), rematched.clone()], 2),
        (vec![agreed.clone(), agreed.clone(), rematched.clone()], 0),
        (vec![said.clone(), rematched], 0),
        (vec![agreed], 0),
    ] {
        let mut more = log.clone();
        for event in events {
            more.push(LoggedEvent { seq: more.len() as u64 + 1, event, ..log[last].clone() });
        }
        let checked = checker::check(&more, None, Some(&case.received)).0;
        ensure!((checked.received, checked.superseded) == (log.len() as u64, superseded), "{checked:?}");
    }

    // A command was recorded for another match than the match that contains it.
    let elsewhere: Vec<LedgerEntry> =
        entries.iter().filter(|entry| entry.command_id != lost.command_id).cloned().collect();
    let found = case.violations(log, &elsewhere);
    ensure!(found == [Violation::Unanswered(lost.clone())], "{found:?}");

    // A move has no recorded answer.
    let silent: Vec<LedgerEntry> = entries
        .iter()
        .filter(|entry| (entry.by, &entry.command_id) != (lost.by, &lost.command_id))
        .cloned()
        .collect();
    let found = case.violations(log, &silent);
    ensure!(found == [Violation::Unanswered(lost)], "{found:?}");
    Ok(())
}
