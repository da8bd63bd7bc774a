//! Comparison of all answers and received events with the logs at the end of a run. It detects
//! acknowledged commands that are lost, doubled or reordered, refused commands that are in a log,
//! and connections that received different events.

mod seat_holders;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::{CommandId, Event, MatchId, RefusalCode, UserId};
use quadrex_rules::{Cause, Move, Reason};
use quadrex_store::{Epoch, LoggedEvent, Store};

use crate::ledger::{LedgerEntry, RecordedAnswer};
use crate::referee::Referee;
use crate::server::Launch;
use crate::swarm::{Played, ReceivedLog, digest_of};

pub use seat_holders::check_seat_holders;

/// The amount of data that was checked. A check without violations proves nothing if this is small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// The number of logs.
    pub matches: u64,
    /// The number of events in the logs.
    pub events: u64,
    /// The number of acknowledged commands that were found in the logs.
    pub acknowledged: u64,
    /// The number of refused commands that are in no log.
    pub refused: u64,
    /// The number of commands that were answered with an internal error but are in a log. This is
    /// allowed, because the server may not know the outcome.
    pub faulted_but_logged: u64,
    /// The number of events that end a match or eliminate a player because of time.
    pub flags: u64,
    /// The number of received events that are equal to the logged ones.
    pub received: u64,
    /// The number of events by which matches passed into a rematch and which no connection
    /// received. This is allowed, because connections that break at this moment resume in the next
    /// match.
    pub superseded: u64,
}

/// A violation of a guarantee of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// A sequence number is missing or occurs twice.
    Gap {
        /// The expected number.
        expected: u64,
        /// The number that was found instead.
        found: u64,
    },
    /// An event has a lower epoch than the event before it, so an earlier owner wrote after a later
    /// one.
    EpochDecreased {
        /// The number of the event.
        seq: u64,
    },
    /// An event has an earlier time than the event before it.
    TimeDecreased {
        /// The number of the event.
        seq: u64,
    },
    /// The rules do not allow the events of the log.
    IllegalEvents(String),
    /// An acknowledged command is not in the log.
    Lost(Command),
    /// A command is in the log more than once.
    DuplicateCommand(Command),
    /// An acknowledged command has another last event than the acknowledgement states.
    WrongSeq {
        /// The command.
        command: Command,
        /// The number of the last event in the acknowledgement.
        acknowledged: u64,
        /// The number of the last event in the log.
        logged: u64,
    },
    /// The events of an acknowledged move command do not contain the move.
    MissingMove(Command),
    /// A command is in the log, but it was never sent, or it has no answer in the ledger.
    Unanswered(Command),
    /// A user's event belongs to no command, because no later row of the command has the command's
    /// id.
    EventWithoutCommand {
        /// The number of the event.
        seq: u64,
    },
    /// A refused command is in the log.
    Refused(Command, RefusalCode),
    /// An event was received with a content that differs from the logged one.
    ReceivedDifferently {
        /// The number of the event.
        seq: u64,
    },
    /// Events were received whose numbers are greater than the last one of the log.
    ReceivedBeyondLog {
        /// The greatest number that was received.
        received: u64,
        /// The greatest number in the log.
        logged: u64,
    },
    /// The stored seat holders of a match are not those that follow from its log.
    SeatHolders {
        /// The seat holders that follow from the log.
        expected: String,
        /// The stored seat holders.
        stored: String,
    },
    /// Two connections received different events, or events that the rules do not allow.
    Contradiction(String),
}

/// A command, identified by its user and id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Command {
    /// The user who sent the command.
    pub by: UserId,
    /// The command's id.
    pub command_id: CommandId,
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.command_id, self.by)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gap { expected, found } => write!(f, "event {found} stands where {expected} should"),
            Self::EpochDecreased { seq } => write!(f, "event {seq} was written by an owner before the last"),
            Self::TimeDecreased { seq } => write!(f, "event {seq} happened before the one before it"),
            Self::IllegalEvents(why) => write!(f, "the rules do not allow it: {why}"),
            Self::Lost(command) => write!(f, "{command} was acknowledged and is lost"),
            Self::DuplicateCommand(command) => write!(f, "{command} is there more than once"),
            Self::WrongSeq { command, acknowledged, logged } => {
                write!(f, "{command} was acknowledged as {acknowledged} and ends at {logged}")
            }
            Self::MissingMove(command) => write!(f, "{command} was acknowledged with another move"),
            Self::Unanswered(command) => write!(f, "{command} is there and was never acknowledged"),
            Self::EventWithoutCommand { seq } => write!(f, "event {seq} belongs to no command"),
            Self::Refused(command, code) => write!(f, "{command} was refused as {code:?} and is there"),
            Self::ReceivedDifferently { seq } => {
                write!(f, "event {seq} was received otherwise than it is logged")
            }
            Self::ReceivedBeyondLog { received, logged } => {
                write!(f, "events were received up to {received} and the log ends at {logged}")
            }
            Self::SeatHolders { expected, stored } => {
                write!(f, "the seat holders are {stored}, they should be {expected}")
            }
            Self::Contradiction(what) => write!(f, "received: {what}"),
        }
    }
}

/// Compares the log of a match with the recorded answers and the received events. If there are
/// recorded answers, they must account for every event after the start of the match.
pub fn check(
    log: &[LoggedEvent],
    entries: Option<&[LedgerEntry]>,
    received: Option<&ReceivedLog>,
) -> (Checked, Vec<Violation>) {
    let mut violations = Vec::new();
    check_log(log, &mut violations);
    let answers = check_answers(log, entries, &mut violations);
    let superseded = received.map_or(0, |received| superseded_events(log, received));
    let received = received.map_or(0, |received| check_received(log, received, &mut violations));
    let flags = log.iter().filter(|row| is_flag(&row.event)).count() as u64;
    (Checked { matches: 1, events: log.len() as u64, received, superseded, flags, ..answers }, violations)
}

/// Checks the log alone: numbers, epochs, times and rules.
fn check_log(log: &[LoggedEvent], violations: &mut Vec<Violation>) {
    for (expected, row) in (1..).zip(log) {
        if row.seq != expected {
            violations.push(Violation::Gap { expected, found: row.seq });
            break;
        }
    }
    let mut newest = Epoch::FIRST;
    for row in log {
        if row.epoch < newest {
            violations.push(Violation::EpochDecreased { seq: row.seq });
        }
        newest = newest.max(row.epoch);
    }
    if let Some(pair) = log.windows(2).find(|pair| pair[1].at < pair[0].at) {
        violations.push(Violation::TimeDecreased { seq: pair[1].seq });
    }
    let mut referee = Referee::default();
    for row in log {
        if let Err(error) = referee.observe(row.seq, row.at.as_millis(), &row.event) {
            violations.push(Violation::IllegalEvents(format!("{error:#}")));
            return;
        }
    }
    if !referee.is_settled() {
        violations.push(Violation::IllegalEvents("the log ends amid a command".to_owned()));
    }
}

/// Returns the events of each command with the number of the last one. The last event of a command
/// has the command's id.
fn commands(log: &[LoggedEvent]) -> BTreeMap<Command, Vec<(u64, &[LoggedEvent])>> {
    let mut commands: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let mut begin = 0;
    for (index, row) in log.iter().enumerate() {
        if let (Some(by), Some(command_id)) = (row.by, &row.command_id) {
            let events = &log[begin..=index];
            commands
                .entry(Command { by, command_id: command_id.clone() })
                .or_default()
                .push((row.seq, events));
            begin = index + 1;
        } else if row.by.is_none() {
            begin = index + 1;
        }
    }
    commands
}

/// Returns the numbers of events that a user caused and that belong to no command.
fn events_without_command(log: &[LoggedEvent]) -> Vec<u64> {
    let mut found = Vec::new();
    let mut open: Vec<&LoggedEvent> = Vec::new();
    for row in log {
        if open.last().is_some_and(|before| before.by != row.by) {
            found.append(&mut open);
        }
        match (row.by, &row.command_id) {
            (Some(_), Some(_)) => open.clear(),
            (Some(_), None) => open.push(row),
            (None, _) => {}
        }
    }
    found.append(&mut open);
    found.into_iter().filter(|row| !is_seating(&row.event)).map(|row| row.seq).collect()
}

/// Compares the log with the recorded answers.
fn check_answers(
    log: &[LoggedEvent],
    entries: Option<&[LedgerEntry]>,
    violations: &mut Vec<Violation>,
) -> Checked {
    let commands = commands(log);
    for (command, places) in &commands {
        if places.len() > 1 {
            violations.push(Violation::DuplicateCommand(command.clone()));
        }
    }
    let mut checked = Checked::default();
    let Some(entries) = entries else { return checked };
    for LedgerEntry { by, command_id, answer, .. } in entries {
        let command = Command { by: *by, command_id: command_id.clone() };
        let place = commands.get(&command).and_then(|places| places.first());
        match (answer, place) {
            (RecordedAnswer::Refused(_), None) => checked.refused += 1,
            (RecordedAnswer::Refused(RefusalCode::Internal), Some(_)) => checked.faulted_but_logged += 1,
            (RecordedAnswer::Refused(code), Some(_)) => violations.push(Violation::Refused(command, *code)),
            (RecordedAnswer::Done { .. }, None) => violations.push(Violation::Lost(command)),
            (RecordedAnswer::Done { seq, .. }, Some((logged, _))) if seq != logged => {
                violations.push(Violation::WrongSeq { command, acknowledged: *seq, logged: *logged });
            }
            (RecordedAnswer::Done { mv: Some(mv), .. }, Some((_, events))) if !has_move(events, *mv) => {
                violations.push(Violation::MissingMove(command));
            }
            (RecordedAnswer::Done { .. }, Some(_)) => checked.acknowledged += 1,
        }
    }
    violations
        .extend(events_without_command(log).into_iter().map(|seq| Violation::EventWithoutCommand { seq }));
    let known: BTreeSet<(UserId, &CommandId)> =
        entries.iter().map(|entries| (entries.by, &entries.command_id)).collect();
    for (command, places) in &commands {
        let is_of_match = places.iter().any(|(_, events)| events.iter().any(|row| !is_seating(&row.event)));
        if is_of_match && !known.contains(&(command.by, &command.command_id)) {
            violations.push(Violation::Unanswered(command.clone()));
        }
    }
    checked
}

fn has_move(events: &[LoggedEvent], made: Move) -> bool {
    events.iter().any(|row| matches!(&row.event, Event::Moved { mv, .. } if *mv == made))
}

/// Returns true if an event belongs to seating, which happens before answers are recorded.
fn is_seating(event: &Event) -> bool {
    matches!(
        event,
        Event::Opened { .. } | Event::Seated { .. } | Event::Vacated { .. } | Event::Started { .. }
    )
}

fn is_flag(event: &Event) -> bool {
    matches!(event, Event::Eliminated { cause: Cause::Time, .. } | Event::Ended { reason: Reason::Time, .. })
}

fn check_received(log: &[LoggedEvent], received: &ReceivedLog, violations: &mut Vec<Violation>) -> u64 {
    violations.extend(received.contradictions().iter().cloned().map(Violation::Contradiction));
    if received.head() > log.len() as u64 {
        violations.push(Violation::ReceivedBeyondLog { received: received.head(), logged: log.len() as u64 });
    }
    let otherwise = log
        .iter()
        .zip(received.digests())
        .find(|(row, digest)| digest_of(row.at.as_millis(), &row.event) != **digest);
    if let Some((row, _)) = otherwise {
        violations.push(Violation::ReceivedDifferently { seq: row.seq });
    }
    // A test may allow such events. If it does not, its output names them.
    for row in log.iter().skip(usize::try_from(received.head()).unwrap_or(usize::MAX)) {
        eprintln!("nobody received event {} at {} ms: {:?}", row.seq, row.at.as_millis(), row.event);
    }
    received.head().min(log.len() as u64)
}

/// Returns the number of events that no connection received, if they are the last player's
/// agreement to a rematch and the start of the next match. Otherwise returns 0.
fn superseded_events(log: &[LoggedEvent], received: &ReceivedLog) -> u64 {
    match log.get(usize::try_from(received.head()).unwrap_or(usize::MAX)..) {
        Some([agreed, rematched])
            if matches!(agreed.event, Event::RematchAgreed { .. })
                && matches!(rematched.event, Event::Rematched { .. }) =>
        {
            2
        }
        _ => 0,
    }
}

/// Compares the database of a stopped server with all recorded answers and received events.
///
/// # Errors
/// If there are violations, which are listed, or if a log cannot be read.
pub async fn check_all(launch: &Launch, entries: &[LedgerEntry], played: &[Played]) -> Result<Checked> {
    let mut by_match: BTreeMap<MatchId, (Vec<LedgerEntry>, Option<&ReceivedLog>)> = BTreeMap::new();
    for entries in entries {
        by_match.entry(entries.match_id).or_default().0.push(entries.clone());
    }
    for received in played.iter().flat_map(|table| &table.matches) {
        by_match.entry(received.match_id).or_default().1 = Some(received);
    }
    let mut violations: Vec<String> = played.iter().flat_map(|table| table.wrong.clone()).collect();
    let mut sum = Checked::default();
    let has_ledger = !entries.is_empty();
    let store = open(launch).await?;
    for (match_id, (entries, received)) in by_match {
        let log =
            store.events(match_id, 0).await.with_context(|| format!("reading the log of {match_id}"))?;
        let (checked, mut found) = check(&log, has_ledger.then_some(entries.as_slice()), received);
        sum = sum.add(checked);
        found.extend(check_seat_holders(&log, &store.seat_holders(match_id).await?));
        violations.extend(found.into_iter().map(|fault| format!("{match_id}: {fault}")));
    }
    store.close().await;
    ensure!(violations.is_empty(), "{} violations:\n{}", violations.len(), violations.join("\n"));
    Ok(sum)
}

/// Opens the database of a stopped server.
///
/// # Errors
/// If the database cannot be opened.
pub async fn open(launch: &Launch) -> Result<Store> {
    Store::connect(&launch.location()?, 1).await.context("opening the database")
}

impl Checked {
    fn add(self, other: Self) -> Self {
        Self {
            matches: self.matches + other.matches,
            events: self.events + other.events,
            acknowledged: self.acknowledged + other.acknowledged,
            refused: self.refused + other.refused,
            faulted_but_logged: self.faulted_but_logged + other.faulted_but_logged,
            flags: self.flags + other.flags,
            received: self.received + other.received,
            superseded: self.superseded + other.superseded,
        }
    }
}
