//! The simulated world: servers, clients, and the faults between them.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_clock::SimulatedHardware;
use quadrex_protocol::MatchId;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::{Absence, Privacy, TimeSetting};
use quadrex_rules::{Timestamp, Variant};
use quadrex_runtime::simulation::Process;
use quadrex_store::{Location, SimulatedDatabase, Store};
use sqlx::SqliteConnection;
use tokio::sync::watch;
use uuid::Uuid;

use crate::auditor::{Audited, Auditor};
use crate::chance::Chance;
use crate::client::{Habits, Place, Player, Stage, Watcher};
use crate::database_faults::DatabaseFaults;
use crate::network::Network;
use crate::scenario::Scenario;
use crate::server::SimulatedServer;
use crate::trace::{Trace, virtual_now};

/// The time of day at which a simulation begins.
const BEGIN: Timestamp = Timestamp::from_millis(1_767_225_600_000);

/// The time within which all matches must end when there are no more faults and all players resign.
const FINISH_LIMIT: Duration = Duration::from_mins(6);

/// A simulated world.
pub(crate) struct World {
    scenario: Scenario,
    chance: Chance,
    trace: Trace,
    auditor: Auditor,
    network: Network,
    faults: Arc<DatabaseFaults>,
    database: SimulatedDatabase,
    servers: Vec<SimulatedServer>,
    stage: watch::Sender<Stage>,
    clients: Process,
}

impl World {
    /// Creates a world in which nothing has happened yet.
    pub(crate) fn new(scenario: &Scenario, is_traced: bool) -> Self {
        let chance = Chance::new(scenario.seed);
        let trace = Trace::new(is_traced);
        let network = Network::new(chance.fork(), 1);
        let faults = Arc::new(DatabaseFaults::new(chance.fork()));
        let began = virtual_now();
        let time = move || BEGIN + virtual_now().saturating_duration_since(began);
        let database = SimulatedDatabase::new(time, Arc::<DatabaseFaults>::clone(&faults));
        let server = SimulatedServer::new(
            0,
            chance.fork(),
            trace.clone(),
            network.clone(),
            &database,
            SimulatedHardware::new(BEGIN),
        );
        Self {
            scenario: scenario.clone(),
            auditor: Auditor::new(trace.clone()),
            chance,
            trace,
            network,
            faults,
            database,
            servers: vec![server],
            stage: watch::Sender::new(Stage::Playing),
            clients: Process::new("clients"),
        }
    }

    /// Lets the world run to its end. Returns what was audited, and the violations.
    ///
    /// # Errors
    /// If the database cannot be read at the end.
    pub(crate) async fn run(&self) -> Result<(Audited, Vec<String>, Trace)> {
        self.servers.iter().for_each(SimulatedServer::start);
        for number in 0..self.scenario.tables {
            self.add_table(number);
        }
        let ends = virtual_now() + self.scenario.duration;
        if self.scenario.faults.clocks {
            for server in &self.servers {
                server.hardware().set_drift(i32::try_from(self.chance.below(400)).unwrap_or_default() - 200);
            }
        }
        while virtual_now() < ends {
            let pause = self.chance.time(Duration::from_millis(500), Duration::from_secs(60));
            tokio::time::sleep(pause.min(ends - virtual_now())).await;
            self.cause_fault().await;
        }
        self.heal();
        self.trace.add("the world", "is whole again, and all players resign");
        self.stage.send_replace(Stage::Finishing);
        self.finish().await?;
        self.stage.send_replace(Stage::Over);
        let store = Store::connect(&Location::Simulated(self.database.clone()), 1).await?;
        let audited = self.auditor.compare(&store, &self.matches().await?).await?;
        Ok((audited, self.auditor.violations(), self.trace.clone()))
    }

    /// Waits until all matches are over. If they are not over in time, that is a violation.
    async fn finish(&self) -> Result<()> {
        let limit = virtual_now() + FINISH_LIMIT;
        loop {
            let running = self.database.run_unchecked(async |connection| running(connection).await);
            let running = running.await.context("counting the running matches")?;
            if running == 0 {
                return Ok(());
            }
            if virtual_now() >= limit {
                let text = format!("{running} matches still run {FINISH_LIMIT:?} after the last fault");
                self.auditor.violation("the world", text);
                return Ok(());
            }
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
    }

    /// Returns the ids of all matches.
    async fn matches(&self) -> Result<Vec<MatchId>> {
        Ok(self.database.run_unchecked(async |connection| all_matches(connection).await).await?)
    }

    /// Adds a table with its players and watchers.
    fn add_table(&self, number: u64) {
        let table = self.table();
        let colors = table.variant.colors().len();
        let first = u16::try_from(number * 100).unwrap_or_default();
        let places: Vec<Place> = (0..colors)
            .map(|player| {
                self.place(
                    &format!("player {}.{}", number + 1, player + 1),
                    first + u16::try_from(player).unwrap_or_default(),
                )
            })
            .collect();
        let watchers: Vec<Place> = (0..self.scenario.watchers)
            .map(|watcher| {
                self.place(
                    &format!("watcher {}.{}", number + 1, watcher + 1),
                    first + 50 + u16::try_from(watcher).unwrap_or_default(),
                )
            })
            .collect();
        let clients = self.clients.clone();
        self.clients.spawn(async move {
            let mut guests = Vec::new();
            for place in &places {
                let Some(guest) = place.guest().await else { return };
                guests.push(guest);
            }
            let (Some(host), Some(host_place)) = (guests.first(), places.first()) else { return };
            let Some(created) = host_place.create(host, &table).await else { return };
            host_place.trace.add(&host_place.name, format_args!("creates table {}", created.table));
            for (place, guest) in places.into_iter().zip(guests) {
                let habits = habits(&place.chance);
                if place.chance.one_in(6) {
                    // A second tab of the same user.
                    let mut tab = place.clone();
                    tab.name = format!("{} tab 2", place.name);
                    tab.chance = place.chance.fork();
                    clients.spawn(Player::new(tab, guest.clone(), created.table, habits).live());
                }
                clients.spawn(Player::new(place, guest, created.table, habits).live());
            }
            for place in watchers {
                clients.spawn(Watcher::new(place, created.table).live());
            }
        });
    }

    /// Returns the settings of a random table.
    fn table(&self) -> CreateTable {
        let chance = &self.chance;
        let variant = if chance.one_in(3) { Variant::Classic } else { Variant::Dilkel };
        let mut table = CreateTable::plain(variant, Privacy::Public);
        table.time = Some(match chance.below(4) {
            0 => TimeSetting::None,
            1 => TimeSetting::Delay { base_ms: 60_000 * (1 + chance.below(10)), delay_ms: 3_000 },
            _ => TimeSetting::Fischer {
                base_ms: 60_000 * (1 + chance.below(10)),
                increment_ms: 1_000 * chance.below(10),
            },
        });
        table.absence = chance.pick(&[Absence::Eliminate, Absence::Bot]).copied();
        table
    }

    fn place(&self, name: &str, number: u16) -> Place {
        Place {
            name: name.to_owned(),
            number,
            network: self.network.clone(),
            servers: self.servers.len(),
            chance: self.chance.fork(),
            trace: self.trace.clone(),
            auditor: self.auditor.clone(),
            stage: self.stage.subscribe(),
        }
    }

    /// Causes a random fault of the kinds of the scenario.
    async fn cause_fault(&self) {
        let kinds = self.scenario.faults;
        let chance = &self.chance;
        let Some(server) = chance.pick(&self.servers) else { return };
        match chance.below(10) {
            0..=2 if kinds.connections => {
                if let Some(what) = self.network.break_one() {
                    self.trace.add("the network", what);
                }
            }
            3 if kinds.connections => {
                let percent = chance.below(2) * chance.below(30);
                self.trace.add("the network", format_args!("{percent} % of deliveries are slow"));
                self.network.set_slow_percent(percent);
            }
            4 | 5 if kinds.crashes => {
                server.kill();
                tokio::time::sleep(chance.time(Duration::ZERO, Duration::from_secs(40))).await;
                self.ensure_running(server);
            }
            6 if kinds.stalls => {
                server.stop();
                tokio::time::sleep(chance.time(Duration::from_millis(100), Duration::from_secs(20))).await;
                server.resume();
            }
            7 if kinds.restarts => {
                server.ask_to_end();
                tokio::time::sleep(Duration::from_secs(30)).await;
                self.ensure_running(server);
            }
            8 if kinds.database => {
                let one_in = chance.below(2) * (5 + chance.below(200));
                self.trace.add("the database", format_args!("one of {one_in} accesses fails"));
                self.faults.set_one_in(one_in);
            }
            9 if kinds.database => {
                self.trace.add("the database", format_args!("cannot be reached by {}", server.name()));
                self.faults.set_cut_off(server.name(), true);
                tokio::time::sleep(chance.time(Duration::from_millis(200), Duration::from_secs(30))).await;
                self.trace.add("the database", format_args!("can be reached by {}", server.name()));
                self.faults.set_cut_off(server.name(), false);
            }
            _ => {}
        }
        for server in &self.servers {
            self.ensure_running(server);
        }
        if kinds.clocks && chance.one_in(10) {
            let hardware = server.hardware();
            let back = chance.below(7_200_000);
            let now = hardware.time_of_day().as_millis();
            let time = Timestamp::from_millis(now - 3_600_000 + back);
            self.trace.add(server.name(), format_args!("its time of day is set to {} ms", time.as_millis()));
            hardware.set_time_of_day(time);
        }
    }

    fn ensure_running(&self, server: &SimulatedServer) {
        if !server.is_running() {
            server.start();
        }
    }

    /// Ends all faults.
    fn heal(&self) {
        self.faults.set_one_in(0);
        self.network.set_slow_percent(0);
        for server in &self.servers {
            self.faults.set_cut_off(server.name(), false);
            server.resume();
            self.ensure_running(server);
        }
    }
}

/// Returns the habits of a random player.
fn habits(chance: &Chance) -> Habits {
    Habits {
        think: Duration::from_secs(2 + chance.below(40)),
        is_hasty: chance.one_in(3),
        doubles: chance.one_in(3),
        is_stale: chance.one_in(4),
        floods: chance.one_in(8),
        leaves: chance.one_in(4),
    }
}

/// Returns the number of matches that have started and are not over.
async fn running(connection: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("select count(*) from matches where status = 'running'").fetch_one(connection).await
}

/// Returns the ids of all matches.
async fn all_matches(connection: &mut SqliteConnection) -> Result<Vec<MatchId>, sqlx::Error> {
    let ids: Vec<Uuid> =
        sqlx::query_scalar("select id from matches order by id").fetch_all(connection).await?;
    Ok(ids.into_iter().map(MatchId).collect())
}
