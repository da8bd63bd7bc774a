//! The auditor: an independent model that accepts or rejects everything that clients observe.

mod archive;
mod attendance;
mod banks;
mod conditional_moves;
mod delays;
mod lists;
mod outline;
mod ownership;
mod privacy;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod stored;
#[cfg(test)]
mod tests;
mod time;
mod vacations;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use quadrex_protocol::view::Entry;
use quadrex_protocol::{ClientFrame, CommandId, Event, MatchId, RefusalCode, TableId, UserId};
use quadrex_rules::{Move, Timestamp};
use quadrex_store::{LoggedEvent, NodeId, Store};
use quadrex_tests::checker::{self, Violation};
use quadrex_tests::ledger::{LedgerEntry, RecordedAnswer};
use serde::{Deserialize, Serialize};

use crate::database_faults::DatabaseFaults;
use crate::server_time::{ProcessNumber, ServerTime};
use crate::trace::{Trace, virtual_now};
use attendance::{AttendanceTimes, Attendances, Connections};
use banks::{BankCheck, Growth};
use conditional_moves::ConditionalMoves;
use delays::Delays;
use lists::ClientLists;
use outline::{Outline, TableLogs};
use ownership::SeenHeads;
pub(crate) use ownership::unowned;
use privacy::Privacy;
use time::Outages;
use tokio::time::Instant;
use vacations::Vacations;

pub(crate) use attendance::Attendance;
pub(crate) use banks::LeastBanks;
pub(crate) use lists::ListMirror;
pub(crate) use vacations::VacationChange;

/// The largest number of violations that are kept.
const KEPT: usize = 20;

/// The answer to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The command was accepted in this match; with the number of its last event.
    Ack(MatchId, u64),
    /// The command was refused.
    Refused(Option<MatchId>, RefusalCode),
}

impl Answer {
    /// Returns whether the command has been decided. After other refusals, it must be sent again.
    pub(crate) fn is_final(self) -> bool {
        !matches!(
            self,
            Self::Refused(_, RefusalCode::Internal | RefusalCode::RateLimited | RefusalCode::Closing)
        )
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ack(match_id, seq) => write!(f, "accepted with event {seq} of {match_id}"),
            Self::Refused(_, code) => write!(f, "refused: {code:?}"),
        }
    }
}

/// The servers whose outages are those of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Service {
    /// The only server.
    OneServer,
    /// The owner of the match at the time, one of several servers.
    Owner,
}

/// The auditor of a simulation. Clones are the same auditor.
#[derive(Clone, Debug)]
pub(crate) struct Auditor(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    trace: Trace,
    /// The record of what is committed.
    commits: Arc<DatabaseFaults>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    violations: Vec<String>,
    /// The events that clients have received, by match and number, with their digests.
    received: BTreeMap<(MatchId, u64), u64>,
    /// The commands that have been sent.
    sent: BTreeMap<(UserId, CommandId), Option<Move>>,
    /// The commands that have been sent more than once.
    repeated: BTreeSet<(UserId, CommandId)>,
    /// True if a command may reach its match twice although it was sent once.
    may_double: bool,
    /// The final answers to commands.
    answers: BTreeMap<(UserId, CommandId), Answer>,
    privacy: Privacy,
    /// The lists of the connected clients, by the names of the clients.
    lists: BTreeMap<String, ClientLists>,
    attendances: Attendances,
    /// The moment until which players may be taken for away because servers did not reach each other.
    separated_until: Option<Instant>,
    least_banks: LeastBanks,
    /// The reconnect banks that were shown with more time than before.
    growths: Vec<Growth>,
    seen_heads: SeenHeads,
    /// The times at which a server could not work.
    outages: Outages,
    /// The time of the only server. The servers of a cluster have the time of the database.
    server_time: ServerTime,
    delays: Delays,
    conditional_moves: ConditionalMoves,
    vacations: Vacations,
}

/// The amount of what was checked. A simulation without violations proves nothing if this is small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audited {
    /// The number of matches.
    pub matches: u64,
    /// The number of matches that have ended.
    pub ended: u64,
    /// The number of events in the logs.
    pub events: u64,
    /// The number of acknowledged commands.
    pub acknowledged: u64,
    /// The number of refused commands.
    pub refused: u64,
    /// The number of milliseconds from the first to the last event of each match.
    pub match_ms: u64,
    /// The number of lists of tables.
    pub lists: u64,
    /// The number of matches in the archive.
    pub archived: u64,
    /// The number of matches that have changed ratings.
    pub rated: u64,
    /// The number of conditional moves that were made.
    pub conditional: u64,
    /// The number of vacations that matches have received.
    pub vacations: u64,
}

impl Auditor {
    pub(crate) fn new(trace: Trace, commits: Arc<DatabaseFaults>) -> Self {
        Self(Arc::new(Shared { trace, commits, state: Mutex::default() }))
    }

    /// Records a violation.
    pub(crate) fn violation(&self, actor: &str, what: impl fmt::Display) {
        self.0.trace.add(actor, format_args!("VIOLATION: {what}"));
        let mut state = self.lock();
        if state.violations.len() < KEPT {
            state.violations.push(format!("{actor}: {what}"));
        }
    }

    /// Returns the violations.
    pub(crate) fn violations(&self) -> Vec<String> {
        self.lock().violations.clone()
    }

    /// Records a command before it is sent for the first time.
    pub(crate) fn sent(&self, by: UserId, frame: &ClientFrame) {
        let Some(command) = frame.command_id() else { return };
        self.note_kick(by, frame);
        let mv = match frame {
            ClientFrame::Move { mv, .. } => Some(*mv),
            _ => None,
        };
        self.lock().sent.insert((by, command.clone()), mv);
    }

    /// Records that messages between servers are delivered twice from now on.
    pub(crate) fn messages_may_double(&self) {
        self.lock().may_double = true;
    }

    /// Records that a command is sent again.
    pub(crate) fn repeated(&self, by: UserId, frame: &ClientFrame) {
        let Some(command) = frame.command_id() else { return };
        self.lock().repeated.insert((by, command.clone()));
    }

    /// Checks the answer to a command. All final answers to a command must be equal.
    pub(crate) fn answered(&self, actor: &str, by: UserId, command: &CommandId, answer: Answer) {
        let key = (by, command.clone());
        let mut state = self.lock();
        if !state.sent.contains_key(&key) {
            drop(state);
            return self.violation(actor, format_args!("{command} is answered, but was never sent"));
        }
        if !answer.is_final() {
            return;
        }
        match state.answers.get(&key).copied() {
            Some(earlier @ Answer::Ack(..)) if earlier != answer => {
                drop(state);
                self.violation(actor, format_args!("{command} was {earlier}, and now it is {answer}"));
            }
            // A command that was refused may be accepted when it is sent again.
            _ => drop(state.answers.insert(key, answer)),
        }
    }

    /// Records the node of a new process.
    pub(crate) fn add_node(&self, node: NodeId, server: &str) {
        self.0.commits.owners(|owners| owners.add_node(node, server));
    }

    /// Records whether a node works from now on.
    pub(crate) fn set_works(&self, node: NodeId, works: bool) {
        let now = self.0.trace.time_of_day();
        self.0.commits.owners(|owners| owners.set_works(node, works, now));
    }

    /// Records that a node was asked to end.
    pub(crate) fn set_leaving(&self, node: NodeId) {
        let now = self.0.trace.time_of_day();
        self.0.commits.owners(|owners| owners.set_leaving(node, now));
    }

    /// Records that a server could not work between two moments of the virtual time.
    pub(crate) fn add_outage(&self, since: Timestamp, until: Timestamp) {
        self.lock().outages.add(since, until);
    }

    /// Records that a process of the only server is ready, and which time it shows.
    pub(crate) fn add_start(&self, shown: Timestamp, drift: i32) -> ProcessNumber {
        let now = self.0.trace.time_of_day();
        self.lock().server_time.add_start(now, shown, drift)
    }

    /// Records that a process of the only server has ended.
    pub(crate) fn add_end(&self, process: ProcessNumber) {
        let now = self.0.trace.time_of_day();
        self.lock().server_time.add_end(process, now);
    }

    /// Records that it is not known whether servers could work between two moments.
    pub(crate) fn add_uncertainty(&self, since: Timestamp, until: Timestamp) {
        self.lock().outages.add_uncertainty(since, until);
    }

    /// Returns true if it is not known whether servers could work at a moment.
    pub(crate) fn is_uncertain(&self, at: Timestamp) -> bool {
        self.lock().outages.is_uncertain(at, at)
    }

    /// Checks an event that a client has received: it is committed, and all clients receive the same.
    pub(crate) fn event(&self, actor: &str, match_id: MatchId, entry: &Entry) {
        let digest = digest(entry.at_ms, &entry.event);
        if self.0.commits.committed_head(match_id).is_some_and(|head| entry.seq > head) {
            self.violation(actor, format_args!("event {} of {match_id} is not committed yet", entry.seq));
        }
        let known = {
            let mut state = self.lock();
            state.seen_heads.add(match_id, entry.seq, virtual_now());
            *state.received.entry((match_id, entry.seq)).or_insert(digest)
        };
        if known != digest {
            self.violation(
                actor,
                format_args!("event {} of {match_id} differs from the one received before", entry.seq),
            );
        }
    }

    /// Checks the last event that a server shows in the answer to a request: clients have not seen later
    /// ones long before the request.
    pub(crate) fn shown(&self, actor: &str, match_id: MatchId, seq: u64, asked_at: Instant) {
        let missing = self.lock().seen_heads.missing(match_id, seq, asked_at);
        if let Some(missing) = missing {
            self.violation(
                actor,
                format_args!("{match_id} is shown up to event {seq}, but {missing} was seen long before"),
            );
        }
    }

    /// Compares the database with everything that clients have observed. If the kind of service
    /// is given, the times of events are compared with the outages.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub(crate) async fn compare(
        &self,
        store: &Store,
        matches: &[MatchId],
        service: Option<Service>,
    ) -> Result<Audited> {
        let mut audited = Audited::default();
        for wrong in self.0.commits.take_wrong() {
            self.violation("the database", wrong);
        }
        let (answers, received, outages) = {
            let state = self.lock();
            (state.answers.clone(), state.received.clone(), state.outages.clone())
        };
        let (sent, repeated, may_double) = {
            let state = self.lock();
            (state.sent.clone(), state.repeated.clone(), state.may_double)
        };
        let may_arrive_again = |key: &(UserId, CommandId)| may_double || repeated.contains(key);
        let senders: BTreeSet<UserId> = sent.keys().map(|(by, _)| *by).collect();
        let known: BTreeSet<MatchId> = matches.iter().copied().collect();
        for match_id in &known {
            let log = store.events(*match_id, 0).await.with_context(|| format!("reading {match_id}"))?;
            let entries: Vec<LedgerEntry> = answers
                .iter()
                .filter_map(|((by, command_id), answer)| {
                    let answer = match *answer {
                        Answer::Ack(of, seq) if of == *match_id => {
                            let mv = sent.get(&(*by, command_id.clone())).copied().flatten();
                            RecordedAnswer::Done { seq, mv }
                        }
                        // A command that was refused may be accepted when it arrives again, and the
                        // answer may be lost.
                        Answer::Refused(Some(of), code)
                            if of == *match_id && !may_arrive_again(&(*by, command_id.clone())) =>
                        {
                            RecordedAnswer::Refused(code)
                        }
                        _ => return None,
                    };
                    let (by, command_id) = (*by, command_id.clone());
                    Some(LedgerEntry { match_id: *match_id, by, command_id, answer })
                })
                .collect();
            let (checked, violations) = checker::check(&log, Some(&entries), None);
            for violation in violations {
                // The answer may have been lost on its way to the client. Bots of the server send no
                // frames, and conditional moves are checked below.
                if let Violation::Unanswered(command) = &violation
                    && (ConditionalMoves::is_command(&command.command_id)
                        || sent.contains_key(&(command.by, command.command_id.clone()))
                        || !senders.contains(&command.by))
                {
                    continue;
                }
                self.violation("the log", format_args!("{match_id}: {violation}"));
            }
            for row in &log {
                let key = (*match_id, row.seq);
                if received.get(&key).is_some_and(|found| *found != digest(row.at.as_millis(), &row.event)) {
                    self.violation(
                        "the log",
                        format_args!("{match_id}: event {} was received otherwise", row.seq),
                    );
                }
            }
            let last_received = received.range((*match_id, 0)..=(*match_id, u64::MAX)).next_back();
            if let Some(((_, seq), _)) = last_received
                && *seq > log.len() as u64
            {
                let logged = log.len();
                self.violation(
                    "the log",
                    format_args!("{match_id}: event {seq} was received, but the log ends at {logged}"),
                );
            }
            let own = service.map(|service| self.own_outages(*match_id, &outages, service));
            let mut violations = self.check_correspondence(*match_id, &log, own.as_ref());
            if let Some(own) = &own {
                violations.extend(own.check(&log));
            }
            if let (Some(own), Some(Service::Owner)) = (&own, service) {
                let claims = |interval| self.0.commits.owners(|owners| owners.some_node_claims(interval));
                violations.extend(own.ownerless(&log, claims));
            }
            for violation in violations {
                self.violation("the log", format_args!("{match_id}: {violation}"));
            }
            if let Some(violation) = checker::check_seat_holders(&log, &store.seat_holders(*match_id).await?)
            {
                self.violation("the log", format_args!("{match_id}: {violation}"));
            }
            let is_over = log.iter().any(|row| {
                matches!(row.event, Event::Ended { .. } | Event::Aborted { .. } | Event::Closed { .. })
            });
            audited.matches += 1;
            audited.ended += u64::from(is_over);
            audited.events += log.len() as u64;
            let is_conditional =
                |row: &&LoggedEvent| row.command_id.as_ref().is_some_and(ConditionalMoves::is_command);
            audited.conditional += log.iter().filter(is_conditional).count() as u64;
            let is_vacation = |row: &&LoggedEvent| matches!(row.event, Event::VacationStarted { .. });
            audited.vacations += log.iter().filter(is_vacation).count() as u64;
            audited.acknowledged += checked.acknowledged;
            audited.refused += checked.refused;
            if let (Some(first), Some(last)) = (log.first(), log.last()) {
                audited.match_ms += last.at.as_millis() - first.at.as_millis();
            }
        }
        if let Some((unknown, _)) = received.keys().find(|(match_id, _)| !known.contains(match_id)) {
            self.violation("the log", format_args!("{unknown} was received, but is not in the database"));
        }
        Ok(audited)
    }

    /// Compares the log of a correspondence match with the conditional moves and the vacations of its
    /// players. Returns what is wrong. If the outages are not known, times are not compared.
    fn check_correspondence(
        &self,
        match_id: MatchId,
        log: &[LoggedEvent],
        outages: Option<&Outages>,
    ) -> Vec<String> {
        let state = self.lock();
        let mut violations = state.conditional_moves.check(match_id, log, outages);
        if let Some(outages) = outages {
            let committed_at = |seq| self.0.commits.committed_at(match_id, seq);
            violations.extend(state.vacations.check(&vacations::Match {
                log,
                committed_at: &committed_at,
                outages,
            }));
        }
        violations
    }

    /// Returns the outages of a match, by the time that events have.
    fn own_outages(&self, match_id: MatchId, outages: &Outages, service: Service) -> Outages {
        match service {
            Service::OneServer => outages.shown_by(&self.lock().server_time),
            Service::Owner => self.outages_of(match_id, outages),
        }
    }

    /// Returns the outages of a match of a cluster.
    fn outages_of(&self, match_id: MatchId, outages: &Outages) -> Outages {
        let now = self.0.trace.time_of_day();
        outages.of_match(self.0.commits.owners(|owners| owners.unserved(match_id, now)))
    }

    /// Reads the logs of all tables.
    async fn read_tables(store: &Store, tables: &[(TableId, Vec<MatchId>)]) -> Result<Vec<TableLogs>> {
        let mut logs = Vec::new();
        for (table, matches) in tables {
            logs.push(TableLogs::read(store, *table, matches).await?);
        }
        Ok(logs)
    }

    /// Compares the lists of clients with those tables in the database that do not change within a
    /// time. Returns the number of lists.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub(crate) async fn compare_lists(
        &self,
        store: &Store,
        tables: &[(TableId, Vec<MatchId>)],
        later: impl AsyncFnOnce() -> Result<Vec<(TableId, Vec<MatchId>)>>,
    ) -> Result<u64> {
        let outline = |logs: &TableLogs| Some((logs.table, (logs.outline()?, logs.last_change())));
        let before: BTreeMap<TableId, (Outline, Option<u64>)> =
            Self::read_tables(store, tables).await?.iter().filter_map(outline).collect();
        let read_at = virtual_now();
        let later = later().await?;
        let (mut after, mut changing) = (BTreeMap::new(), Vec::new());
        for (table, later) in Self::read_tables(store, &later).await?.iter().filter_map(outline) {
            if before.get(&table) == Some(&later) {
                after.insert(table, later.0);
            } else {
                changing.push(table);
            }
        }
        Ok(self.check_lists(&after, &changing, read_at))
    }

    /// Compares the logs of tables with what users could do and see, and the archive with the logs. If the
    /// kind of service is given, absences are compared with the outages. Adds to what was audited.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub(crate) async fn compare_tables(
        &self,
        store: &Store,
        tables: &[(TableId, Vec<MatchId>)],
        service: Option<Service>,
        audited: &mut Audited,
    ) -> Result<()> {
        let tables = Self::read_tables(store, tables).await?;
        if let Some(service) = service {
            self.check_banks(&tables, service);
        }
        for table in &tables {
            self.check_kicks(table);
            for violation in table.check_rematches().into_iter().chain(table.check_hosts()) {
                self.violation("the log", violation);
            }
        }
        (audited.archived, audited.rated) = self.check_archive(store, &tables).await?;
        Ok(())
    }

    /// Compares the absences of players in the logs with the times at which they were at the tables.
    fn check_banks(&self, tables: &[TableLogs], service: Service) {
        let now = self.0.trace.time_of_day();
        let (outages, server_time) = {
            let state = self.lock();
            (state.outages.shown_by(&state.server_time), state.server_time.clone())
        };
        for TableLogs { table, matches } in tables {
            let attendances: BTreeMap<UserId, AttendanceTimes> = {
                let state = self.lock();
                let of_table = state.attendances.iter().filter(|((_, other), _)| other == table);
                let times = |connections: &Connections| connections.times(now).shown_by(&server_time);
                of_table.map(|((user, _), connections)| (*user, times(connections))).collect()
            };
            for (match_id, log) in matches {
                let own = match service {
                    Service::OneServer => outages.clone(),
                    Service::Owner => self.outages_of(*match_id, &outages),
                };
                for violation in BankCheck::check(log, &attendances, &own, &outages) {
                    self.violation("the log", format_args!("{match_id}: {violation}"));
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn digest(at_ms: u64, event: &Event) -> u64 {
    let mut hasher = DefaultHasher::new();
    (at_ms, serde_json::to_string(event).unwrap_or_default()).hash(&mut hasher);
    hasher.finish()
}
