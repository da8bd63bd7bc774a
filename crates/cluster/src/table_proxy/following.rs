//! Following the table: the numbered messages of the owner, and the repair of gaps.

use std::collections::BTreeMap;

use quadrex_protocol::view::Head;
use quadrex_rules::Timestamp;

use super::{ProxyEffect, TableProxy};
use crate::limits::{ANSWER_PATIENCE, GAP_PATIENCE, OWNER_PATIENCE};
use crate::message::{
    Follow, FollowAnswer, FollowHead, MessageBody, PublicationContent, Published, TablePublication, Unfollow,
};
use crate::node_subscription::PublishedState;
use crate::{Correlation, FollowId, NodeId};

/// The largest number of messages that are kept because earlier ones are missing.
const MAX_EARLY: usize = 256;

/// The largest number of past matches that a proxy remembers.
const MAX_PAST_MATCHES: usize = 16;

/// The state of a proxy's follow.
#[derive(Debug, Default)]
pub(super) struct Following {
    phase: Phase,
    /// Messages of the current follow that arrived before others, by their numbers.
    early: BTreeMap<u64, Published>,
}

#[derive(Clone, Copy, Debug, Default)]
enum Phase {
    /// There is no owner.
    #[default]
    Stopped,
    /// The owner has not answered the follow.
    Asked { follow: FollowId, at: Timestamp, presence_version: u64 },
    /// The owner publishes to this node.
    Live {
        follow: FollowId,
        /// The number of messages that have arrived without a gap.
        count: u64,
        /// The time when a gap was noticed, if there is one.
        gap_since: Option<Timestamp>,
        /// The last sign that the owner knows the follow.
        confirmed_at: Timestamp,
    },
}

/// The error of a publication that does not continue the last one.
#[derive(Debug)]
struct Discontinuous;

impl Following {
    /// Returns the number of the follow, if the owner has answered it.
    pub(super) fn live(&self) -> Option<FollowId> {
        match self.phase {
            Phase::Live { follow, .. } => Some(follow),
            Phase::Stopped | Phase::Asked { .. } => None,
        }
    }

    /// Returns the number of the follow.
    pub(super) fn current(&self) -> Option<FollowId> {
        match self.phase {
            Phase::Live { follow, .. } | Phase::Asked { follow, .. } => Some(follow),
            Phase::Stopped => None,
        }
    }

    pub(super) fn stop(&mut self) {
        self.phase = Phase::Stopped;
        self.early.clear();
    }

    /// Handles an entry of the owner's heartbeat. Returns whether it is about the current follow.
    pub(super) fn on_heartbeat(&mut self, head: &FollowHead, now: Timestamp) -> bool {
        match &mut self.phase {
            Phase::Live { follow, count, gap_since, confirmed_at } if *follow == head.follow => {
                *confirmed_at = now;
                if head.count > *count {
                    gap_since.get_or_insert(now);
                }
                true
            }
            Phase::Stopped | Phase::Asked { .. } | Phase::Live { .. } => false,
        }
    }

    /// Returns whether a gap was not filled in time.
    pub(super) fn is_gap_due(&self, now: Timestamp) -> bool {
        self.next_gap().is_some_and(|deadline| deadline <= now)
    }

    pub(super) fn next_gap(&self) -> Option<Timestamp> {
        match self.phase {
            Phase::Live { gap_since: Some(since), .. } => Some(since + GAP_PATIENCE),
            Phase::Stopped | Phase::Asked { .. } | Phase::Live { .. } => None,
        }
    }

    /// Returns whether the owner has been silent for too long.
    pub(super) fn is_silent(&self, now: Timestamp) -> bool {
        self.next_silent().is_some_and(|deadline| deadline <= now)
    }

    pub(super) fn next_silent(&self) -> Option<Timestamp> {
        match self.phase {
            Phase::Stopped => None,
            Phase::Asked { at, .. } => Some(at + ANSWER_PATIENCE),
            Phase::Live { confirmed_at, .. } => Some(confirmed_at + OWNER_PATIENCE),
        }
    }

    /// Removes and returns the next message, if it has arrived. Notes whether there is a gap.
    fn next_early(&mut self, now: Timestamp) -> Option<Published> {
        let Phase::Live { count, gap_since, .. } = &mut self.phase else { return None };
        self.early.retain(|number, _| number > count);
        let next = self.early.remove(&(*count + 1));
        match &next {
            Some(_) => *count += 1,
            None if self.early.is_empty() => *gap_since = None,
            None => {
                gap_since.get_or_insert(now);
            }
        }
        next
    }
}

impl TableProxy {
    /// Asks the owner for all publications after the last one that was published here.
    pub(super) fn ask_to_follow(&mut self, now: Timestamp) {
        let Some(owner) = self.owner else { return };
        let (follow, presence) = (self.numbers.follow(), self.presence.clone());
        self.following.phase = Phase::Asked { follow, at: now, presence_version: presence.version };
        self.following.early.clear();
        let body = Follow { table: self.table, follow, after: self.head, presence };
        self.send(owner, Correlation::default(), body.into());
    }

    /// Asks the owner again if it has not answered, or has been silent for too long.
    pub(super) fn ask_again_if_silent(&mut self, now: Timestamp) {
        if self.following.is_silent(now) {
            self.ask_to_follow(now);
        }
    }

    pub(super) fn on_not_following(&mut self, from: NodeId, follow: FollowId, now: Timestamp) {
        // A follow without an answer may still be under way, and is repeated anyway.
        if self.owner == Some(from) && self.following.live() == Some(follow) {
            self.ask_to_follow(now);
        }
    }

    pub(super) fn on_follow_answer(&mut self, from: NodeId, answer: FollowAnswer, now: Timestamp) {
        let Phase::Asked { follow, presence_version, .. } = self.following.phase else { return };
        if self.owner != Some(from) || follow != answer.follow {
            return;
        }
        let head = answer.overview.head;
        self.effects.push(ProxyEffect::UpdateOverview(answer.overview));
        if self.head.is_none() {
            self.head = Some(head);
        } else {
            // Watchers that have lost their right meanwhile do not receive what has happened since.
            self.effects.push(ProxyEffect::CheckAccess);
            if self.publish_missed(answer.missed, head).is_err() {
                // The follow counts as unanswered, and is repeated.
                return;
            }
        }
        self.following.phase =
            Phase::Live { follow, count: answer.count, gap_since: None, confirmed_at: now };
        if presence_version != self.presence.version {
            self.send_presence();
        }
        self.publish_early(now);
        self.send_requests(now);
    }

    fn publish_missed(&mut self, missed: Vec<TablePublication>, head: Head) -> Result<(), Discontinuous> {
        for publication in missed {
            self.publish(publication)?;
        }
        if self.head == Some(head) { Ok(()) } else { Err(Discontinuous) }
    }

    pub(super) fn on_published(&mut self, from: NodeId, message: Published, now: Timestamp) {
        if self.owner != Some(from) {
            self.unfollow(from, message.follow);
            return;
        }
        if self.following.current() != Some(message.follow) {
            return;
        }
        if let Phase::Live { confirmed_at, .. } = &mut self.following.phase {
            *confirmed_at = now;
        }
        self.following.early.insert(message.number, message);
        if self.following.early.len() > MAX_EARLY {
            self.ask_to_follow(now);
            return;
        }
        self.publish_early(now);
    }

    /// Publishes the messages that have arrived up to the first gap.
    fn publish_early(&mut self, now: Timestamp) {
        while let Some(message) = self.following.next_early(now) {
            let Published { publication, head, status, open_turn, overview, .. } = message;
            if publication.is_some_and(|publication| self.publish(publication).is_err()) {
                self.ask_to_follow(now);
                return;
            }
            self.effects.push(match overview {
                Some(overview) => ProxyEffect::UpdateOverview(overview),
                None => ProxyEffect::UpdateState(PublishedState { head, status, open_turn }),
            });
        }
        self.release_held(now);
    }

    /// Publishes to the watchers at this node, unless they have the event already.
    fn publish(&mut self, publication: TablePublication) -> Result<(), Discontinuous> {
        let match_id = publication.match_id;
        let is_same_match = self.head.is_some_and(|head| head.match_id == match_id);
        let known_seq = self.head.map_or(0, |head| head.seq);
        let seq = match &publication.content {
            PublicationContent::Event { seq, .. } if is_same_match && *seq <= known_seq => return Ok(()),
            PublicationContent::NextMatch { .. } if is_same_match => return Ok(()),
            PublicationContent::Event { seq, .. } if is_same_match && *seq == known_seq + 1 => Some(*seq),
            PublicationContent::Event { .. } => return Err(Discontinuous),
            PublicationContent::NextMatch { seq, .. } | PublicationContent::Snapshot { seq, .. } => {
                Some(*seq)
            }
            PublicationContent::Presence { .. }
            | PublicationContent::LeftTable { .. }
            | PublicationContent::LinksEnded { .. }
            | PublicationContent::Kicked { .. } => None,
        };
        if let Some(seq) = seq {
            self.set_head(Head { match_id, seq });
        }
        self.requests.forget_snapshot();
        self.effects.push(ProxyEffect::Publish(publication));
        Ok(())
    }

    fn set_head(&mut self, head: Head) {
        if let Some(before) = self.head.filter(|before| before.match_id != head.match_id) {
            self.past_matches.truncate(MAX_PAST_MATCHES - 1);
            self.past_matches.push_front(before.match_id);
        }
        self.head = Some(head);
    }

    /// Ends a follow at a node that is not the owner. Without an owner, it may still be it.
    pub(super) fn unfollow(&mut self, from: NodeId, follow: FollowId) {
        if self.owner.is_some() {
            let body = MessageBody::Unfollow(Unfollow { table: self.table, follow });
            self.send(from, Correlation::default(), body);
        }
    }
}
