//! Ordeals: a swarm plays while something is killed, and in the end everything is checked.

use anyhow::{Context, Result};
use quadrex_rules::Variant;

use crate::checker::{self, Checked};
use crate::ledger::{self, Ledger};
use crate::policy::Dice;
use crate::server::Launch;
use crate::swarm::{self, Pace, Plan, Swarm};

/// How many tables play, how often something is killed, and for how many commands.
#[derive(Clone, Copy, Debug)]
pub struct Ordeal {
    /// Tables.
    pub tables: usize,
    /// Which game.
    pub variant: Variant,
    /// Watchers at each table.
    pub watchers: usize,
    /// Kills.
    pub kills: u64,
    /// Acknowledged commands in all, at least.
    pub commands: u64,
    /// What chance begins with.
    pub seed: u64,
}

/// What came of it. That nothing was found is not in here: a fault is an error.
#[derive(Clone, Debug)]
pub struct Survived {
    /// How often something was killed.
    pub kills: u64,
    /// What was checked.
    pub checked: Checked,
    /// How often a line of the swarm broke.
    pub broken: u64,
    /// Seconds in which nothing was served, all restarts together.
    pub away_seconds: f64,
}

/// Kills the server again and again, each time after about as many commands as the time before, and starts it on the
/// same data at the same address.
///
/// # Errors
/// When something acknowledged is lost, doubled or reordered, or anything else is not as it must be.
pub async fn kill_again_and_again(launch: &Launch, ordeal: &Ordeal) -> Result<Survived> {
    let mut server = launch.start().await?;
    let launch = launch.clone().bound_to(server.address());
    let path = launch.beside("ledger");
    let (ledger, writing) = Ledger::create(&path)?;
    let plan = Plan {
        address: server.address(),
        tables: ordeal.tables,
        variant: ordeal.variant,
        watchers: ordeal.watchers,
        pace: Pace::ClosedLoop,
        ledger: Some(ledger),
        seed: ordeal.seed,
    };
    let swarm = Swarm::start(&plan).await?;
    let mut dice = Dice::new(ordeal.seed);
    let each = ordeal.commands / (ordeal.kills + 1);
    let mut away_seconds = 0.0;
    for kill in 1..=ordeal.kills {
        // Some commands earlier or later, so that no rhythm of the server's is met.
        let wait = each * kill - dice.below(usize::try_from(each / 2)?.max(1)) as u64;
        swarm.tally().until_done(wait.max(swarm.tally().done() + 1)).await;
        let killed = swarm::now();
        server.kill().await?;
        server = launch.start().await.with_context(|| format!("starting after kill {kill}"))?;
        away_seconds += killed.elapsed().as_secs_f64();
    }
    swarm.tally().until_done(ordeal.commands).await;
    let broken = swarm.tally().broken();
    let played = swarm.finish().await?;
    drop(plan);
    writing.end()?;
    server.kill().await?;
    let checked = checker::check_all(&launch, &ledger::read(&path)?, &played).await?;
    Ok(Survived { kills: ordeal.kills, checked, broken, away_seconds })
}
