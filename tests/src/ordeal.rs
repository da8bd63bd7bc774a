//! Ordeals: a swarm plays while something is killed or breaks, and in the end everything is checked.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_rules::Variant;

use crate::checker::{self, Checked};
use crate::contest::unhurried;
use crate::ledger::{self, Ledger};
use crate::policy::Dice;
use crate::proxy::Proxy;
use crate::server::{Launch, Server};
use crate::swarm::{self, Pace, Plan, Swarm};
use crate::{Database, Postgres};

/// Who plays while something happens, how often it happens, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Ordeal {
    /// Tables.
    pub tables: usize,
    /// Which game.
    pub variant: Variant,
    /// Watchers at each table.
    pub watchers: usize,
    /// Kills, silences or resets.
    pub blows: u64,
    /// Acknowledged commands in all, at least.
    pub commands: u64,
    /// What chance begins with.
    pub seed: u64,
}

/// What came of it. That nothing was found is not in here: a fault is an error.
#[derive(Clone, Debug)]
pub struct Survived {
    /// How often it happened.
    pub blows: u64,
    /// What was checked.
    pub checked: Checked,
    /// How often a line of the swarm broke.
    pub broken: u64,
    /// All blows together, from the first moment of each until there is something to go on with.
    pub took: Duration,
}

/// The server is killed, again and again, and started on the same data at the same address.
///
/// # Errors
/// When something acknowledged is lost, doubled or reordered, or anything else is not as it must be.
pub async fn killed_server(database: &Database, ordeal: &Ordeal) -> Result<Survived> {
    let mut scene = Scene::begin(Launch::new(database)?, ordeal).await?;
    for blow in 1..=ordeal.blows {
        scene.wait_for(blow).await?;
        let since = swarm::now();
        scene.server.kill().await?;
        scene.server = scene.launch.start().await.with_context(|| format!("starting after kill {blow}"))?;
        scene.took += since.elapsed();
    }
    scene.end().await
}

/// Postgres is killed, again and again, and started on the same data; the server lives on.
///
/// # Errors
/// As [`killed_server`].
pub async fn killed_postgres(ordeal: &Ordeal) -> Result<Survived> {
    let mut postgres = Postgres::start()?;
    let launch = Launch::new(&Database::At(postgres.url()))?;
    let mut scene = Scene::begin(launch, ordeal).await?;
    for blow in 1..=ordeal.blows {
        scene.wait_for(blow).await?;
        let since = swarm::now();
        let killed = tokio::task::spawn_blocking(move || {
            postgres.kill9()?;
            postgres.restart()?;
            anyhow::Ok(postgres)
        });
        postgres = killed.await?.with_context(|| format!("kill {blow} of Postgres"))?;
        scene.took += since.elapsed();
    }
    scene.end().await
}

/// The lines of players and watchers are reset, each after any number of bytes, again and again.
///
/// # Errors
/// As [`killed_server`].
pub async fn reset_lines(database: &Database, ordeal: &Ordeal) -> Result<Survived> {
    /// From within the first snapshot to some dozens of events later.
    const LASTS: Range<usize> = 100..60_000;
    let mut scene = Scene::behind_proxy(Launch::new(database)?, Some(LASTS), ordeal).await?;
    let mut resets = 0;
    while resets < ordeal.blows {
        let next = scene.swarm.tally().done() + 1;
        scene.swarm.tally().until_done(next).await;
        resets = scene.proxy()?.resets();
    }
    scene.blows = resets;
    scene.end().await
}

/// All lines go silent for a while, again and again, without being closed.
///
/// # Errors
/// As [`killed_server`].
pub async fn silent_lines(database: &Database, ordeal: &Ordeal, for_time: Duration) -> Result<Survived> {
    let mut scene = Scene::behind_proxy(Launch::new(database)?, None, ordeal).await?;
    for blow in 1..=ordeal.blows {
        scene.wait_for(blow).await?;
        let since = swarm::now();
        scene.proxy()?.be_silent(for_time).await;
        scene.took += since.elapsed();
    }
    scene.end().await
}

/// A swarm at work before a server.
struct Scene {
    launch: Launch,
    server: Server,
    proxy: Option<Proxy>,
    plan: Plan,
    writing: ledger::Writing,
    swarm: Swarm,
    dice: Dice,
    /// Commands between two blows.
    each: u64,
    commands: u64,
    blows: u64,
    took: Duration,
}

impl Scene {
    async fn begin(launch: Launch, ordeal: &Ordeal) -> Result<Self> {
        let launch = unhurried(launch);
        let server = launch.start().await?;
        Self::with(launch, server, None, ordeal).await
    }

    /// With lines that come through a proxy, each of which lasts for so many bytes.
    async fn behind_proxy(launch: Launch, lasts: Option<Range<usize>>, ordeal: &Ordeal) -> Result<Self> {
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
            watchers: ordeal.watchers,
            pace: Pace::ClosedLoop,
            ledger: Some(ledger),
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

    fn proxy(&self) -> Result<&Proxy> {
        self.proxy.as_ref().context("there is a proxy")
    }

    /// Waits for the moment of a blow: about as many commands after the one before as that was after its own
    /// predecessor, and never before somebody was served again.
    async fn wait_for(&mut self, blow: u64) -> Result<()> {
        let early = self.dice.below(usize::try_from(self.each / 2)?.max(1)) as u64;
        let tally = self.swarm.tally();
        tally.until_done((self.each * blow - early).max(tally.done() + 1)).await;
        Ok(())
    }

    /// Lets the swarm come to its end and holds everything against the logs.
    async fn end(mut self) -> Result<Survived> {
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
