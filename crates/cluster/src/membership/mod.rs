//! The membership of a node in a cluster, without I/O: when the node renews its lease, which
//! matches it claims and releases, and whether it may act.
//!
//! The caller polls a [`Membership`] at least every [`POLL_INTERVAL`] and executes the returned
//! [`Action`]s. It reports the outcome of each statement. All moments are times since the same
//! moment, by the monotonic clock of the node. The statements and their guarantees are in
//! `quadrex_store` ([`Statement`]); [`simulation`] plays schedules of faults with many nodes.
//!
//! - A node claims the matches without a living owner that [`claimant`] gives to it, so the matches
//!   of a dead node spread over all others.
//! - A node acts for a match while it owns the match and holds its lease ([`Membership::may_act`]).
//! - If the outcome of a claim is unknown, the node repeats the claim. Otherwise it could be the
//!   owner of a match without knowing it. A claim may even be executed after it was repeated, so the
//!   node also compares its matches with the database from time to time.
//! - A node that drains first becomes unready, and then releases its matches in batches to
//!   successors. A lost request to a successor only delays a match: the periodic search for matches
//!   without an owner finds it.

mod lane;
mod lease;
mod matches;
pub mod model;
mod rendezvous;
pub mod simulation;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use quadrex_protocol::MatchId;
use quadrex_rules::Timestamp;
use quadrex_store::{
    ClaimedHibernation, ClaimedMatch, Epoch, NodeId, NodeRow, NodeState, Outcome, Statement,
};
use quadrex_table::Outage;

use lane::Lane;
pub use lease::{FENCE, NodeLease, STEADY_AFTER};
use matches::AUDIT_INTERVAL;
pub use rendezvous::{claimant, key_owner};

/// The maximum time between two polls.
pub const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The time between two renewals of the lease.
const RENEWAL_INTERVAL: Duration = Duration::from_millis(500);

/// The time after which a renewal without an answer counts as failed.
const RENEWAL_TIMEOUT: Duration = Duration::from_secs(1);

/// The time after which a claim or a release without an answer is repeated.
const MATCHES_TIMEOUT: Duration = Duration::from_secs(5);

/// The time between a failed statement and the next attempt.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// The time between two attempts to join while a server without a cluster uses the database.
const JOIN_INTERVAL: Duration = Duration::from_secs(1);

/// The maximum time for which a node drains, after load balancers have noticed it. It is longer than
/// the time for which the node serves its clients.
const DRAIN_LIMIT: Duration = Duration::from_secs(80);

/// The time without a connection to the other nodes after which a node releases its matches, if
/// another node is connected.
const DISCONNECTED_WAIT: Duration = Duration::from_secs(2);

/// A node's properties, as the other nodes see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSettings {
    /// The name for people.
    pub name: String,
    /// The names of the node's engines.
    pub engines: Vec<String>,
    /// The time between the request to drain and the first release. In this time, load balancers
    /// notice that the node is not ready.
    pub leave_wait: Duration,
}

/// An order to the caller of [`Membership::poll`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Execute a statement, and report its outcome with the same number. Statements about matches
    /// run beside those about the lease.
    Execute {
        /// The number of the statement.
        number: u64,
        /// The statement.
        statement: Statement,
    },
    /// Close the node's session, because a statement in it was not answered.
    ResetSession,
    /// Read the log of a match and start its actor.
    Start(ClaimedMatch),
    /// List hibernating matches that the node has claimed. They get no actor before somebody asks for
    /// them.
    List(Vec<ClaimedHibernation>),
    /// Finish the commands under way of these matches, and stop their actors.
    Stop(Vec<MatchId>),
    /// Request a node to claim matches that were released.
    RequestTakeOver {
        /// The successor.
        to: NodeId,
        /// The matches.
        matches: Vec<MatchId>,
    },
    /// A server without a cluster uses the database.
    ReportRefusal,
    /// Start again with a new id, because this node was declared dead.
    Restart,
    /// Exit: the node has left.
    Exit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The node is not registered yet.
    Joining,
    Serving,
    /// The node releases its matches. It was asked to at this moment.
    Draining(Duration),
    /// The node removes its row. It was asked to drain at this moment.
    Leaving(Duration),
    Ended,
}

/// The state of a node's membership in a cluster.
#[derive(Debug)]
pub struct Membership {
    me: NodeId,
    settings: NodeSettings,
    phase: Phase,
    /// True while clients are connected to the node.
    has_clients: bool,
    /// True if the node has begun to release its matches.
    is_releasing: bool,
    lease: NodeLease,
    /// The last known time of the database, and the moment at which it arrived.
    database_time: Option<(Timestamp, Duration)>,
    /// True if the nodes are to be looked up before the next renewal.
    is_survey_due: bool,
    nodes: Vec<NodeRow>,
    /// The moment at which the nodes were looked up.
    surveyed: Option<Duration>,
    /// `None` if the node reaches the other nodes, otherwise the moment at which it noticed that it
    /// does not.
    disconnected_since: Option<Duration>,
    /// The moment since which the node may not have reached the other nodes, if it does not.
    unheard_since: Option<Duration>,
    lease_lane: Lane,
    match_lane: Lane,
    last_number: u64,
    /// The matches that this node owns, with its claims. Only the database knows the hibernating ones.
    owned: BTreeMap<MatchId, ClaimedMatch>,
    /// False if the node has just released all of its hibernating matches.
    may_own_hibernating: bool,
    /// Matches that are being released.
    stopping: Vec<(MatchId, Epoch)>,
    /// The time of the database from which on the node does not run these matches.
    stopping_since: Option<Timestamp>,
    /// Matches that the node has stopped without releasing them, and since when it does not run them.
    stopped: BTreeMap<MatchId, Timestamp>,
    /// Matches to claim, whoever [`claimant`] names: on request, or because the outcome of an
    /// earlier claim is unknown.
    wanted: BTreeSet<MatchId>,
    /// This node's share of the matches without an owner, running matches first.
    share: VecDeque<MatchId>,
    next_search: Duration,
    next_complete_search: Duration,
    next_audit: Duration,
    /// Matches that this node owns in the database, but not here, according to the last audit.
    unknown: BTreeSet<MatchId>,
    actions: Vec<Action>,
}

impl Membership {
    /// Returns the membership of a node that is about to join. A new node counts as disconnected
    /// from the others until [`set_connected`](Self::set_connected) is called.
    #[must_use]
    pub fn new(me: NodeId, settings: NodeSettings, now: Duration) -> Self {
        Self {
            me,
            settings,
            phase: Phase::Joining,
            has_clients: false,
            is_releasing: false,
            lease: NodeLease::default(),
            database_time: None,
            is_survey_due: false,
            nodes: Vec::new(),
            surveyed: None,
            disconnected_since: Some(now),
            unheard_since: None,
            lease_lane: Lane::new(RENEWAL_TIMEOUT),
            match_lane: Lane::new(MATCHES_TIMEOUT),
            last_number: 0,
            owned: BTreeMap::new(),
            may_own_hibernating: true,
            stopping: Vec::new(),
            stopping_since: None,
            stopped: BTreeMap::new(),
            wanted: BTreeSet::new(),
            share: VecDeque::new(),
            next_search: now,
            next_complete_search: now,
            next_audit: now + AUDIT_INTERVAL,
            unknown: BTreeSet::new(),
            actions: Vec::new(),
        }
    }

    /// Returns the node's id.
    #[must_use]
    pub fn id(&self) -> NodeId {
        self.me
    }

    /// Returns the lease.
    #[must_use]
    pub fn lease(&self) -> NodeLease {
        self.lease
    }

    /// Returns all nodes, as they were a moment ago.
    #[must_use]
    pub fn nodes(&self) -> &[NodeRow] {
        &self.nodes
    }

    /// Returns whether load balancers may send clients to this node.
    #[must_use]
    pub fn is_ready(&self, now: Duration) -> bool {
        self.phase == Phase::Serving && self.lease.is_held(now) && !self.stands_aside(now)
    }

    /// Returns whether the node owns a match.
    #[must_use]
    pub fn owns(&self, match_id: MatchId) -> bool {
        self.owned.contains_key(&match_id)
    }

    /// Returns the node's claim of a match, if the node owns the match.
    #[must_use]
    pub fn claim(&self, match_id: MatchId) -> Option<ClaimedMatch> {
        self.owned.get(&match_id).copied()
    }

    /// Returns the matches that the node owns and that do not hibernate.
    pub fn owned(&self) -> impl Iterator<Item = MatchId> + '_ {
        self.owned.keys().copied()
    }

    /// Returns whether the node may now answer for a match, and run its timers.
    #[must_use]
    pub fn may_act(&self, match_id: MatchId, now: Duration) -> bool {
        self.lease.is_held(now) && self.owned.contains_key(&match_id)
    }

    /// Records that the node reaches the other nodes by messages.
    pub fn set_connected(&mut self) {
        (self.disconnected_since, self.unheard_since) = (None, None);
    }

    /// Records that the node does not reach the other nodes, perhaps since the moment `unheard_since`.
    pub fn set_disconnected(&mut self, unheard_since: Duration, now: Duration) {
        self.disconnected_since = self.disconnected_since.or(Some(now));
        self.unheard_since = self.unheard_since.or(Some(unheard_since));
    }

    /// Returns whether the node claims matches.
    #[must_use]
    pub fn is_serving(&self) -> bool {
        self.phase == Phase::Serving
    }

    /// Returns whether the node has given all its matches to other nodes, after a request to drain.
    #[must_use]
    pub fn is_drained(&self) -> bool {
        match self.phase {
            Phase::Joining | Phase::Serving => false,
            Phase::Draining(_) => {
                let has_matches = self.may_own_hibernating || !self.owned.is_empty();
                self.is_releasing && self.stopping.is_empty() && !has_matches
            }
            Phase::Leaving(_) | Phase::Ended => true,
        }
    }

    /// Records whether clients are connected to the node. A node with clients that has given its
    /// matches to other nodes stays in the cluster, and passes the clients' requests on.
    pub fn set_has_clients(&mut self, has_clients: bool) {
        self.has_clients = has_clients;
    }

    /// Drains the node: it gives its matches to other nodes, leaves the cluster, and exits.
    pub fn drain(&mut self, now: Duration) {
        match self.phase {
            Phase::Joining => self.phase = Phase::Leaving(now),
            Phase::Serving => {
                self.phase = Phase::Draining(now);
                self.is_survey_due = false;
                self.lease_lane.wake(now);
            }
            Phase::Draining(_) | Phase::Leaving(_) | Phase::Ended => {}
        }
    }

    /// Returns the actions that are due.
    pub fn poll(&mut self, now: Duration) -> Vec<Action> {
        if self.lease_lane.time_out(now).is_some() {
            self.actions.push(Action::ResetSession);
            self.handle_lease_failure(now);
        }
        if let Some(statement) = self.match_lane.time_out(now) {
            self.handle_match_failure(&statement, now);
        }
        if let Phase::Draining(since) | Phase::Leaving(since) = self.phase
            && now >= since + self.settings.leave_wait + DRAIN_LIMIT
        {
            self.end(Action::Exit);
        }
        if self.match_lane.is_idle(now)
            && let Some(statement) = self.next_match_statement(now)
        {
            self.execute(statement, now);
        }
        if self.lease_lane.is_idle(now)
            && let Some(statement) = self.next_lease_statement(now)
        {
            self.execute(statement, now);
        }
        std::mem::take(&mut self.actions)
    }

    /// Records the outcome of a statement: `None` if it failed, so that its effect is unknown. An
    /// answer that comes after its time limit is ignored.
    pub fn handle_outcome(&mut self, number: u64, outcome: Option<Outcome>, now: Duration) {
        if let Some((statement, sent)) = self.lease_lane.finish(number) {
            match outcome {
                Some(outcome) => self.handle_lease_outcome(&statement, outcome, sent, now),
                None => self.handle_lease_failure(now),
            }
        } else if let Some((statement, _)) = self.match_lane.finish(number)
            && self.phase != Phase::Ended
        {
            match outcome {
                Some(outcome) => self.handle_match_outcome(&statement, outcome, now),
                None => self.handle_match_failure(&statement, now),
            }
        }
    }

    /// Returns the time of the database at a moment, as far as it is known.
    fn database_time_at(&self, moment: Duration) -> Option<Timestamp> {
        self.database_time.map(|(at, known)| match moment.checked_sub(known) {
            Some(later) => at + later,
            None => at - (known - moment),
        })
    }

    fn next_lease_statement(&self, now: Duration) -> Option<Statement> {
        let node = self.me;
        let (is_connected, is_survey_due) = (self.disconnected_since.is_none(), self.is_survey_due);
        let alive_at = match self.lease.is_held(now) {
            true => self.database_time_at(now),
            false => self.database_time.map(|(at, _)| at),
        };
        match self.phase {
            Phase::Joining => Some(Statement::Register {
                node,
                name: self.settings.name.clone(),
                engines: self.settings.engines.clone(),
            }),
            Phase::Serving | Phase::Draining(_) if is_survey_due => {
                Some(Statement::Survey { node, may_mark_dead: self.lease.is_steady(now) })
            }
            Phase::Serving => Some(Statement::Renew { node, alive_at, is_connected, is_draining: false }),
            Phase::Draining(_) => Some(Statement::Renew { node, alive_at, is_connected, is_draining: true }),
            Phase::Leaving(_) => Some(Statement::Leave { node }),
            Phase::Ended => None,
        }
    }

    fn handle_lease_outcome(&mut self, of: &Statement, outcome: Outcome, sent: Duration, now: Duration) {
        match (of, outcome) {
            (Statement::Register { .. } | Statement::Renew { .. }, Outcome::Renewed { at }) => {
                self.database_time = Some((at, now));
                self.lease.renew(sent, now);
                if self.phase == Phase::Joining {
                    self.phase = Phase::Serving;
                }
                self.is_survey_due = true;
            }
            (_, Outcome::Nodes(nodes)) => {
                let dead = |nodes: &[NodeRow]| {
                    let dead = nodes.iter().filter(|node| node.state == NodeState::Dead);
                    dead.map(|node| node.id).collect::<BTreeSet<_>>()
                };
                if !dead(&nodes).is_subset(&dead(&self.nodes)) {
                    self.next_search = now;
                }
                self.nodes = nodes;
                self.surveyed = Some(sent);
                self.is_survey_due = false;
                self.lease_lane.wait_until((sent + RENEWAL_INTERVAL).max(now));
            }
            (_, Outcome::Refused) => {
                self.actions.push(Action::ReportRefusal);
                self.lease_lane.wait_until(now + JOIN_INTERVAL);
            }
            (_, Outcome::Left) => self.end(Action::Exit),
            (_, Outcome::Dead) => match self.phase {
                Phase::Draining(_) | Phase::Leaving(_) => self.end(Action::Exit),
                Phase::Joining | Phase::Serving | Phase::Ended => self.end(Action::Restart),
            },
            _ => unreachable!("each statement has its own outcome"),
        }
    }

    fn handle_lease_failure(&mut self, now: Duration) {
        self.lease.interrupt();
        self.is_survey_due = false;
        self.lease_lane.wait_until(now + RETRY_INTERVAL);
    }

    fn execute(&mut self, statement: Statement, now: Duration) {
        self.last_number += 1;
        let number = self.last_number;
        let lane = match &statement {
            Statement::Unowned { .. }
            | Statement::Owned { .. }
            | Statement::Claim { .. }
            | Statement::Release { .. }
            | Statement::ReleaseHibernating { .. } => &mut self.match_lane,
            Statement::Register { .. }
            | Statement::Renew { .. }
            | Statement::Survey { .. }
            | Statement::Leave { .. } => &mut self.lease_lane,
        };
        lane.begin(number, statement.clone(), now);
        self.actions.push(Action::Execute { number, statement });
    }

    /// Stops all matches and ends the membership with this action.
    fn end(&mut self, action: Action) {
        let owned = std::mem::take(&mut self.owned);
        if !owned.is_empty() {
            self.actions.push(Action::Stop(owned.into_keys().collect()));
        }
        self.phase = Phase::Ended;
        self.actions.push(action);
    }
}

/// Returns the outage of a match that a node has claimed: from the last sign of life of its owner
/// until the end of the grace period. Players are charged for the time before it only.
#[must_use]
pub fn outage(claimed: &ClaimedMatch, now: Timestamp, grace: Duration) -> Outage {
    Outage { last_alive: claimed.unowned_since, back: now, resumes: now + grace }
}
