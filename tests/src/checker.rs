//! What was promised and told, held against the log in the end: nothing that was acknowledged is lost, doubled or
//! reordered, nothing that was refused is there, and everybody saw the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::{CmdId, Event, MatchId, RefusalCode, UserId};
use quadrex_rules::{Cause, Move, Reason};
use quadrex_store::{Epoch, Logged, Store};

use crate::ledger::{Noted, NotedAnswer};
use crate::referee::Referee;
use crate::server::Launch;
use crate::swarm::{Played, Told, digest_of};

/// How much was checked, so that nothing found does not mean nothing looked at.
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
    /// Faults of the server's own, told as such, whose commands stand in them all the same: the server may not know.
    pub unsure: u64,
    /// Events that say that somebody's time is over.
    pub flags: u64,
    /// Events that somebody was told, and that stand in them as told.
    pub told: u64,
}

/// One thing that must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A number is missing or there twice.
    Gap {
        /// The number that should have come.
        expected: u64,
        /// The number that came.
        found: u64,
    },
    /// An earlier owner wrote after a later one.
    EpochFell {
        /// Where.
        seq: u64,
    },
    /// An event happened before the one before it.
    TimeFell {
        /// Where.
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
        /// Which.
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
    /// An event was told otherwise than it is logged.
    ToldOtherwise {
        /// Its number.
        seq: u64,
    },
    /// Events were told that are not in the log.
    ToldBeyond {
        /// The last number that was told.
        told: u64,
        /// The last number in the log.
        logged: u64,
    },
    /// Two lines were told different things, or something the rules do not allow.
    Contradiction(String),
}

/// A command: whose, and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Command {
    /// Whose.
    pub by: UserId,
    /// Its name.
    pub cmd: CmdId,
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.cmd, self.by)
    }
}

impl fmt::Display for Fault {
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
            Self::ToldOtherwise { seq } => write!(f, "event {seq} was told otherwise than it is logged"),
            Self::ToldBeyond { told, logged } => {
                write!(f, "events were told up to {told} and the log ends at {logged}")
            }
            Self::Contradiction(what) => write!(f, "told: {what}"),
        }
    }
}

/// Holds the log of a match against what was noted and told of it. With a ledger, all that stands in the log after the
/// match has begun must be accounted for by it.
pub fn check(log: &[Logged], noted: Option<&[Noted]>, told: Option<&Told>) -> (Checked, Vec<Fault>) {
    let mut faults = Vec::new();
    check_log(log, &mut faults);
    let answers = check_answers(log, noted, &mut faults);
    let told = told.map_or(0, |told| check_told(log, told, &mut faults));
    let flags = log.iter().filter(|row| is_flag(&row.event)).count() as u64;
    (Checked { matches: 1, events: log.len() as u64, told, flags, ..answers }, faults)
}

/// The log by itself: numbers, epochs, and the rules.
fn check_log(log: &[Logged], faults: &mut Vec<Fault>) {
    for (expected, row) in (1..).zip(log) {
        if row.seq != expected {
            faults.push(Fault::Gap { expected, found: row.seq });
            break;
        }
    }
    let mut newest = Epoch::FIRST;
    for row in log {
        if row.epoch < newest {
            faults.push(Fault::EpochFell { seq: row.seq });
        }
        newest = newest.max(row.epoch);
    }
    if let Some(pair) = log.windows(2).find(|pair| pair[1].at < pair[0].at) {
        faults.push(Fault::TimeFell { seq: pair[1].seq });
    }
    let mut referee = Referee::default();
    for row in log {
        if let Err(error) = referee.observe(row.seq, row.at.as_millis(), &row.event) {
            faults.push(Fault::AgainstTheRules(format!("{error:#}")));
            return;
        }
    }
    if !referee.is_settled() {
        faults.push(Fault::AgainstTheRules("the log ends amid a command".to_owned()));
    }
}

/// The events of each command, by the number of its last; a command's events end with the row that has its name.
fn commands(log: &[Logged]) -> BTreeMap<Command, Vec<(u64, &[Logged])>> {
    let mut commands: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let mut begin = 0;
    for (index, row) in log.iter().enumerate() {
        if let (Some(by), Some(cmd)) = (row.by, &row.cmd) {
            let events = &log[begin..=index];
            commands.entry(Command { by, cmd: cmd.clone() }).or_default().push((row.seq, events));
            begin = index + 1;
        } else if row.by.is_none() {
            begin = index + 1;
        }
    }
    commands
}

/// Returns the numbers of events that a user caused and that belong to no command: neither they nor a later row of the same
/// user, with nothing of others between, have a command's name.
fn unaccounted(log: &[Logged]) -> Vec<u64> {
    let mut found = Vec::new();
    let mut open: Vec<&Logged> = Vec::new();
    for row in log {
        if open.last().is_some_and(|before| before.by != row.by) {
            found.append(&mut open);
        }
        match (row.by, &row.cmd) {
            (Some(_), Some(_)) => open.clear(),
            (Some(_), None) => open.push(row),
            (None, _) => {}
        }
    }
    found.append(&mut open);
    found.into_iter().filter(|row| !is_seating(&row.event)).map(|row| row.seq).collect()
}

/// What was answered; all else is left open.
fn check_answers(log: &[Logged], noted: Option<&[Noted]>, faults: &mut Vec<Fault>) -> Checked {
    let commands = commands(log);
    for (command, places) in &commands {
        if places.len() > 1 {
            faults.push(Fault::Doubled(command.clone()));
        }
    }
    let mut checked = Checked::default();
    let Some(noted) = noted else { return checked };
    for Noted { by, cmd, answer, .. } in noted {
        let command = Command { by: *by, cmd: cmd.clone() };
        let place = commands.get(&command).and_then(|places| places.first());
        match (answer, place) {
            (NotedAnswer::Refused(_), None) => checked.refused += 1,
            (NotedAnswer::Refused(RefusalCode::Internal), Some(_)) => checked.unsure += 1,
            (NotedAnswer::Refused(code), Some(_)) => faults.push(Fault::Refused(command, *code)),
            (NotedAnswer::Done { .. }, None) => faults.push(Fault::Lost(command)),
            (NotedAnswer::Done { seq, .. }, Some((logged, _))) if seq != logged => {
                faults.push(Fault::Elsewhere { command, acknowledged: *seq, logged: *logged });
            }
            (NotedAnswer::Done { mv: Some(mv), .. }, Some((_, events))) if !has_move(events, *mv) => {
                faults.push(Fault::OtherMove(command));
            }
            (NotedAnswer::Done { .. }, Some(_)) => checked.acknowledged += 1,
        }
    }
    faults.extend(unaccounted(log).into_iter().map(|seq| Fault::Unaccounted { seq }));
    let known: BTreeSet<(UserId, &CmdId)> = noted.iter().map(|noted| (noted.by, &noted.cmd)).collect();
    for (command, places) in &commands {
        let is_of_match = places.iter().any(|(_, events)| events.iter().any(|row| !is_seating(&row.event)));
        if is_of_match && !known.contains(&(command.by, &command.cmd)) {
            faults.push(Fault::Unanswered(command.clone()));
        }
    }
    checked
}

fn has_move(events: &[Logged], made: Move) -> bool {
    events.iter().any(|row| matches!(&row.event, Event::Moved { mv, .. } if *mv == made))
}

/// Whether it belongs to how people come to sit, which is done before anything is noted.
fn is_seating(event: &Event) -> bool {
    matches!(
        event,
        Event::Opened { .. } | Event::Seated { .. } | Event::Vacated { .. } | Event::Started { .. }
    )
}

fn is_flag(event: &Event) -> bool {
    matches!(event, Event::Eliminated { cause: Cause::Time, .. } | Event::Ended { reason: Reason::Time, .. })
}

fn check_told(log: &[Logged], told: &Told, faults: &mut Vec<Fault>) -> u64 {
    faults.extend(told.contradictions().iter().cloned().map(Fault::Contradiction));
    if told.head() > log.len() as u64 {
        faults.push(Fault::ToldBeyond { told: told.head(), logged: log.len() as u64 });
    }
    let otherwise = log
        .iter()
        .zip(told.digests())
        .find(|(row, digest)| digest_of(row.at.as_millis(), &row.event) != **digest);
    if let Some((row, _)) = otherwise {
        faults.push(Fault::ToldOtherwise { seq: row.seq });
    }
    told.head().min(log.len() as u64)
}

/// Holds the database of a server that has stopped against all that was noted and told.
///
/// # Errors
/// Names every fault, when there is one; or when a log cannot be read.
pub async fn check_all(launch: &Launch, noted: &[Noted], played: &[Played]) -> Result<Checked> {
    let mut by_match: BTreeMap<MatchId, (Vec<Noted>, Option<&Told>)> = BTreeMap::new();
    for noted in noted {
        by_match.entry(noted.match_id).or_default().0.push(noted.clone());
    }
    for told in played.iter().flat_map(|table| &table.matches) {
        by_match.entry(told.match_id).or_default().1 = Some(told);
    }
    let mut faults: Vec<String> = played.iter().flat_map(|table| table.wrong.clone()).collect();
    let mut sum = Checked::default();
    let has_ledger = !noted.is_empty();
    let store = open(launch).await?;
    for (match_id, (noted, told)) in by_match {
        let log =
            store.events(match_id, 0).await.with_context(|| format!("reading the log of {match_id}"))?;
        let (checked, found) = check(&log, has_ledger.then_some(noted.as_slice()), told);
        sum = sum.plus(checked);
        faults.extend(found.into_iter().map(|fault| format!("{match_id}: {fault}")));
    }
    store.close().await;
    ensure!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    Ok(sum)
}

/// The database of a server that has stopped.
///
/// # Errors
/// When it cannot be opened.
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
            told: self.told + other.told,
        }
    }
}
