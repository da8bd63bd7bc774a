//! The requests that have no answer yet.

use std::collections::BTreeMap;

use quadrex_protocol::view::Head;
use quadrex_rules::Timestamp;

use super::{RequestAnswer, TableRequest};
use crate::limits::{ANSWER_PATIENCE, REQUEST_PATIENCE, SNAPSHOT_LIFETIME};
use crate::message::{MessageBody, Watch, WatchOutcome};
use crate::{Correlation, NodeId};

/// The requests without an answer, in the order of their numbers.
#[derive(Debug, Default)]
pub(super) struct Requests {
    open: BTreeMap<Correlation, Open>,
    /// The last snapshot that is right for all spectators, with the time of its arrival.
    shared: Option<(Timestamp, WatchOutcome)>,
}

/// A request without an answer.
#[derive(Debug)]
struct Open {
    request: TableRequest,
    since: Timestamp,
    sent: Option<Sent>,
    /// The request of another spectator, whose snapshot this request waits for.
    rides_on: Option<Correlation>,
    /// The last event that was published at this node before the request. A snapshot must show it.
    head: Option<Head>,
}

#[derive(Clone, Copy, Debug)]
struct Sent {
    to: NodeId,
    at: Timestamp,
}

impl Requests {
    /// Adds a request. The request of a spectator waits for the snapshot of another spectator, if
    /// one has just been requested.
    pub(super) fn add(
        &mut self,
        correlation: Correlation,
        request: TableRequest,
        head: Option<Head>,
        now: Timestamp,
    ) {
        let is_spectator =
            |request: &TableRequest| matches!(request, TableRequest::Watch { is_spectator: true, .. });
        let other = self.open.iter().find(|(_, open)| open.rides_on.is_none() && is_spectator(&open.request));
        let rides_on = other.filter(|_| is_spectator(&request)).map(|(correlation, _)| *correlation);
        self.open.insert(correlation, Open { request, since: now, sent: None, rides_on, head });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns a snapshot for a spectator's request, if there is a recent one.
    pub(super) fn shared_snapshot(&self, request: &TableRequest, now: Timestamp) -> Option<WatchOutcome> {
        let TableRequest::Watch { is_spectator: true, .. } = request else { return None };
        let (at, snapshot) = self.shared.as_ref()?;
        let is_recent = now.since(*at) < SNAPSHOT_LIFETIME;
        (is_recent || quadrex_runtime::has_planted!(ProxyKeepsSnapshot)).then(|| snapshot.clone())
    }

    /// Forgets the shared snapshot, because something was published.
    pub(super) fn forget_snapshot(&mut self) {
        if !quadrex_runtime::has_planted!(ProxyKeepsSnapshot) {
            self.shared = None;
        }
    }

    /// Returns the messages of the requests that were not sent to this owner, and notes that they
    /// are sent now. Requests to watch are sent only if this owner has answered the follow: before,
    /// it knows of no user of this node.
    pub(super) fn due(
        &mut self,
        owner: NodeId,
        may_watch: bool,
        presence_version: u64,
        now: Timestamp,
    ) -> Vec<(Correlation, MessageBody)> {
        let is_due = |open: &Open| {
            let is_sent = open.sent.is_some_and(|sent| sent.to == owner);
            let is_allowed = may_watch || !matches!(open.request, TableRequest::Watch { .. });
            !is_sent && is_allowed && open.rides_on.is_none()
        };
        let due = self.open.iter_mut().filter(|(_, open)| is_due(open));
        let message = |(correlation, open): (&Correlation, &mut Open)| {
            open.sent = Some(Sent { to: owner, at: now });
            (*correlation, message(&open.request, presence_version))
        };
        due.map(message).collect()
    }

    /// Notes that requests without an answer have to be sent again.
    pub(super) fn repeat_unanswered(&mut self, now: Timestamp) {
        for open in self.open.values_mut() {
            if open.sent.is_some_and(|sent| now.since(sent.at) >= ANSWER_PATIENCE) {
                open.sent = None;
            }
        }
    }

    /// Returns whether the owner has not answered a request in time.
    pub(super) fn are_unanswered(&self, now: Timestamp) -> bool {
        self.next_unanswered().is_some_and(|deadline| deadline <= now)
    }

    pub(super) fn next_unanswered(&self) -> Option<Timestamp> {
        self.open.values().filter_map(|open| Some(open.sent?.at + ANSWER_PATIENCE)).min()
    }

    /// Removes the requests that have waited for too long, and returns their numbers.
    pub(super) fn expired(&mut self, now: Timestamp) -> Vec<Correlation> {
        let is_expired = |open: &Open| now.since(open.since) >= REQUEST_PATIENCE;
        let expired: Vec<_> =
            self.open.iter().filter(|(_, open)| is_expired(open)).map(|(number, _)| *number).collect();
        for correlation in &expired {
            self.remove(*correlation);
        }
        expired
    }

    pub(super) fn next_expiry(&self) -> Option<Timestamp> {
        self.open.values().map(|open| open.since + REQUEST_PATIENCE).min()
    }

    /// Notes that a node does not own the table.
    pub(super) fn refused(&mut self, correlation: Correlation, by: NodeId) {
        if let Some(open) = self.open.get_mut(&correlation) {
            open.sent = open.sent.filter(|sent| sent.to != by);
        }
    }

    /// Removes a request that is answered, while `published` is the last event that was published
    /// at this node. Returns the requests that get the same answer, or `None` if the request was
    /// answered before or the answer does not fit it.
    pub(super) fn answered(
        &mut self,
        correlation: Correlation,
        answer: &RequestAnswer,
        published: Option<Head>,
        now: Timestamp,
    ) -> Option<Vec<Correlation>> {
        if !self.open.get(&correlation).is_some_and(|open| fits(&open.request, answer)) {
            return None;
        }
        let mut same = Vec::new();
        if let RequestAnswer::Watch(snapshot @ WatchOutcome::Watching { head, is_shared: true, .. }) = answer
        {
            let shows = |known: Head| known.match_id == head.match_id && known.seq <= head.seq;
            if published.is_none_or(shows) {
                self.shared = Some((now, snapshot.clone()));
            }
            let riders = self.open.iter().filter(|(_, open)| open.rides_on == Some(correlation));
            same.extend(riders.filter(|(_, open)| open.head.is_none_or(shows)).map(|(number, _)| *number));
        }
        for rider in &same {
            self.open.remove(rider);
        }
        self.remove(correlation);
        Some(same)
    }

    /// Removes a request. The requests that waited for its snapshot are sent by themselves.
    fn remove(&mut self, correlation: Correlation) {
        self.open.remove(&correlation);
        for open in self.open.values_mut().filter(|open| open.rides_on == Some(correlation)) {
            open.rides_on = None;
        }
    }

    /// Returns the requests without an answer.
    pub(super) fn into_open(self) -> Vec<(Correlation, TableRequest)> {
        self.open.into_iter().map(|(correlation, open)| (correlation, open.request)).collect()
    }
}

fn fits(request: &TableRequest, answer: &RequestAnswer) -> bool {
    match answer {
        RequestAnswer::Command(_) => matches!(request, TableRequest::Command(_)),
        RequestAnswer::Watch(_) => matches!(request, TableRequest::Watch { .. }),
        RequestAnswer::LinkRevoked => matches!(request, TableRequest::RevokeLink(_)),
        RequestAnswer::TimedOut => true,
    }
}

fn message(request: &TableRequest, presence_version: u64) -> MessageBody {
    match request {
        TableRequest::Command(command) => {
            crate::message::Command { presence_version, ..command.clone() }.into()
        }
        TableRequest::Watch { watch, .. } => Watch { presence_version, ..watch.clone() }.into(),
        TableRequest::RevokeLink(revoke) => revoke.clone().into(),
    }
}
