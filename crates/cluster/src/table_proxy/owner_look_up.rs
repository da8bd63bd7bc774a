//! The look-up of a table's owner.

use quadrex_rules::Timestamp;

use crate::limits::{ANSWER_PATIENCE, LOOK_UP_INTERVAL};

/// The state of the look-up. Look-ups are not started more often than once in
/// [`LOOK_UP_INTERVAL`], because each of them costs a query.
#[derive(Debug, Default)]
pub(super) struct OwnerLookUp {
    phase: Phase,
    /// The start of the last look-up.
    last: Option<Timestamp>,
    /// The last time when another node's word about the owner was accepted.
    last_hint: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, Default)]
enum Phase {
    #[default]
    Idle,
    /// The look-up starts at this time.
    Due(Timestamp),
    /// The look-up started at this time.
    Running(Timestamp),
}

impl OwnerLookUp {
    /// Starts a look-up now, or once enough time has passed since the last one. Returns whether it
    /// starts now.
    pub(super) fn start(&mut self, now: Timestamp) -> bool {
        if !self.is_idle() {
            return false;
        }
        self.phase = Phase::Due(self.last.map_or(now, |last| now.max(last + LOOK_UP_INTERVAL)));
        self.is_due(now)
    }

    /// Returns whether a look-up must start now, and notes its start.
    pub(super) fn is_due(&mut self, now: Timestamp) -> bool {
        let is_due = self.next_deadline().is_some_and(|deadline| deadline <= now);
        if is_due {
            (self.phase, self.last) = (Phase::Running(now), Some(now));
        }
        is_due
    }

    /// Returns the time at which the next look-up starts. A look-up without a result is repeated.
    pub(super) fn next_deadline(&self) -> Option<Timestamp> {
        match self.phase {
            Phase::Idle => None,
            Phase::Due(at) => Some(at),
            Phase::Running(since) => Some(since + ANSWER_PATIENCE),
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        matches!(self.phase, Phase::Idle)
    }

    pub(super) fn found(&mut self) {
        self.phase = Phase::Idle;
    }

    pub(super) fn not_found(&mut self, now: Timestamp) {
        self.phase = Phase::Due(now + LOOK_UP_INTERVAL);
    }

    /// Returns whether the owner may be set to the node that another node names. Two nodes that
    /// name each other are not asked in turns without a pause.
    pub(super) fn accepts_hint(&mut self, now: Timestamp) -> bool {
        let is_accepted = self.last_hint.is_none_or(|last| now.since(last) >= LOOK_UP_INTERVAL);
        if is_accepted {
            self.last_hint = Some(now);
            self.phase = Phase::Idle;
        }
        is_accepted
    }
}
