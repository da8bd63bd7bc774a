//! The events of a simulation and their effects.

mod checks;

use std::collections::{BTreeMap, BTreeSet};

use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Timestamp;
use quadrex_store::{Epoch, NodeId, Outcome, Statement};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

use super::faults::{Fault, Schedule};
use super::host::Host;
use super::{Report, Step};
use crate::membership::model::Model;
use crate::membership::{Action, POLL_INTERVAL};

/// The number of matches at the begin.
const MATCHES: u64 = 12;

/// The time between two observations of all matches.
const OBSERVATION_MS: u64 = 50;

/// The time of the database at the begin.
const BEGIN: u64 = 1_790_000_000_000;

/// Returns the id of the match with a number.
#[must_use]
pub fn match_id(number: u64) -> MatchId {
    MatchId(Uuid::from_u64_pair(1, number))
}

/// Something that happens at a moment.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// The process of a host is polled.
    Poll(usize),
    /// A statement reaches the database.
    Arrive { host: usize, node: NodeId, connection: u64, number: u64, statement: Statement },
    /// An answer reaches its node.
    Answer { host: usize, node: NodeId, number: u64, outcome: Option<Outcome> },
    /// A request to take matches over reaches its node.
    TakeOver { node: NodeId, matches: Vec<MatchId> },
    /// A node acts for one of its matches: it appends an event.
    Act(usize),
    /// An append reaches the database.
    Append { host: usize, node: NodeId, match_id: MatchId, epoch: Epoch, head: u64 },
    /// The answer to an append: the number of the event, or `None` if it was fenced.
    Appended { host: usize, node: NodeId, match_id: MatchId, epoch: Epoch, seq: Option<u64> },
    /// The database notices that a session has ended.
    SessionEnds(NodeId),
    /// A node creates a match.
    Create(usize),
    /// A fault begins.
    Fault(usize, Fault),
    /// A paused process continues.
    Wake(usize),
    /// A process starts, unless one runs.
    Start(usize),
    /// All matches are observed.
    Observe,
}

/// A period in which players could move in a match.
struct AblePeriod {
    from: u64,
    until: u64,
    owner: Option<NodeId>,
}

pub(super) struct World<'a> {
    seed: u64,
    schedule: &'a Schedule,
    rng: StdRng,
    now: u64,
    queue: BTreeMap<(u64, u64), Event>,
    last_event: u64,
    last_node: u64,
    hosts: Vec<Host>,
    database: Model,
    /// The moments until which the database, and the messages, work for nobody.
    database_down_until: u64,
    messages_down_until: u64,
    /// The last epoch in each log.
    epochs: BTreeMap<MatchId, Epoch>,
    acknowledged: BTreeSet<(MatchId, u64)>,
    /// The periods in which players could move in each match, and the node that owned it then.
    able: BTreeMap<MatchId, Vec<AblePeriod>>,
    records: bool,
    report: Report,
}

impl<'a> World<'a> {
    pub(super) fn new(seed: u64, schedule: &'a Schedule, records: bool) -> Self {
        let mut rng = StdRng::seed_from_u64(seed ^ 0x5eed);
        // Monotonic clocks differ by at most a percent.
        let hosts = (0..schedule.hosts)
            .map(|_| Host::new(rng.random_range(990..=1_010), rng.random_range(0..1_000_000)))
            .collect();
        let report = Report {
            violations: Vec::new(),
            steps: Vec::new(),
            statements: 0,
            recovered: 0,
            handed_over: 0,
            longest_gap_ms: 0,
        };
        let mut world = Self {
            seed,
            schedule,
            rng,
            now: 0,
            queue: BTreeMap::new(),
            last_event: 0,
            last_node: 0,
            hosts,
            database: Model::default(),
            database_down_until: 0,
            messages_down_until: 0,
            epochs: BTreeMap::new(),
            acknowledged: BTreeSet::new(),
            able: BTreeMap::new(),
            records,
            report,
        };
        world.fill();
        world
    }

    fn fill(&mut self) {
        for number in 0..MATCHES {
            self.add_match(number, None);
        }
        for host in 0..self.hosts.len() {
            let at = self.rng.random_range(0..500);
            self.schedule(at, Event::Start(host));
            self.schedule(at, Event::Act(host));
            let at = self.rng.random_range(1_000..20_000);
            self.schedule(at, Event::Create(host));
        }
        for (at, host, fault) in &self.schedule.faults {
            self.schedule(*at, Event::Fault(*host, *fault));
        }
        self.schedule(0, Event::Observe);
    }

    pub(super) fn run(mut self) -> Report {
        while let Some(((at, _), event)) = self.queue.pop_first()
            && at <= self.schedule.end_ms
            && self.report.violations.is_empty()
        {
            self.now = at;
            self.handle(event);
        }
        self.now = self.schedule.end_ms;
        if self.report.violations.is_empty() {
            self.check_end();
        }
        self.report
    }

    fn schedule(&mut self, after_ms: u64, event: Event) {
        self.last_event += 1;
        self.queue.insert((self.now + after_ms, self.last_event), event);
    }

    fn violation(&mut self, text: String) {
        let text = format!("seed {}, {} ms: {text}; {:?}", self.seed, self.now, self.schedule.faults);
        self.report.violations.push(text);
    }

    fn latency(&mut self) -> u64 {
        match self.rng.random_range(0..50) {
            0 => self.rng.random_range(20..300),
            _ => self.rng.random_range(0..4),
        }
    }

    fn add_match(&mut self, number: u64, owner: Option<NodeId>) {
        let is_running = !number.is_multiple_of(3);
        self.database.add(match_id(number), TableId(match_id(number).0), is_running, owner);
        if self.records {
            self.report.steps.push(Step::AddMatch { number, is_running, owner });
        }
    }

    fn end_session(&mut self, node: NodeId) {
        self.database.end_session(node);
        if self.records {
            self.report.steps.push(Step::EndSession(node));
        }
    }

    /// Returns whether the process with this id runs on a host.
    fn is_current(&self, host: usize, node: NodeId) -> bool {
        self.hosts[host].id() == Some(node)
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Poll(host)
            | Event::Answer { host, .. }
            | Event::Act(host)
            | Event::Appended { host, .. }
            | Event::Create(host)
                if self.hosts[host].paused_until.is_some() =>
            {
                self.hosts[host].waiting.push(event);
            }
            Event::Poll(host) => self.poll_again(host),
            Event::Arrive { host, node, connection, number, statement } => {
                self.arrive(host, node, connection, number, statement);
            }
            Event::Answer { host, node, number, outcome } => self.answer(host, node, number, outcome),
            Event::TakeOver { node, matches } => self.take_over(node, matches),
            Event::Act(host) => self.act(host),
            Event::Append { host, node, match_id, epoch, head } => {
                self.append(host, node, match_id, epoch, head);
            }
            Event::Appended { host, node, match_id, epoch, seq } => {
                self.appended(host, node, match_id, epoch, seq);
            }
            Event::SessionEnds(node) => self.end_session(node),
            Event::Create(host) => self.create(host),
            Event::Fault(host, fault) => self.begin(host, fault),
            Event::Wake(host) => self.wake(host),
            Event::Start(host) => self.start(host),
            Event::Observe => self.observe(),
        }
    }

    fn start(&mut self, host: usize) {
        if self.hosts[host].membership.is_some() || self.now < self.hosts[host].restart_at {
            return;
        }
        self.last_node += 1;
        let id = NodeId(Uuid::from_u64_pair(self.seed, self.last_node));
        self.hosts[host].start(id, self.now);
        self.schedule(0, Event::Poll(host));
    }

    fn poll_again(&mut self, host: usize) {
        if self.hosts[host].membership.is_some() {
            self.poll(host);
            self.schedule(POLL_INTERVAL.as_millis() as u64, Event::Poll(host));
        }
    }

    fn poll(&mut self, host: usize) {
        let is_connected =
            self.now >= self.hosts[host].messages_cut_until && self.now >= self.messages_down_until;
        let now = self.hosts[host].monotonic(self.now);
        let Some(membership) = &mut self.hosts[host].membership else { return };
        match is_connected {
            true => membership.set_connected(),
            false => membership.set_disconnected(now, now),
        }
        let node = membership.id();
        for action in membership.poll(now) {
            self.perform(host, node, action);
        }
    }

    fn perform(&mut self, host: usize, node: NodeId, action: Action) {
        match action {
            Action::Execute { number, statement } => {
                let (latency, connection) = (self.latency(), self.hosts[host].connection);
                self.schedule(latency, Event::Arrive { host, node, connection, number, statement });
            }
            Action::ResetSession => {
                self.hosts[host].connection += 1;
                self.hosts[host].believes_in_session = false;
                if self.now >= self.hosts[host].requests_cut_until && self.now >= self.database_down_until {
                    self.end_session(node);
                }
            }
            Action::Start(claimed) => {
                self.check_exclusive(host, claimed.match_id, "starts");
                let head = self.database.matches()[&claimed.match_id].head;
                self.hosts[host].logs.insert(claimed.match_id, (claimed.epoch, head));
            }
            Action::Stop(matches) => {
                self.hosts[host].logs.retain(|match_id, _| !matches.contains(match_id));
            }
            Action::RequestTakeOver { to, matches } => {
                let is_cut =
                    self.now < self.hosts[host].messages_cut_until || self.hosts[host].loses_requests;
                if !is_cut && self.now >= self.messages_down_until {
                    let latency = self.latency();
                    self.schedule(latency, Event::TakeOver { node: to, matches });
                }
            }
            Action::List(_) => unreachable!("no match hibernates"),
            Action::ReportRefusal => unreachable!("no server runs without a cluster"),
            Action::Restart => {
                self.hosts[host].stop();
                self.schedule(5, Event::SessionEnds(node));
                self.schedule(10, Event::Start(host));
            }
            Action::Exit => {
                self.hosts[host].stop();
                let restart_after = self.hosts[host].restart_at.saturating_sub(self.now);
                self.schedule(restart_after, Event::Start(host));
            }
        }
    }

    fn arrive(&mut self, host: usize, node: NodeId, connection: u64, number: u64, statement: Statement) {
        let is_of_session = !matches!(
            statement,
            Statement::Unowned { .. }
                | Statement::Owned { .. }
                | Statement::Claim { .. }
                | Statement::Release { .. }
                | Statement::ReleaseHibernating { .. }
                | Statement::Leave { .. }
        );
        let is_late = connection != self.hosts[host].connection || !self.is_current(host, node);
        if self.now < self.hosts[host].requests_cut_until || self.now < self.database_down_until {
            // The connection is broken meanwhile, or the request is sent again when the cut is
            // over.
            if self.rng.random_bool(0.5) {
                let later = self.rng.random_range(100..2_000);
                self.schedule(later, Event::Arrive { host, node, connection, number, statement });
            }
            return;
        }
        // A connection cannot be opened while no answer arrives.
        let is_opening = is_of_session && !self.hosts[host].believes_in_session;
        if is_opening && self.now < self.hosts[host].answers_cut_until {
            return;
        }
        if is_late && matches!(statement, Statement::Survey { .. }) {
            return;
        }
        if is_of_session && !is_late && !is_opening && !self.database.has_session(node) {
            // The database has ended the session.
            self.hosts[host].believes_in_session = false;
            self.hosts[host].connection += 1;
            self.send_answer(host, node, number, None);
            return;
        }
        let outcome = self.execute(host, node, &statement, is_of_session && is_late);
        if is_of_session && !is_late {
            self.hosts[host].believes_in_session = true;
        }
        self.send_answer(host, node, number, Some(outcome));
    }

    fn execute(&mut self, host: usize, node: NodeId, statement: &Statement, closes_session: bool) -> Outcome {
        let now = Timestamp::from_millis(BEGIN + self.now);
        let had_session = self.database.has_session(node);
        let owners: BTreeMap<_, _> = match statement {
            Statement::Claim { matches, .. } => {
                let known = self.database.matches();
                matches.iter().map(|match_id| (*match_id, known[match_id].owner)).collect()
            }
            _ => BTreeMap::new(),
        };
        let outcome = self.database.execute(statement, now);
        self.report.statements += 1;
        if closes_session && !had_session {
            self.database.end_session(node);
        }
        if self.records {
            self.report.steps.push(Step::Execute {
                at: now,
                node,
                statement: statement.clone(),
                outcome: outcome.clone(),
                has_session: self.database.has_session(node),
            });
        }
        if let Outcome::Claimed { claimed, .. } = &outcome {
            for claimed in claimed.iter().filter(|claimed| owners[&claimed.match_id] != Some(node)) {
                self.check_exclusive(host, claimed.match_id, "claims");
                match (owners[&claimed.match_id], claimed.unowned_since) {
                    (Some(dead), Some(since)) => {
                        self.report.recovered += 1;
                        self.check_charge(claimed.match_id, dead, since.as_millis() - BEGIN);
                    }
                    (None, Some(_)) => self.report.handed_over += 1,
                    _ => {}
                }
            }
        }
        outcome
    }

    fn send_answer(&mut self, host: usize, node: NodeId, number: u64, outcome: Option<Outcome>) {
        let cut_for = self.hosts[host].answers_cut_until.max(self.hosts[host].requests_cut_until);
        let latency = self.latency();
        if self.now >= cut_for {
            self.schedule(latency, Event::Answer { host, node, number, outcome });
        } else if self.rng.random_bool(0.5) {
            let later = cut_for - self.now + latency;
            self.schedule(later, Event::Answer { host, node, number, outcome });
        }
    }

    fn answer(&mut self, host: usize, node: NodeId, number: u64, outcome: Option<Outcome>) {
        if self.is_current(host, node) {
            let now = self.hosts[host].monotonic(self.now);
            let membership = self.hosts[host].membership.as_mut().expect("it is current");
            membership.handle_outcome(number, outcome, now);
            self.poll(host);
        }
    }

    fn take_over(&mut self, node: NodeId, matches: Vec<MatchId>) {
        let Some(host) = (0..self.hosts.len()).find(|host| self.is_current(*host, node)) else { return };
        if self.now < self.hosts[host].messages_cut_until || self.now < self.messages_down_until {
            return;
        }
        if self.hosts[host].paused_until.is_some() {
            self.hosts[host].waiting.push(Event::TakeOver { node, matches });
            return;
        }
        let membership = self.hosts[host].membership.as_mut().expect("it is current");
        matches.into_iter().for_each(|match_id| membership.want(match_id));
        self.poll(host);
    }

    /// Appends to one of the matches for which the node may act.
    fn act(&mut self, host: usize) {
        let again = self.rng.random_range(50..400);
        self.schedule(again, Event::Act(host));
        let Some(node) = self.hosts[host].id() else { return };
        let of_host = &self.hosts[host];
        let active: Vec<_> =
            of_host.logs.iter().filter(|(match_id, _)| of_host.may_act(**match_id, self.now)).collect();
        if active.is_empty() {
            return;
        }
        let (&match_id, &(epoch, head)) = active[self.rng.random_range(0..active.len())];
        let latency = self.latency();
        self.schedule(latency, Event::Append { host, node, match_id, epoch, head });
    }

    fn append(&mut self, host: usize, node: NodeId, match_id: MatchId, epoch: Epoch, head: u64) {
        if self.now < self.hosts[host].requests_cut_until || self.now < self.database_down_until {
            let later = self.rng.random_range(100..2_000);
            self.schedule(later, Event::Append { host, node, match_id, epoch, head });
            return;
        }
        let seq = self.database.append(match_id, epoch, head);
        if seq.is_some() && self.epochs.insert(match_id, epoch).is_some_and(|earlier| earlier > epoch) {
            self.violation(format!("epoch {epoch} appends to {match_id:?} after a later one"));
        }
        if self.now >= self.hosts[host].answers_cut_until {
            let latency = self.latency();
            self.schedule(latency, Event::Appended { host, node, match_id, epoch, seq });
        }
    }

    fn appended(&mut self, host: usize, node: NodeId, match_id: MatchId, epoch: Epoch, seq: Option<u64>) {
        let is_current = self.is_current(host, node);
        let known = self.hosts[host].logs.get_mut(&match_id).filter(|known| is_current && known.0 == epoch);
        let Some(known) = known else { return };
        match seq {
            Some(seq) => {
                known.1 = seq;
                if self.hosts[host].may_act(match_id, self.now) && !self.acknowledged.insert((match_id, seq))
                {
                    self.violation(format!("event {seq} of {match_id:?} is acknowledged twice"));
                }
            }
            None => {
                let membership = self.hosts[host].membership.as_mut().expect("it is current");
                membership.want_again(match_id);
                self.poll(host);
            }
        }
    }

    fn create(&mut self, host: usize) {
        let can_store =
            self.now >= self.hosts[host].requests_cut_until && self.now >= self.database_down_until;
        let now = self.hosts[host].monotonic(self.now);
        let number = MATCHES + u64::try_from(host).unwrap_or(0);
        let Some(membership) = &mut self.hosts[host].membership else { return };
        if can_store && membership.is_ready(now) {
            let node = membership.id();
            membership.add(match_id(number));
            self.add_match(number, Some(node));
            self.hosts[host].logs.insert(match_id(number), (Epoch::FIRST, 2));
        }
    }

    fn begin(&mut self, host: usize, fault: Fault) {
        let until = self.now + fault.duration_ms();
        let node = self.hosts[host].id();
        let running = &mut self.hosts[host];
        match fault {
            Fault::Kill(_) | Fault::PowerCut(_) => {
                running.stop();
                running.restart_at = until;
                self.schedule(fault.duration_ms(), Event::Start(host));
                if let (Fault::Kill(_), Some(node)) = (fault, node) {
                    let noticed = self.rng.random_range(0..50);
                    self.schedule(noticed, Event::SessionEnds(node));
                }
            }
            Fault::Pause(ms) if node.is_some() => {
                running.paused_until = running.paused_until.max(Some(until));
                self.schedule(ms, Event::Wake(host));
            }
            Fault::Pause(_) => {}
            Fault::DatabaseCut(_) => running.requests_cut_until = running.requests_cut_until.max(until),
            Fault::AnswerCut(_) => running.answers_cut_until = running.answers_cut_until.max(until),
            Fault::MessageCut(_) => running.messages_cut_until = running.messages_cut_until.max(until),
            Fault::FullCut(_) => {
                running.requests_cut_until = running.requests_cut_until.max(until);
                running.messages_cut_until = running.messages_cut_until.max(until);
            }
            Fault::EndSession => {
                if let Some(node) = node {
                    self.end_session(node);
                }
            }
            Fault::Drain(_) | Fault::DrainWithLostRequests(_) => {
                let now = running.monotonic(self.now);
                if let Some(membership) = &mut running.membership {
                    membership.drain(now);
                    running.loses_requests = fault == Fault::DrainWithLostRequests(fault.duration_ms());
                    running.restart_at = until;
                }
            }
            Fault::DatabaseRestart(_) | Fault::DatabaseStall(_) => {
                self.database_down_until = self.database_down_until.max(until);
                if let Fault::DatabaseRestart(_) = fault {
                    let nodes: Vec<_> = self.hosts.iter().filter_map(Host::id).collect();
                    nodes.into_iter().for_each(|node| self.end_session(node));
                }
            }
            Fault::MessageOutage(_) => self.messages_down_until = self.messages_down_until.max(until),
        }
    }

    fn wake(&mut self, host: usize) {
        if self.hosts[host].paused_until.is_some_and(|until| self.now >= until) {
            self.hosts[host].paused_until = None;
            // The process handles what has happened meanwhile in any order.
            let mut waiting = std::mem::take(&mut self.hosts[host].waiting);
            while !waiting.is_empty() {
                let next = self.rng.random_range(0..waiting.len());
                let event = waiting.swap_remove(next);
                self.schedule(0, event);
            }
        }
    }
}
