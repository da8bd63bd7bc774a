//! The claims and releases of a node.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use quadrex_protocol::MatchId;
use quadrex_rules::Timestamp;
use quadrex_store::{ClaimedMatch, Epoch, NodeId, NodeRow, NodeState, Outcome, Statement, UnownedMatch};

use super::{Action, DISCONNECTED_WAIT, FENCE, Membership, Phase, RETRY_INTERVAL, claimant};

/// The maximum number of matches in a claim.
const CLAIM_BATCH: usize = 500;

/// The number of matches in a release. A match has no owner between its release and the claim of
/// its successor, so a batch must be quick.
const RELEASE_BATCH: usize = 50;

/// The number of hibernating matches in a release. They have no actors that end.
const HIBERNATING_RELEASE_BATCH: u32 = 2_000;

/// The maximum number of matches in the result of a search.
const SEARCH_LIMIT: u32 = 5_000;

/// The time between two searches for matches without an owner.
const SEARCH_INTERVAL: Duration = Duration::from_secs(1);

/// The time between two searches that also find matches whose owner's row is missing.
const COMPLETE_SEARCH_INTERVAL: Duration = Duration::from_secs(60);

/// The time between two audits of the node's own matches.
pub(super) const AUDIT_INTERVAL: Duration = Duration::from_secs(30);

/// The time between an audit that finds an unknown match and the next audit.
const SECOND_AUDIT_DELAY: Duration = Duration::from_secs(5);

impl Membership {
    /// Claims a match, if it has no living owner: a client asks for it, or its former owner has
    /// requested this node to take it over.
    pub fn want(&mut self, match_id: MatchId) {
        if self.phase == Phase::Serving && !self.owned.contains_key(&match_id) {
            self.wanted.insert(match_id);
        }
    }

    /// Claims a match again whose log has another epoch or head than this node knows.
    pub fn want_again(&mut self, match_id: MatchId) {
        if self.owned.contains_key(&match_id) {
            self.wanted.insert(match_id);
        }
    }

    /// Records that this node has created a match.
    pub fn add(&mut self, match_id: MatchId) {
        self.owned.insert(match_id, ClaimedMatch { match_id, epoch: Epoch::FIRST, unowned_since: None });
    }

    /// Records that a match is over or hibernates, and has no actor any more.
    pub fn remove(&mut self, match_id: MatchId) {
        self.owned.remove(&match_id);
    }

    /// Returns the node that claims a match if it has no owner. Requests for the match are sent
    /// there.
    #[must_use]
    pub fn claimant(&self, match_id: MatchId) -> Option<NodeId> {
        claimant(&self.nodes, match_id, None)
    }

    /// Returns whether the node gives its matches to others because only they are connected. Rows
    /// that were not renewed recently, because of an outage of the database, say nothing.
    #[must_use]
    pub fn stands_aside(&self, now: Duration) -> bool {
        let is_recent = self.surveyed.is_some_and(|surveyed| now < surveyed + FENCE);
        let Some(mine) = self.nodes.iter().find(|node| is_recent && node.id == self.me) else { return false };
        self.disconnected_since.is_some_and(|since| now >= since + DISCONNECTED_WAIT)
            && self.others().any(|node| {
                let is_connected = node.is_connected && node.state == NodeState::Serving;
                is_connected && node.renewed_at + FENCE >= mine.renewed_at
            })
    }

    fn others(&self) -> impl Iterator<Item = &NodeRow> {
        self.nodes.iter().filter(|node| node.id != self.me)
    }

    pub(super) fn next_match_statement(&mut self, now: Duration) -> Option<Statement> {
        let node = self.me;
        let is_releasing = match self.phase {
            Phase::Serving => self.stands_aside(now),
            Phase::Draining(since) => now >= since + self.settings.leave_wait,
            Phase::Joining | Phase::Leaving(_) | Phase::Ended => return None,
        };
        if !self.stopping.is_empty() {
            return Some(self.release());
        }
        if !self.wanted.is_empty() && self.lease.is_held(now) {
            let matches = self.wanted.iter().take(CLAIM_BATCH).copied().collect();
            return Some(Statement::Claim { node, matches });
        }
        if is_releasing {
            return self.next_release(now);
        }
        self.may_own_hibernating = true;
        if self.phase != Phase::Serving || !self.lease.is_held(now) {
            return None;
        }
        // A match that a client has asked for is claimed already. Another claim would end its actor's
        // claim.
        self.share.retain(|match_id| !self.owned.contains_key(match_id));
        if self.share.is_empty() {
            return self.next_search(now).or_else(|| self.next_audit(now));
        }
        let batch = self.share.len().min(CLAIM_BATCH);
        Some(Statement::Claim { node, matches: self.share.drain(..batch).collect() })
    }

    fn next_release(&mut self, now: Duration) -> Option<Statement> {
        self.share.clear();
        self.is_releasing = true;
        if self.owned.is_empty() {
            if self.may_own_hibernating {
                return Some(Statement::ReleaseHibernating {
                    node: self.me,
                    limit: HIBERNATING_RELEASE_BATCH,
                });
            }
            if let Phase::Draining(since) = self.phase
                && !self.has_clients
            {
                self.phase = Phase::Leaving(since);
            }
            return None;
        }
        while self.stopping.len() < RELEASE_BATCH
            && let Some((match_id, claim)) = self.owned.pop_first()
        {
            self.stopping.push((match_id, claim.epoch));
        }
        self.stopping_since = self.unheard_time().or_else(|| self.database_time_at(now));
        self.actions.push(Action::Stop(self.stopping.iter().map(|(match_id, _)| *match_id).collect()));
        Some(self.release())
    }

    /// Returns the release of the matches that are being stopped.
    fn release(&self) -> Statement {
        Statement::Release { node: self.me, matches: self.stopping.clone(), since: self.unheard_time() }
    }

    /// Returns the time of the database since when the node may not have reached the others, if it gives
    /// its matches to others because of that. Its players could not move, so they are not charged since
    /// then.
    fn unheard_time(&self) -> Option<Timestamp> {
        let since = self.unheard_since.filter(|_| self.phase == Phase::Serving)?;
        self.database_time_at(since)
    }

    fn next_search(&mut self, now: Duration) -> Option<Statement> {
        if now < self.next_search {
            return None;
        }
        self.next_search = now + SEARCH_INTERVAL;
        let is_complete = now >= self.next_complete_search;
        Some(Statement::Unowned { is_complete, limit: SEARCH_LIMIT })
    }

    fn next_audit(&mut self, now: Duration) -> Option<Statement> {
        if now < self.next_audit {
            return None;
        }
        self.next_audit = now + AUDIT_INTERVAL;
        Some(Statement::Owned { node: self.me })
    }

    /// Claims the matches again that this node owns in the database, but not here. A match may just
    /// have been created or removed, so only the second of two consecutive audits counts.
    fn audit(&mut self, owned: &[MatchId], now: Duration) {
        let is_known = |match_id: &MatchId| {
            self.owned.contains_key(match_id)
                || self.stopping.iter().any(|(stopping, _)| stopping == match_id)
        };
        let unknown: BTreeSet<_> = owned.iter().copied().filter(|match_id| !is_known(match_id)).collect();
        self.wanted.extend(unknown.intersection(&self.unknown));
        if !unknown.is_empty() {
            self.next_audit = self.next_audit.min(now + SECOND_AUDIT_DELAY);
        }
        self.unknown = unknown;
    }

    pub(super) fn handle_match_outcome(&mut self, of: &Statement, outcome: Outcome, now: Duration) {
        match (of, outcome) {
            (Statement::Unowned { is_complete, .. }, Outcome::Unowned(unowned)) => {
                if *is_complete {
                    self.next_complete_search = now + COMPLETE_SEARCH_INTERVAL;
                }
                self.share = self.share_of(&unowned);
            }
            (Statement::Claim { matches, .. }, Outcome::Claimed { claimed, hibernating, busy }) => {
                let mut lost = Vec::new();
                for match_id in matches.iter().filter(|match_id| !busy.contains(match_id)) {
                    self.wanted.remove(match_id);
                    let stopped = self.stopped.remove(match_id);
                    match claimed.iter().find(|claimed| claimed.match_id == *match_id) {
                        Some(claimed) => {
                            let unowned_since = claimed.unowned_since.or(stopped);
                            let claimed = ClaimedMatch { unowned_since, ..*claimed };
                            self.owned.insert(*match_id, claimed);
                            self.actions.push(Action::Start(claimed));
                        }
                        None if self.owned.remove(match_id).is_some() => lost.push(*match_id),
                        None => {}
                    }
                }
                if !lost.is_empty() {
                    self.actions.push(Action::Stop(lost));
                }
                if !hibernating.is_empty() {
                    self.actions.push(Action::List(hibernating));
                }
                if !busy.is_empty() {
                    self.match_lane.wait_until(now + RETRY_INTERVAL);
                }
            }
            (_, Outcome::Owned(owned)) => self.audit(&owned, now),
            (Statement::ReleaseHibernating { limit, .. }, Outcome::Released(released)) => {
                self.may_own_hibernating = released.len() >= *limit as usize;
                // Actors may have read some of these matches. The search finds all of them.
                self.actions.push(Action::Stop(released));
            }
            (Statement::Release { .. }, Outcome::Released(released)) => {
                // An attempt without an answer may have released the others. Or their epochs are
                // higher than this node knows.
                for (match_id, _) in std::mem::take(&mut self.stopping) {
                    if !released.contains(&match_id) {
                        self.wanted.insert(match_id);
                        self.stopped.extend(self.stopping_since.map(|since| (match_id, since)));
                    }
                }
                self.request_take_over(released);
            }
            _ => unreachable!("each statement has its own outcome"),
        }
    }

    pub(super) fn handle_match_failure(&mut self, of: &Statement, now: Duration) {
        if let Statement::Claim { matches, .. } = of {
            self.wanted.extend(matches);
        }
        self.match_lane.wait_until(now + RETRY_INTERVAL);
    }

    fn share_of(&self, unowned: &[UnownedMatch]) -> VecDeque<MatchId> {
        let ids = unowned.iter().map(|unowned| unowned.match_id);
        ids.filter(|match_id| self.claimant(*match_id) == Some(self.me)).collect()
    }

    fn request_take_over(&mut self, matches: Vec<MatchId>) {
        let others: Vec<NodeRow> = self.others().cloned().collect();
        let mut of_successors: BTreeMap<NodeId, Vec<MatchId>> = BTreeMap::new();
        for match_id in matches {
            if let Some(successor) = claimant(&others, match_id, None) {
                of_successors.entry(successor).or_default().push(match_id);
            }
        }
        let requests = of_successors.into_iter();
        self.actions.extend(requests.map(|(to, matches)| Action::RequestTakeOver { to, matches }));
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::super::NodeSettings;
    use super::*;

    const NOW: Duration = Duration::from_secs(1);

    fn id(number: u128) -> MatchId {
        MatchId(Uuid::from_u128(number))
    }

    /// Returns a node that holds its lease.
    fn serving() -> Membership {
        let settings = NodeSettings { name: String::new(), engines: Vec::new(), leave_wait: Duration::ZERO };
        let mut node = Membership::new(NodeId(Uuid::from_u128(2)), settings, NOW);
        node.phase = Phase::Serving;
        node.lease.renew(NOW, NOW);
        node
    }

    /// A claim without an answer may have succeeded. Without the claim's outcome, the node would own
    /// the match, and nobody would run it.
    #[test]
    fn a_claim_with_an_unknown_outcome_is_repeated() {
        let mut node = serving();
        node.share.extend([id(1), id(2)]);
        let claim = node.next_match_statement(NOW).expect("the matches are its share");
        node.handle_match_failure(&claim, NOW);
        assert!(!node.match_lane.is_idle(NOW), "the database gets a moment");
        assert_eq!(node.next_match_statement(NOW), Some(claim));
    }

    /// A claim that was sent twice may be executed late, when the node has given the match up. The
    /// node owns it then without knowing, which two audits in succession find.
    #[test]
    fn a_match_that_the_node_owns_without_knowing_is_claimed_after_two_audits() {
        let mut node = serving();
        node.add(id(1));
        let owned = |ids: &[u128]| Outcome::Owned(ids.iter().map(|number| id(*number)).collect());
        let audit = Statement::Owned { node: node.me };
        node.handle_match_outcome(&audit, owned(&[1, 2]), NOW);
        assert!(node.wanted.is_empty(), "the match may be a moment old");
        assert_eq!(node.next_audit, NOW + SECOND_AUDIT_DELAY);
        node.handle_match_outcome(&audit, owned(&[1, 3]), NOW);
        assert!(node.wanted.is_empty(), "each audit has found another match");
        node.handle_match_outcome(&audit, owned(&[1, 3]), NOW);
        assert_eq!(node.wanted, BTreeSet::from([id(3)]));
    }

    /// A claim that was sent twice may be executed late, and then the match has a higher epoch than the
    /// node knows. The node must not seem to have left the match since its last event.
    #[test]
    fn a_match_that_cannot_be_released_is_claimed_again_without_an_owner_since_it_was_stopped() {
        let now = NOW + Duration::from_millis(500);
        let mut node = serving();
        node.database_time = Some((Timestamp::from_millis(60_000), NOW));
        node.add(id(1));
        let release = node.next_release(now).expect("the node has a match");
        assert_eq!(node.actions, [Action::Stop(vec![id(1)])]);
        let later = now + Duration::from_secs(3);
        node.handle_match_outcome(&release, Outcome::Released(Vec::new()), later);
        let claim = node.next_match_statement(now).expect("the match is wanted");
        assert_eq!(claim, Statement::Claim { node: node.me, matches: vec![id(1)] });
        let claimed = ClaimedMatch { match_id: id(1), epoch: Epoch(6), unowned_since: None };
        let outcome = Outcome::Claimed { claimed: vec![claimed], hibernating: Vec::new(), busy: Vec::new() };
        node.handle_match_outcome(&claim, outcome.clone(), later);
        let since = Some(Timestamp::from_millis(60_500));
        assert_eq!(
            node.actions.last(),
            Some(&Action::Start(ClaimedMatch { unowned_since: since, ..claimed }))
        );
        node.handle_match_outcome(&claim, outcome, later);
        assert_eq!(node.actions.last(), Some(&Action::Start(claimed)), "the stop is forgotten");
    }

    /// After the death of a node, clients ask for matches that are also in the share of the node.
    #[test]
    fn a_match_that_a_client_asked_for_is_not_claimed_again_with_the_share() {
        let (now, id, mut node) = (NOW, id(1), serving());
        node.share.push_back(id);
        node.want(id);
        let claim = node.next_match_statement(now).expect("the match is wanted");
        assert_eq!(claim, Statement::Claim { node: node.me, matches: vec![id] });
        let since = Some(Timestamp::from_millis(7));
        let claimed = ClaimedMatch { match_id: id, epoch: Epoch(2), unowned_since: since };
        let outcome = Outcome::Claimed { claimed: vec![claimed], hibernating: Vec::new(), busy: Vec::new() };
        node.handle_match_outcome(&claim, outcome, now);
        assert_eq!(node.claim(id), Some(claimed), "a second client who asks learns the same");
        let next = node.next_match_statement(now);
        assert!(!matches!(next, Some(Statement::Claim { .. })), "{next:?}");
    }
}
