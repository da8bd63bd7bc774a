//! Statements that are executed one after the other.

use std::time::Duration;

use quadrex_store::Statement;

/// A sequence of statements, of which at most one is in flight.
#[derive(Debug)]
pub(super) struct Lane {
    timeout: Duration,
    in_flight: Option<InFlight>,
    /// The moment before which no statement is sent.
    idle_until: Duration,
}

#[derive(Debug)]
struct InFlight {
    number: u64,
    statement: Statement,
    sent: Duration,
}

impl Lane {
    pub(super) fn new(timeout: Duration) -> Self {
        Self { timeout, in_flight: None, idle_until: Duration::ZERO }
    }

    pub(super) fn is_idle(&self, now: Duration) -> bool {
        self.in_flight.is_none() && now >= self.idle_until
    }

    pub(super) fn begin(&mut self, number: u64, statement: Statement, sent: Duration) {
        self.in_flight = Some(InFlight { number, statement, sent });
    }

    /// Returns the statement in flight and the moment at which it was sent, if it has this number.
    /// It is not in flight any more.
    pub(super) fn finish(&mut self, number: u64) -> Option<(Statement, Duration)> {
        let done = self.in_flight.take_if(|in_flight| in_flight.number == number)?;
        Some((done.statement, done.sent))
    }

    /// Returns the statement in flight if it has not been answered in time. It is not in flight any
    /// more.
    pub(super) fn time_out(&mut self, now: Duration) -> Option<Statement> {
        let timeout = self.timeout;
        let late = self.in_flight.take_if(|in_flight| now >= in_flight.sent + timeout)?;
        Some(late.statement)
    }

    pub(super) fn wait_until(&mut self, moment: Duration) {
        self.idle_until = moment;
    }

    pub(super) fn wake(&mut self, now: Duration) {
        self.idle_until = self.idle_until.min(now);
    }
}
