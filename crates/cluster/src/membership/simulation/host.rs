//! A host of a simulation: a machine on which one node runs.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_protocol::MatchId;
use quadrex_store::{Epoch, NodeId};

use super::world::Event;
use crate::membership::{Membership, NodeSettings};

/// The time between the request to drain and the first release.
const LEAVE_WAIT: Duration = Duration::from_secs(3);

/// A machine with a node's process.
pub(super) struct Host {
    /// The process; `None` if none runs.
    pub(super) membership: Option<Membership>,
    /// The moment until which the process is paused.
    pub(super) paused_until: Option<u64>,
    /// Events that wait until the process is not paused any more.
    pub(super) waiting: Vec<Event>,
    /// The moments until which requests to the database, its answers, and messages are cut off.
    pub(super) requests_cut_until: u64,
    pub(super) answers_cut_until: u64,
    pub(super) messages_cut_until: u64,
    /// True if requests of other nodes to take matches over, after a drain, are lost.
    pub(super) loses_requests: bool,
    /// The number of the connection that has the session. Statements of earlier connections are
    /// late.
    pub(super) connection: u64,
    /// True if the node believes that its session is open.
    pub(super) believes_in_session: bool,
    /// The moment at which the process starts again, if it has ended.
    pub(super) restart_at: u64,
    /// The epoch and the head of each match, as far as the node knows.
    pub(super) logs: BTreeMap<MatchId, (Epoch, u64)>,
    /// The speed of the monotonic clock, in parts per thousand, and its value at the begin.
    speed: u64,
    offset: u64,
}

impl Host {
    pub(super) fn new(speed: u64, offset: u64) -> Self {
        Self {
            membership: None,
            paused_until: None,
            waiting: Vec::new(),
            requests_cut_until: 0,
            answers_cut_until: 0,
            messages_cut_until: 0,
            loses_requests: false,
            connection: 0,
            believes_in_session: false,
            restart_at: 0,
            logs: BTreeMap::new(),
            speed,
            offset,
        }
    }

    /// Returns the moment by the host's monotonic clock.
    pub(super) fn monotonic(&self, now: u64) -> Duration {
        Duration::from_millis(self.offset + now * self.speed / 1_000)
    }

    pub(super) fn start(&mut self, id: NodeId, now: u64) {
        let settings = NodeSettings {
            name: id.to_string(),
            engines: vec!["quadrex".to_owned()],
            leave_wait: LEAVE_WAIT,
        };
        self.membership = Some(Membership::new(id, settings, self.monotonic(now)));
        self.connection += 1;
        self.believes_in_session = false;
        self.logs.clear();
    }

    pub(super) fn stop(&mut self) {
        self.membership = None;
        self.paused_until = None;
        self.waiting.clear();
        self.logs.clear();
        self.loses_requests = false;
    }

    pub(super) fn id(&self) -> Option<NodeId> {
        self.membership.as_ref().map(Membership::id)
    }

    /// Returns whether the process, when it runs next, may act for a match.
    pub(super) fn may_act(&self, match_id: MatchId, now: u64) -> bool {
        let now = self.monotonic(now);
        self.membership.as_ref().is_some_and(|membership| membership.may_act(match_id, now))
    }

    /// Returns whether players can move in a match of this node now.
    pub(super) fn can_store(&self, match_id: MatchId, now: u64) -> bool {
        self.paused_until.is_none()
            && now >= self.requests_cut_until
            && now >= self.answers_cut_until
            && self.may_act(match_id, now)
    }
}
