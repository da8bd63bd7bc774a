//! The setup and the final checks of a run under injected faults.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, Result};

use quadrex_store::LEASE_DURATION;

use super::{FaultPlan, FaultReport};
use crate::checker;
use crate::contest::without_rate_limits;
use crate::ledger::{self, Ledger};
use crate::proxy::Proxy;
use crate::rng::Rng;
use crate::server::{Launch, Server};
use crate::swarm::{Pace, Plan, Swarm};

/// The number of commands of which one is to resign. A four-player match then ends after about 120
/// commands, and a rematch follows.
const RESIGNS: usize = 40;

/// A swarm that plays on a server.
pub(super) struct Scenario {
    pub(super) launch: Launch,
    pub(super) server: Server,
    proxy: Option<Proxy>,
    plan: Plan,
    writing: ledger::LedgerWriter,
    pub(super) swarm: Swarm,
    rng: Rng,
    /// The number of commands between two injections.
    each: u64,
    commands: u64,
    pub(super) injections: u64,
    pub(super) took: Duration,
}

impl Scenario {
    pub(super) async fn start(launch: Launch, faults: &FaultPlan) -> Result<Self> {
        let launch = without_rate_limits(launch);
        let server = launch.start().await?;
        Self::with(launch, server, None, faults).await
    }

    /// Starts the swarm behind a proxy that resets each connection after a number of bytes.
    pub(super) async fn behind_proxy(
        launch: Launch,
        lasts: Option<Range<usize>>,
        faults: &FaultPlan,
    ) -> Result<Self> {
        let launch = without_rate_limits(launch);
        let server = launch.start().await?;
        let proxy = Proxy::start(server.address(), lasts, faults.seed).await?;
        Self::with(launch, server, Some(proxy), faults).await
    }

    async fn with(launch: Launch, server: Server, proxy: Option<Proxy>, faults: &FaultPlan) -> Result<Self> {
        let launch = launch.bound_to(server.address());
        let (ledger, writing) = Ledger::create(&launch.sibling_path("ledger"))?;
        let plan = Plan {
            address: server.address(),
            connections: proxy.as_ref().map_or(server.address(), Proxy::address),
            tables: faults.tables,
            variant: faults.variant,
            time: faults.time,
            watchers: faults.watchers,
            pace: Pace::ClosedLoop,
            ledger: Some(ledger),
            resigns: Some(RESIGNS),
            seed: faults.seed,
        };
        let swarm = Swarm::start(&plan).await?;
        Ok(Self {
            launch,
            server,
            proxy,
            plan,
            writing,
            swarm,
            rng: Rng::new(faults.seed),
            each: faults.commands / (faults.injections + 1),
            commands: faults.commands,
            injections: faults.injections,
            took: Duration::ZERO,
        })
    }

    pub(super) fn proxy(&self) -> Result<&Proxy> {
        self.proxy.as_ref().context("there is a proxy")
    }

    /// Waits until the next injection is due: a number of commands after the previous one, and not
    /// before players were served again.
    pub(super) async fn wait_for_injection(&mut self, injection: u64) -> Result<()> {
        let early = self.rng.index(usize::try_from(self.each / 2)?.max(1)) as u64;
        let tally = self.swarm.tally();
        tally.until_done((self.each * injection - early).max(tally.done() + 1)).await;
        Ok(())
    }

    /// Kills the server and starts it with the same data at the same address.
    pub(super) async fn restart(&mut self) -> Result<()> {
        self.server.kill().await?;
        self.server = self.launch.start().await?;
        Ok(())
    }

    /// Waits until a player's command was acknowledged.
    pub(super) async fn until_served(&self) {
        let tally = self.swarm.tally();
        tally.until_done(tally.done() + 1).await;
    }

    /// Waits until the server reports that it is ready.
    pub(super) async fn until_ready(&self) -> Result<()> {
        self.server.http().until_status("/readyz", 200).await.map(drop)
    }

    /// Waits for the duration of a lease. Returns true if players received this number of internal
    /// errors in that time.
    pub(super) async fn has_faults(&self, count: u64) -> bool {
        /// The interval between two checks.
        const POLL: Duration = Duration::from_millis(20);
        let received = || self.swarm.tally().refused().get("Internal").copied().unwrap_or(0);
        let until = async {
            while received() < count {
                tokio::time::sleep(POLL).await;
            }
        };
        tokio::time::timeout(LEASE_DURATION, until).await.is_ok()
    }

    /// Lets the swarm finish and checks all results against the logs.
    pub(super) async fn finish(mut self) -> Result<FaultReport> {
        self.swarm.tally().until_done(self.commands).await;
        let broken = self.swarm.tally().broken();
        let played = self.swarm.finish().await?;
        drop(self.plan);
        self.writing.end()?;
        self.server.kill().await?;
        let noted = ledger::read(&self.launch.sibling_path("ledger"))?;
        let checked = checker::check_all(&self.launch, &noted, &played).await?;
        Ok(FaultReport { injections: self.injections, checked, broken, took: self.took })
    }
}
