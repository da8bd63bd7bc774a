//! A comparison of all answers and events with the log at the end: nothing acknowledged is lost,
//! doubled or reordered, nothing refused is in the log, and everybody saw the same.

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

/// Amount of data that was checked, so that finding nothing does not mean checking nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Logs.
    pub matches: u64,
    /// Their rows.
    pub events: u64,
    /// Acknowledgements that stand in them.
    pub acknowledged: u64,
    /// Refusals that left no trace.
    pub refused: u64,
    /// Faults of the server's own, received as such, whose commands stand in them all the same: the server may not know.
    pub unsure: u64,
    /// Events that say that somebody's time is over.
    pub flags: u64,
    /// Events that somebody received, and that the log contains in the same form.
    pub received: u64,
}

/// One thing that must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// A number is missing or there twice.
    Gap {
        /// The number that should have come.
        expected: u64,
        /// The number that came.
        found: u64,
    },
    /// An earlier owner wrote after a later one.
    EpochFell {
        /// Number of the event.
        seq: u64,
    },
    /// An event happened before the one before it.
    TimeFell {
        /// Number of the event.
        seq: u64,
    },
    /// The rules do not allow the log.
    AgainstTheRules(String),
    /// An acknowledged command is not in the log.
    Lost(Command),
    /// A command is in the log more than once.
    Doubled(Command),
    /// An acknowledged command ends at another number than its acknowledgement said.
    Elsewhere {
        /// The command.
        command: Command,
        /// As acknowledged.
        acknowledged: u64,
        /// As logged.
        logged: u64,
    },
    /// An acknowledged move is not among the events of its command.
    OtherMove(Command),
    /// A command stands in the log that nobody sent, or whose sender was never answered though it asked until it was.
    Unanswered(Command),
    /// An event of a user that no row with a command's name ends: no command accounts for it.
    Unaccounted {
        /// Its number.
        seq: u64,
    },
    /// A command stands in the log though it was refused.
    Refused(Command, RefusalCode),
    /// An event was received in another form than it is logged.
    PublishedOtherwise {
        /// Its number.
        seq: u64,
    },
    /// Events were received that are not in the log.
    PublishedBeyond {
        /// The last number that was received.
        received: u64,
        /// The last number in the log.
        logged: u64,
    },
    /// Two connections received different events, or something the rules do not allow.
    Contradiction(String),
}

/// A command: whose, and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Command {
    /// The user.
    pub by: UserId,
    /// Its name.
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
            Self::EpochFell { seq } => write!(f, "event {seq} was written by an owner before the last"),
            Self::TimeFell { seq } => write!(f, "event {seq} happened before the one before it"),
            Self::AgainstTheRules(why) => write!(f, "the rules do not allow it: {why}"),
            Self::Lost(command) => write!(f, "{command} was acknowledged and is lost"),
            Self::Doubled(command) => write!(f, "{command} is there more than once"),
            Self::Elsewhere { command, acknowledged, logged } => {
                write!(f, "{command} was acknowledged as {acknowledged} and ends at {logged}")
            }
            Self::OtherMove(command) => write!(f, "{command} was acknowledged with another move"),
            Self::Unanswered(command) => write!(f, "{command} is there and was never acknowledged"),
            Self::Unaccounted { seq } => write!(f, "event {seq} belongs to no command"),
            Self::Refused(command, code) => write!(f, "{command} was refused as {code:?} and is there"),
            Self::PublishedOtherwise { seq } => {
                write!(f, "event {seq} was received otherwise than it is logged")
            }
            Self::PublishedBeyond { received, logged } => {
                write!(f, "events were received up to {received} and the log ends at {logged}")
            }
            Self::Contradiction(what) => write!(f, "received: {what}"),
        }
    }
}

/// Compares the log of a match with its ledger and the received events. With a ledger, everything in the log after the
/// match has begun must be accounted for by it.
pub fn check(
    log: &[LoggedEvent],
    entries: Option<&[LedgerEntry]>,
    received: Option<&ReceivedLog>,
) -> (Checked, Vec<Violation>) {
    let mut violations = Vec::new();
    check_log(log, &mut violations);
    let answers = check_answers(log, entries, &mut violations);
    let received = received.map_or(0, |received| check_received(log, received, &mut violations));
    let flags = log.iter().filter(|row| is_flag(&row.event)).count() as u64;
    (Checked { matches: 1, events: log.len() as u64, received, flags, ..answers }, violations)
}

/// The log by itself: numbers, epochs, and the rules.
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
            violations.push(Violation::EpochFell { seq: row.seq });
        }
        newest = newest.max(row.epoch);
    }
    if let Some(pair) = log.windows(2).find(|pair| pair[1].at < pair[0].at) {
        violations.push(Violation::TimeFell { seq: pair[1].seq });
    }
    let mut referee = Referee::default();
    for row in log {
        if let Err(error) = referee.observe(row.seq, row.at.as_millis(), &row.event) {
            violations.push(Violation::AgainstTheRules(format!("{error:#}")));
            return;
        }
    }
    if !referee.is_settled() {
        violations.push(Violation::AgainstTheRules("the log ends amid a command".to_owned()));
    }
}

/// The events of each command, by the number of its last; a command's events end with the row that has its name.
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

/// Returns the numbers of events that a user caused and that belong to no command: neither they nor a later row of the same
/// user, with nothing of others between, have a command's name.
fn unaccounted(log: &[LoggedEvent]) -> Vec<u64> {
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

/// Checks the log against the answers; it may contain anything that was not answered.
fn check_answers(
    log: &[LoggedEvent],
    entries: Option<&[LedgerEntry]>,
    violations: &mut Vec<Violation>,
) -> Checked {
    let commands = commands(log);
    for (command, places) in &commands {
        if places.len() > 1 {
            violations.push(Violation::Doubled(command.clone()));
        }
    }
    let mut checked = Checked::default();
    let Some(entries) = entries else { return checked };
    for LedgerEntry { by, command_id, answer, .. } in entries {
        let command = Command { by: *by, command_id: command_id.clone() };
        let place = commands.get(&command).and_then(|places| places.first());
        match (answer, place) {
            (RecordedAnswer::Refused(_), None) => checked.refused += 1,
            (RecordedAnswer::Refused(RefusalCode::Internal), Some(_)) => checked.unsure += 1,
            (RecordedAnswer::Refused(code), Some(_)) => violations.push(Violation::Refused(command, *code)),
            (RecordedAnswer::Done { .. }, None) => violations.push(Violation::Lost(command)),
            (RecordedAnswer::Done { seq, .. }, Some((logged, _))) if seq != logged => {
                violations.push(Violation::Elsewhere { command, acknowledged: *seq, logged: *logged });
            }
            (RecordedAnswer::Done { mv: Some(mv), .. }, Some((_, events))) if !has_move(events, *mv) => {
                violations.push(Violation::OtherMove(command));
            }
            (RecordedAnswer::Done { .. }, Some(_)) => checked.acknowledged += 1,
        }
    }
    violations.extend(unaccounted(log).into_iter().map(|seq| Violation::Unaccounted { seq }));
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

/// Returns whether an event belongs to seating, which happens before answers are recorded.
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
        violations.push(Violation::PublishedBeyond { received: received.head(), logged: log.len() as u64 });
    }
    let otherwise = log
        .iter()
        .zip(received.digests())
        .find(|(row, digest)| digest_of(row.at.as_millis(), &row.event) != **digest);
    if let Some((row, _)) = otherwise {
        violations.push(Violation::PublishedOtherwise { seq: row.seq });
    }
    received.head().min(log.len() as u64)
}

/// Holds the database of a server that has stopped against all that was entries and received.
///
/// # Errors
/// Names every fault, when there is one; or if a log cannot be read.
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
        let (checked, found) = check(&log, has_ledger.then_some(entries.as_slice()), received);
        sum = sum.plus(checked);
        violations.extend(found.into_iter().map(|fault| format!("{match_id}: {fault}")));
    }
    store.close().await;
    ensure!(violations.is_empty(), "{} violations:\n{}", violations.len(), violations.join("\n"));
    Ok(sum)
}

/// The database of a server that has stopped.
///
/// # Errors
/// If it cannot be opened.
pub async fn open(launch: &Launch) -> Result<Store> {
    Store::connect(&launch.location()?, 1).await.context("opening the database")
}

impl Checked {
    fn plus(self, other: Self) -> Self {
        Self {
            matches: self.matches + other.matches,
            events: self.events + other.events,
            acknowledged: self.acknowledged + other.acknowledged,
            refused: self.refused + other.refused,
            unsure: self.unsure + other.unsure,
            flags: self.flags + other.flags,
            received: self.received + other.received,
        }
    }
}
