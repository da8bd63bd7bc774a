//! The checker itself: what a real server did passes, and each kind of fault that is planted into it is found.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::chat::{ChatMessage, Phrase, Room};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, RefusalCode, UserId};
use quadrex_rules::Variant;
use quadrex_store::{Epoch, Logged};
use quadrex_tests::checker::{self, Command, Fault};
use quadrex_tests::contest::unhurried;
use quadrex_tests::ledger::{self, Noted, NotedAnswer};
use quadrex_tests::swarm::{Pace, Plan, Swarm, Told};
use quadrex_tests::{Database, Launch, Ledger};

/// One match of a real server, with what was noted and told of it.
struct Case {
    log: Vec<Logged>,
    noted: Vec<Noted>,
    told: Told,
}

impl Case {
    async fn play() -> Result<Self> {
        let launch = unhurried(Launch::new(&Database::Sqlite)?);
        let mut server = launch.start().await?;
        let path = launch.beside("ledger");
        let (ledger, writing) = Ledger::create(&path)?;
        let plan = Plan {
            address: server.address(),
            lines: server.address(),
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
        let noted = ledger::read(&path)?;
        let checked = checker::check_all(&launch, &noted, &played).await?;
        ensure!(checked.acknowledged >= 40 && checked.told == checked.events, "{checked:?}");
        let told = played.pop().and_then(|mut table| table.matches.drain(..).next()).context("one table")?;
        let store = checker::open(&launch).await?;
        let log = store.events(told.match_id, 0).await?;
        store.close().await;
        let noted = noted.into_iter().filter(|noted| noted.match_id == told.match_id).collect();
        Ok(Self { log, noted, told })
    }

    fn faults(&self, log: &[Logged], noted: &[Noted]) -> Vec<Fault> {
        checker::check(log, Some(noted), Some(&self.told)).1
    }

    /// The place in the log of the last acknowledged move.
    fn last_move(&self) -> Result<usize> {
        let place = self.log.iter().rposition(|row| matches!(row.event, Event::Moved { .. }));
        place.context("somebody moved")
    }
}

/// Somebody who sits, as events name them.
fn said_by(log: &[Logged], user: UserId) -> Result<UserView> {
    let sits = |row: &Logged| match &row.event {
        Event::Seated { user: seated, .. } if seated.id == user => Some(seated.clone()),
        _ => None,
    };
    log.iter().find_map(sits).context("somebody sits there")
}

fn command(row: &Logged) -> Result<Command> {
    Ok(Command { by: row.by.context("a user's")?, cmd: row.cmd.clone().context("a command's last")? })
}

#[tokio::test]
async fn every_kind_of_planted_fault_is_found() -> Result<()> {
    let case = Case::play().await?;
    let (log, noted) = (&case.log, &case.noted);
    ensure!(case.faults(log, noted).is_empty(), "{:?}", case.faults(log, noted));
    let last = case.last_move()?;
    let (seq, lost) = (log[last].seq, command(&log[last])?);

    // A loss: the log ends before what was acknowledged and told.
    let found = case.faults(&log[..last], noted);
    ensure!(found.contains(&Fault::Lost(lost.clone())), "{found:?}");
    let beyond = Fault::ToldBeyond { told: log.len() as u64, logged: last as u64 };
    ensure!(found.contains(&beyond), "{found:?}");

    // A gap: an event is missing in the middle.
    let mut gap = log.clone();
    gap.remove(last - 1);
    let found = case.faults(&gap, noted);
    ensure!(found.contains(&Fault::Gap { expected: seq - 1, found: seq }), "{found:?}");

    // A double: the same command once more.
    let mut double = log.clone();
    double.push(Logged { seq: log.len() as u64 + 1, ..log[last].clone() });
    let found = case.faults(&double, noted);
    ensure!(found.contains(&Fault::Doubled(lost.clone())), "{found:?}");
    ensure!(found.iter().any(|fault| matches!(fault, Fault::AgainstTheRules(_))), "{found:?}");

    // A fork: the log says something else happened than everybody was told and one was promised.
    let mut fork = log.clone();
    let at_another_moment = fork[last].at.as_millis() + 1;
    fork[last].at = quadrex_rules::Timestamp::from_millis(at_another_moment);
    let found = case.faults(&fork, noted);
    ensure!(found == [Fault::ToldOtherwise { seq }], "{found:?}");
    let Event::Moved { mv, .. } = &mut fork[last].event else { unreachable!("it is a move") };
    *mv = "a1a2".parse()?;
    let found = case.faults(&fork, noted);
    ensure!(found.contains(&Fault::OtherMove(lost.clone())), "{found:?}");

    // A clock that was set back.
    let mut back = log.clone();
    back[last].at = quadrex_rules::Timestamp::from_millis(log[last - 1].at.as_millis() - 1);
    let found = case.faults(&back, noted);
    ensure!(found.contains(&Fault::TimeFell { seq }), "{found:?}");

    // An owner from before writes once more.
    let mut epochs = log.clone();
    epochs[last - 1].epoch = Epoch(7);
    let found = case.faults(&epochs, noted);
    ensure!(found.contains(&Fault::EpochFell { seq }), "{found:?}");

    // An acknowledgement that names another number, and a refusal of what was done.
    let answer = |answer: NotedAnswer| -> Vec<Noted> {
        let change = |noted: &Noted| {
            let is_it = (noted.by, &noted.cmd) == (lost.by, &lost.cmd);
            Noted { answer: if is_it { answer.clone() } else { noted.answer.clone() }, ..noted.clone() }
        };
        noted.iter().map(change).collect()
    };
    let found = case.faults(log, &answer(NotedAnswer::Done { seq: seq - 1, mv: None }));
    let elsewhere = Fault::Elsewhere { command: lost.clone(), acknowledged: seq - 1, logged: seq };
    ensure!(found == [elsewhere], "{found:?}");
    let found = case.faults(log, &answer(NotedAnswer::Refused(RefusalCode::Stale)));
    ensure!(found == [Fault::Refused(lost.clone(), RefusalCode::Stale)], "{found:?}");

    // Of a fault of its own the server need not know what came of it, and that is counted.
    let unsure = answer(NotedAnswer::Refused(RefusalCode::Internal));
    let (checked, found) = checker::check(log, Some(&unsure), Some(&case.told));
    ensure!(found.is_empty() && checked.unsure == 1, "{checked:?}, {found:?}");

    // An event that no command accounts for, at the end or in the midst, whatever it is; also of a match of which
    // nothing was noted, as around a rematch.
    let unsent = Command { by: lost.by, cmd: "unsent".parse()? };
    let said = Event::MessageSent {
        user: said_by(log, lost.by)?,
        color: None,
        room: Room::Bystanders,
        message: ChatMessage::Phrase(Phrase::Hello),
    };
    for at in [last, log.len()] {
        let mut more = log.clone();
        let row = Logged { cmd: Some(unsent.cmd.clone()), event: said.clone(), ..log[at - 1].clone() };
        more.insert(at, Logged { by: Some(unsent.by), ..row });
        (1..).zip(&mut more).for_each(|(seq, row)| row.seq = seq);
        let found = checker::check(&more, Some(noted), None).1;
        ensure!(found.contains(&Fault::Unanswered(unsent.clone())), "{found:?}");
    }
    let found = checker::check(log, Some(&[]), None).1;
    ensure!(found.contains(&Fault::Unanswered(lost.clone())), "{found:?}");

    // The same without a command's name, before a row of the server's own, before another user's, and at the end.
    for at in 1..=log.len() {
        if log.get(at).is_some_and(|next| next.by == Some(unsent.by)) || log[at - 1].cmd.is_none() {
            continue;
        }
        let mut more = log.clone();
        let row = Logged { cmd: None, event: said.clone(), ..log[at - 1].clone() };
        more.insert(at, Logged { by: Some(unsent.by), ..row });
        (1..).zip(&mut more).for_each(|(seq, row)| row.seq = seq);
        let found = checker::check(&more, Some(noted), None).1;
        ensure!(found.contains(&Fault::Unaccounted { seq: at as u64 + 1 }), "at {at}: {found:?}");
    }
    ensure!(checker::check(log, None, None).1.is_empty(), "without a ledger nobody is to account for it");

    // A command that is noted for another match than the one whose log has it.
    let elsewhere: Vec<Noted> = noted.iter().filter(|noted| noted.cmd != lost.cmd).cloned().collect();
    let found = case.faults(log, &elsewhere);
    ensure!(found == [Fault::Unanswered(lost.clone())], "{found:?}");

    // A move that nobody was ever answered.
    let silent: Vec<Noted> =
        noted.iter().filter(|noted| (noted.by, &noted.cmd) != (lost.by, &lost.cmd)).cloned().collect();
    let found = case.faults(log, &silent);
    ensure!(found == [Fault::Unanswered(lost)], "{found:?}");
    Ok(())
}
