//! What every ordeal begins and ends with.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, Result};

use quadrex_store::LEASE;

use super::{Ordeal, Survived};
use crate::checker;
use crate::contest::unhurried;
use crate::ledger::{self, Ledger};
use crate::policy::Dice;
use crate::proxy::Proxy;
use crate::server::{Launch, Server};
use crate::swarm::{Pace, Plan, Swarm};

/// One command in so many is to resign: a match of four ends after about a hundred and twenty, and another follows.
const RESIGNS: usize = 40;

/// A swarm at work before a server.
pub(super) struct Scene {
    pub(super) launch: Launch,
    pub(super) server: Server,
    proxy: Option<Proxy>,
    plan: Plan,
    writing: ledger::Writing,
    pub(super) swarm: Swarm,
    dice: Dice,
    /// Commands between two blows.
    each: u64,
    commands: u64,
    pub(super) blows: u64,
    pub(super) took: Duration,
}

impl Scene {
    pub(super) async fn begin(launch: Launch, ordeal: &Ordeal) -> Result<Self> {
        let launch = unhurried(launch);
        let server = launch.start().await?;
        Self::with(launch, server, None, ordeal).await
    }

    /// With lines that come through a proxy, each of which lasts for so many bytes.
    pub(super) async fn behind_proxy(
        launch: Launch,
        lasts: Option<Range<usize>>,
        ordeal: &Ordeal,
    ) -> Result<Self> {
        let launch = unhurried(launch);
        let server = launch.start().await?;
        let proxy = Proxy::start(server.address(), lasts, ordeal.seed).await?;
        Self::with(launch, server, Some(proxy), ordeal).await
    }

    async fn with(launch: Launch, server: Server, proxy: Option<Proxy>, ordeal: &Ordeal) -> Result<Self> {
        let launch = launch.bound_to(server.address());
        let (ledger, writing) = Ledger::create(&launch.beside("ledger"))?;
        let plan = Plan {
            address: server.address(),
            lines: proxy.as_ref().map_or(server.address(), Proxy::address),
            tables: ordeal.tables,
            variant: ordeal.variant,
            time: ordeal.time,
            watchers: ordeal.watchers,
            pace: Pace::ClosedLoop,
            ledger: Some(ledger),
            resigns: Some(RESIGNS),
            seed: ordeal.seed,
        };
        let swarm = Swarm::start(&plan).await?;
        Ok(Self {
            launch,
            server,
            proxy,
            plan,
            writing,
            swarm,
            dice: Dice::new(ordeal.seed),
            each: ordeal.commands / (ordeal.blows + 1),
            commands: ordeal.commands,
            blows: ordeal.blows,
            took: Duration::ZERO,
        })
    }

    pub(super) fn proxy(&self) -> Result<&Proxy> {
        self.proxy.as_ref().context("there is a proxy")
    }

    /// Waits for the moment of a blow: about as many commands after the one before as that was after its own
    /// predecessor, and never before somebody was served again.
    pub(super) async fn wait_for(&mut self, blow: u64) -> Result<()> {
        let early = self.dice.below(usize::try_from(self.each / 2)?.max(1)) as u64;
        let tally = self.swarm.tally();
        tally.until_done((self.each * blow - early).max(tally.done() + 1)).await;
        Ok(())
    }

    /// Kills the server, and starts it on the same data at the same address.
    pub(super) async fn restart(&mut self) -> Result<()> {
        self.server.kill().await?;
        self.server = self.launch.start().await?;
        Ok(())
    }

    /// Waits until somebody is served again.
    pub(super) async fn until_served(&self) {
        let tally = self.swarm.tally();
        tally.until_done(tally.done() + 1).await;
    }

    /// Waits until the server reports that it can store again.
    pub(super) async fn until_ready(&self) -> Result<()> {
        self.server.http().until_status("/readyz", 200).await.map(drop)
    }

    /// Waits for as long as a lease lasts, and returns whether players have received this many faults by then.
    pub(super) async fn has_faults(&self, count: u64) -> bool {
        /// Interval between two checks.
        const POLL: Duration = Duration::from_millis(20);
        let received = || self.swarm.tally().refused().get("Internal").copied().unwrap_or(0);
        let until = async {
            while received() < count {
                tokio::time::sleep(POLL).await;
            }
        };
        tokio::time::timeout(LEASE, until).await.is_ok()
    }

    /// Lets the swarm come to its end and holds everything against the logs.
    pub(super) async fn end(mut self) -> Result<Survived> {
        self.swarm.tally().until_done(self.commands).await;
        let broken = self.swarm.tally().broken();
        let played = self.swarm.finish().await?;
        drop(self.plan);
        self.writing.end()?;
        self.server.kill().await?;
        let noted = ledger::read(&self.launch.beside("ledger"))?;
        let checked = checker::check_all(&self.launch, &noted, &played).await?;
        Ok(Survived { blows: self.blows, checked, broken, took: self.took })
    }
}
