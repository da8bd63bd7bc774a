//! The restart of a table after a panic: another actor takes over the endpoint.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use quadrex_rules::Timestamp;
use quadrex_store::error_chain::chain;
use quadrex_table::{Outage, state_view};

use super::endpoint::{ServeEnd, Served, TableEndpoint, doubled};
use super::load::LoadError;
use super::match_log::MatchLog;
use super::publications;
use super::table_actor::{TableActor, TableDeps};
use crate::telemetry::metrics::METRICS;

/// The match that the watchers of an endpoint have seen last, and the matches at the table after
/// it.
struct Succession {
    log: MatchLog,
    next_matches: Vec<MatchLog>,
}

impl TableActor {
    /// Reads a table whose actor has just panicked, and serves its endpoint. Watchers receive the
    /// events that the actor had appended but not published. Nobody is charged for the time without
    /// an actor.
    pub async fn restart(deps: TableDeps, mut endpoint: TableEndpoint) -> Served {
        let panicked_at = deps.clock.now();
        endpoint.record_lost_actor();
        let mut pause = endpoint.panics.record(panicked_at);
        let mut failures = 0;
        loop {
            if let ControlFlow::Break(end) = endpoint.refuse_for(pause).await {
                return Served { endpoint, end };
            }
            deps.lease.wait_until_held().await;
            let succession = Succession::load(&deps, &endpoint, panicked_at);
            match AssertUnwindSafe(succession).catch_unwind().await {
                Ok(Ok(Some(Succession { log, next_matches }))) => {
                    return Self::on(endpoint, deps, log).serve_after(Some(next_matches)).await;
                }
                Ok(Err(LoadError::Store(error))) => {
                    tracing::warn!(table.id = %endpoint.table(), "a table cannot be read yet: {}", chain(&error));
                    pause = doubled(Duration::from_secs(1), failures);
                    failures += 1;
                }
                Ok(Err(LoadError::CorruptLog(error))) => {
                    METRICS.matches.unreadable.inc();
                    tracing::error!(table.id = %endpoint.table(), "a match cannot be replayed: {}", chain(&error));
                    return Served { endpoint, end: ServeEnd::Unreadable };
                }
                Ok(Ok(None)) => return Served { endpoint, end: ServeEnd::Unreadable },
                Ok(Err(LoadError::OtherOwner)) => return Served { endpoint, end: ServeEnd::HandedOver },
                Err(panic) => return Served { endpoint, end: ServeEnd::Panicked(panic_message(&*panic)) },
            }
        }
    }

    /// Serves the endpoint that a proxy has served before. The watchers receive the events that the
    /// former owner had appended but not published.
    pub async fn serve_on(self, mut endpoint: TableEndpoint) -> Served {
        let Self { deps, log, endpoint: unused, .. } = self;
        (endpoint.followers, endpoint.presence_known_at) = (unused.followers, unused.presence_known_at);
        let now = deps.clock.now();
        let mut actor = Self::on(endpoint, deps, log);
        actor.continue_publications(now);
        actor.serve_after(Some(Vec::new())).await
    }

    /// Determines what the watchers of a proxy have received. If they have seen an earlier match, or
    /// events that are not in the log, publishes a snapshot.
    fn continue_publications(&mut self, now: Timestamp) {
        let Self { log, endpoint, .. } = self;
        let (state, published) = (log.state(), &mut endpoint.published);
        if published.match_id == state.match_id() && (1..=state.head()).contains(&published.seq) {
            let seq = published.seq;
            log.history().replay_from(seq - 1, |entry, state| {
                if entry.seq == seq {
                    published.state = state_view(state, Timestamp::from_millis(entry.at_ms));
                }
            });
            return;
        }
        self.revoke_lost_access();
        let presence = self.shown_presence(now);
        let Self { log, endpoint, .. } = self;
        let publication = publications::snapshot(log.history(), &presence, endpoint.watchers.users(), now);
        endpoint.published.set_match(log.state(), now);
        self.publish(publication);
    }

    /// Brings the watchers of the endpoint up to date, when this actor follows another one.
    pub(super) fn take_over(&mut self, next_matches: Vec<MatchLog>) {
        let now = self.deps.clock.now();
        let connected = self.endpoint.connected_players(self.state());
        self.log.set_connected(&connected, now);
        self.publish_missed_events(now);
        for next_match in next_matches {
            self.begin_next_match(next_match, now);
        }
        self.revoke_lost_access();
        self.state_changed(now);
        self.schedule_first_presence(now);
        self.update_claim_in_overview();
    }
}

impl Succession {
    /// Reads the matches. Claims them if an earlier actor on the endpoint had claimed them.
    async fn load(
        deps: &TableDeps,
        endpoint: &TableEndpoint,
        panicked_at: Timestamp,
    ) -> Result<Option<Self>, LoadError> {
        let (table, match_id, now) = (endpoint.table(), endpoint.published.match_id, deps.clock.now());
        if !endpoint.was_claimed {
            let log = MatchLog::read(deps.claims(), table, match_id, now).await?;
            return Ok(Some(Self { log, next_matches: Vec::new() }));
        }
        let outage = Outage { last_alive: Some(panicked_at), back: now, resumes: now };
        let Some(log) = MatchLog::resume(deps.claims(), table, match_id, outage).await? else {
            return if deps.cluster.is_some() { Err(LoadError::OtherOwner) } else { Ok(None) };
        };
        let mut next_matches: Vec<MatchLog> = Vec::new();
        while let Some(next_match) = next_matches.last().unwrap_or(&log).claim_next_match().await? {
            next_matches.push(next_match);
        }
        Ok(Some(Self { log, next_matches }))
    }
}

/// Returns the message of a panic.
pub(super) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
