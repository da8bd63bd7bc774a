//! The simulated world: servers, clients, and the faults between them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_protocol::{Event, MatchId, TableId};
use quadrex_rules::Timestamp;
use quadrex_runtime::simulation::Process;
use quadrex_store::{Location, LoggedEvent, SimulatedDatabase, Store};
use quadrex_tests::referee::Referee;
use sqlx::SqliteConnection;
use tokio::sync::watch;
use uuid::Uuid;

use crate::auditor::{Audited, Auditor, Service, unowned};
use crate::chance::Chance;
use crate::client::{Place, Stage};
use crate::cluster::Cluster;
use crate::database_faults::{DatabaseFaults, Disturbance, Weather};
use crate::network::Network;
use crate::party::Party;
use crate::scenario::Scenario;
use crate::server::{ServerParts, SimulatedServer};
use crate::trace::{Trace, virtual_now};

/// The time after which an access to the database without an answer has been given up, and tried again.
const GIVEN_UP: Duration = Duration::from_secs(45);

/// The time after which nodes that have lost each other have found each other again.
const RECONNECTED: Duration = Duration::from_secs(15);

/// The time within which a client has noticed a silent connection, and is connected again.
const CONNECTED_AGAIN: Duration = Duration::from_secs(35);

/// The time within which all matches must end when there are no more faults and all players resign.
const FINISH_LIMIT: Duration = Duration::from_mins(6);

/// The time within which servers start.
const STARTING: Duration = Duration::from_secs(2);

/// The longest time before the first fault.
const BEFORE_FAULTS: Duration = Duration::from_mins(2);

/// The number of times that a kind of fault is drawn until it is one of the scenario.
const DRAWS: usize = 4;

/// The number of a fault of the messages between servers.
const BETWEEN_SERVERS: u64 = 11;

/// The time after which everything that depends on the logs must be up to date while nothing fails.
const SETTLING: Duration = Duration::from_secs(20);

/// The interval at which a server that has ended is started again.
const ATTENDED: Duration = Duration::from_secs(5);

/// The time after which lists must show a table that does not change.
const UNCHANGED: Duration = Duration::from_secs(8);

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
    /// A second process with the name and the database of a server.
    double: SimulatedServer,
    cluster: Option<Cluster>,
    stage: watch::Sender<Stage>,
    clients: Process,
}

impl World {
    /// Creates a world in which nothing has happened yet.
    pub(crate) fn new(scenario: &Scenario, trace: Trace) -> Self {
        let chance = Chance::new(scenario.seed);
        let network = Network::new(chance.fork(), scenario.servers + 1);
        let faults = Arc::new(DatabaseFaults::new(chance.fork(), trace.clone()));
        let time = trace.clone();
        let time = move || time.time_of_day();
        let database = SimulatedDatabase::new(time.clone(), Arc::<DatabaseFaults>::clone(&faults));
        let cluster = (scenario.servers > 1).then(|| Cluster::new(chance.fork(), time));
        let auditor = Auditor::new(trace.clone(), Arc::clone(&faults));
        let parts = ServerParts {
            trace: trace.clone(),
            auditor: auditor.clone(),
            network: network.clone(),
            database: database.clone(),
            cluster: cluster.clone(),
        };
        let server = |number| SimulatedServer::new(number, chance.fork(), &parts);
        let servers: Vec<_> = (0..scenario.servers).map(server).collect();
        let double = server(scenario.servers);
        Self {
            scenario: scenario.clone(),
            auditor,
            chance,
            trace,
            network,
            faults,
            database,
            servers,
            double,
            cluster,
            stage: watch::Sender::new(Stage::Playing),
            clients: Process::new("clients"),
        }
    }

    /// Lets the world run to its end. Returns what was audited, and the violations.
    ///
    /// # Errors
    /// If the database cannot be read at the end.
    pub(crate) async fn run(&self) -> Result<(Audited, Vec<String>, Trace)> {
        self.trace.add("the world", format_args!("begins: {:?}", self.scenario));
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
        let store = Store::connect(&Location::Simulated(self.database.clone()), 1).await?;
        tokio::time::sleep(STARTING).await;
        self.auditor.set_calm(true);
        // The first matches have begun by then, and nothing has failed yet.
        let longest = BEFORE_FAULTS.min(self.scenario.duration / 2);
        tokio::time::sleep(self.chance.time(longest / 4, longest)).await;
        let mut lists = self.compare_lists(&store).await?;
        self.auditor.set_calm(false);
        let longest = self.scenario.between_faults();
        while virtual_now() < ends {
            let pause = self.chance.time(Duration::from_millis(500), longest);
            tokio::time::sleep(pause.min(ends - virtual_now())).await;
            self.cause_fault().await;
        }
        if self.chance.one_in(2) {
            self.end_matches_in_faults().await;
        }
        self.heal();
        self.wait(self.recovery()).await;
        self.auditor.set_calm(true);
        self.check_owners().await?;
        lists += self.compare_lists(&store).await?;
        self.trace.add("the world", "is whole again, and all players resign");
        self.stage.send_replace(Stage::Finishing);
        self.finish(&store).await?;
        self.wait(SETTLING).await;
        lists += self.compare_lists(&store).await?;
        self.stage.send_replace(Stage::Over);
        // The nodes of a cluster have the time of the database. A server alone has that of its machine,
        // and a double of it another one.
        let faults = self.scenario.faults;
        let is_timed = self.cluster.is_some() || !faults.clocks || !faults.doubles;
        let service = if self.cluster.is_some() { Service::Owner } else { Service::OneServer };
        let service = is_timed.then_some(service);
        let mut audited = self.auditor.compare(&store, &self.matches().await?, service).await?;
        let tables = self.tables().await?;
        // A double of a single server is down most of the time.
        let service = service.filter(|service| *service == Service::Owner || !faults.doubles);
        self.auditor.compare_tables(&store, &tables, service, &mut audited).await?;
        if is_timed {
            self.auditor.check_growths();
        }
        audited.lists = lists;
        Ok((audited, self.auditor.violations(), self.trace.clone()))
    }

    /// Returns the time after the last fault within which the servers work as usual, and clients notice
    /// broken connections.
    fn recovery(&self) -> Duration {
        if self.scenario.faults.database { GIVEN_UP + RECONNECTED } else { CONNECTED_AGAIN }
    }

    /// Checks that every running match of a cluster has an owner. A server without a cluster claims a
    /// match when it first changes it.
    async fn check_owners(&self) -> Result<()> {
        if self.cluster.is_none() {
            return Ok(());
        }
        let now_ms = i64::try_from(self.trace.time_of_day().as_millis()).unwrap_or(i64::MAX);
        let unowned = self.database.run_unchecked(async |connection| unowned(connection, now_ms).await);
        for match_id in unowned.await? {
            let text = format!("{match_id} has no owner {:?} after the last fault", self.recovery());
            self.auditor.violation("the world", text);
        }
        Ok(())
    }

    /// Waits until no people play any more. Only bots may play on. If people still play after a while,
    /// that is a violation.
    async fn finish(&self, store: &Store) -> Result<()> {
        let limit = virtual_now() + FINISH_LIMIT;
        loop {
            let running = self.database.run_unchecked(async |connection| running(connection).await);
            let mut with_people = Vec::new();
            for match_id in running.await.context("reading the running matches")? {
                if has_people(&store.events(match_id, 0).await?)? {
                    with_people.push(match_id.to_string());
                }
            }
            if with_people.is_empty() {
                return Ok(());
            }
            if virtual_now() >= limit {
                let text =
                    format!("still run {FINISH_LIMIT:?} after the last fault: {}", with_people.join(", "));
                self.auditor.violation("the world", text);
                return Ok(());
            }
            self.wait(ATTENDED).await;
        }
    }

    /// Waits, and starts servers again that end meanwhile. One may have begun to start before the last
    /// fault was over.
    async fn wait(&self, time: Duration) {
        let until = virtual_now() + time;
        while virtual_now() < until {
            tokio::time::sleep(ATTENDED.min(until - virtual_now())).await;
            self.servers.iter().for_each(|server| self.ensure_running(server));
        }
    }

    /// Returns the ids of all matches.
    async fn matches(&self) -> Result<Vec<MatchId>> {
        Ok(self.database.run_unchecked(async |connection| all_matches(connection).await).await?)
    }

    /// Returns all tables with their matches.
    async fn tables(&self) -> Result<Vec<(TableId, Vec<MatchId>)>> {
        Ok(self.database.run_unchecked(async |connection| all_tables(connection).await).await?)
    }

    /// Compares the lists of clients with the tables that do not change for a while.
    async fn compare_lists(&self, store: &Store) -> Result<u64> {
        let later = async || {
            tokio::time::sleep(UNCHANGED).await;
            self.tables().await
        };
        self.auditor.compare_lists(store, &self.tables().await?, later).await
    }

    /// Adds a table with its players and watchers.
    fn add_table(&self, number: u64) {
        let party =
            Party::new(self.chance.fork(), number, &self.scenario, |name, number| self.place(name, number));
        self.clients.spawn(party.come(self.clients.clone()));
    }

    fn place(&self, name: &str, number: u16) -> Place {
        Place {
            name: name.to_owned(),
            number,
            network: self.network.clone(),
            servers: 0..self.servers.len(),
            chance: self.chance.fork(),
            trace: self.trace.clone(),
            auditor: self.auditor.clone(),
            stage: self.stage.subscribe(),
        }
    }

    /// Lets all players resign while there are still faults, so that results are written meanwhile. One
    /// fault comes shortly before, so a match may end as soon as a server works again, and so that the
    /// servers of a cluster often learn late that it has ended.
    async fn end_matches_in_faults(&self) {
        let resign = async {
            tokio::time::sleep(self.chance.time(Duration::ZERO, Duration::from_secs(10))).await;
            self.trace.add("the world", "all players resign");
            self.stage.send_replace(Stage::Finishing);
        };
        let fault = async {
            match self.chance.pick(&self.servers) {
                Some(server)
                    if self.chance.one_in(2) && self.cause_fault_at(server, BETWEEN_SERVERS).await => {}
                _ => self.cause_fault().await,
            }
        };
        tokio::join!(fault, resign);
        if self.scenario.faults.database {
            self.disturb_database(Duration::from_mins(1)).await;
        }
        for _ in 0..self.chance.below(3) {
            tokio::time::sleep(self.chance.time(Duration::ZERO, Duration::from_secs(10))).await;
            self.cause_fault().await;
        }
    }

    /// Causes a random fault of the kinds of the scenario.
    async fn cause_fault(&self) {
        let Some(server) = self.chance.pick(&self.servers) else { return };
        // The kind that is drawn may not be one of the scenario.
        for _ in 0..DRAWS {
            if self.cause_fault_at(server, self.chance.below(15)).await {
                break;
            }
        }
        for server in &self.servers {
            self.ensure_running(server);
        }
        if self.scenario.faults.clocks && self.chance.one_in(10) {
            let hardware = server.hardware();
            let back = self.chance.below(7_200_000);
            let now = hardware.time_of_day().as_millis();
            let time = Timestamp::from_millis(now - 3_600_000 + back);
            self.trace.add(server.name(), format_args!("its time of day is set to {} ms", time.as_millis()));
            hardware.set_time_of_day(time);
        }
    }

    /// Causes the fault with this number, at a server if it concerns one. Returns false if the scenario has
    /// no such faults.
    async fn cause_fault_at(&self, server: &SimulatedServer, number: u64) -> bool {
        let kinds = self.scenario.faults;
        let chance = &self.chance;
        match number {
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
                let lasts = chance.time(Duration::from_millis(100), Duration::from_secs(20));
                self.auditor.separate_servers_for(lasts);
                server.stop();
                tokio::time::sleep(lasts).await;
                server.resume();
            }
            7 if kinds.restarts => {
                server.ask_to_end();
                tokio::time::sleep(Duration::from_secs(30)).await;
                self.ensure_running(server);
            }
            8 | 14 if kinds.database => {
                self.disturb_database(Duration::from_mins(3)).await;
            }
            9 if kinds.database => self.disturb_accesses_of(server).await,
            10 if kinds.crashes && self.servers.len() > 1 => {
                self.servers.iter().filter(|_| chance.one_in(2)).for_each(SimulatedServer::kill);
                tokio::time::sleep(chance.time(Duration::ZERO, Duration::from_secs(40))).await;
            }
            BETWEEN_SERVERS | 12 if kinds.messages => {
                let since = self.trace.time_of_day();
                self.cause_fault_between(server).await;
                self.auditor.add_uncertainty(since, self.trace.time_of_day() + RECONNECTED);
            }
            13 if kinds.doubles && server.is_up() => self.start_double(server).await,
            _ => return false,
        }
        true
    }

    /// Lets the accesses of a server to the database fail or be late for a while.
    async fn disturb_accesses_of(&self, server: &SimulatedServer) {
        let name = server.name();
        let (disturbance, how) = match self.chance.one_in(2) {
            true => (Disturbance::Late, "is slow for"),
            false => (Disturbance::CutOff, "cannot be reached by"),
        };
        self.trace.add("the database", format_args!("{how} {name}"));
        self.faults.disturb(name, Some(disturbance));
        let since = self.trace.time_of_day();
        let lasts = self.chance.time(Duration::from_millis(200), Duration::from_secs(30));
        // A server that does not renew its lease loses its tables, and is taken for dead.
        self.auditor.separate_servers_for(lasts);
        tokio::time::sleep(lasts).await;
        self.trace.add("the database", format_args!("answers {name} again"));
        self.faults.disturb(name, None);
        self.auditor.add_uncertainty(since, self.trace.time_of_day() + GIVEN_UP);
    }

    /// Lets accesses to the database fail for a while.
    async fn disturb_database(&self, longest: Duration) {
        let weather = Weather::new(&self.chance);
        self.trace.add("the database", &weather);
        self.faults.set_weather(Some(weather));
        let since = self.trace.time_of_day();
        let lasts = self.chance.time(Duration::from_secs(1), longest);
        self.auditor.separate_servers_for(lasts);
        tokio::time::sleep(lasts).await;
        self.faults.set_weather(None);
        self.trace.add("the database", "works again");
        // Accesses that have not been answered take a while to be given up.
        self.auditor.add_uncertainty(since, self.trace.time_of_day() + GIVEN_UP);
    }

    /// Causes a random fault of the messages between servers.
    async fn cause_fault_between(&self, server: &SimulatedServer) {
        let (chance, trace) = (&self.chance, &self.trace);
        let Some((cluster, node)) = self.cluster.as_ref().zip(server.node()) else { return };
        let others: Vec<_> = self.servers.iter().filter(|other| other.name() != server.name()).collect();
        let nodes: Vec<_> = others.iter().filter_map(|other| other.node()).collect();
        let lasts = chance.time(Duration::from_millis(200), Duration::from_secs(40));
        self.auditor.separate_servers_for(lasts);
        match chance.below(4) {
            0 | 1 => {
                trace.add("the cluster", cluster.disturb());
                self.auditor.messages_may_double();
                tokio::time::sleep(lasts).await;
                cluster.calm();
            }
            2 => {
                trace.add("the cluster", format_args!("is disconnected from {}", server.name()));
                cluster.set_connected(node, &nodes, false);
                tokio::time::sleep(lasts).await;
                cluster.set_connected(node, &nodes, true);
            }
            _ => {
                let Some(other) = chance.pick(&others) else { return };
                let Some(to) = other.node() else { return };
                let is_mutual = chance.one_in(2);
                let how = if is_mutual { "and back" } else { "" };
                let text = format!("loses messages from {} to {} {how}", server.name(), other.name());
                trace.add("the cluster", text);
                cluster.set_cut(node, to, true);
                cluster.set_cut(to, node, is_mutual);
                tokio::time::sleep(lasts).await;
                cluster.set_cut(node, to, false);
                cluster.set_cut(to, node, false);
            }
        }
        trace.add("the cluster", "passes all messages on again");
    }

    /// Starts a second process of a server. Without a cluster, it must not become ready, unless the server
    /// could not use the database for a while.
    async fn start_double(&self, server: &SimulatedServer) {
        let may_be_free = self.auditor.is_uncertain(self.trace.time_of_day());
        self.double.start();
        tokio::time::sleep(self.chance.time(Duration::from_secs(1), Duration::from_secs(40))).await;
        if self.cluster.is_none() && !may_be_free && server.is_up() && self.double.is_up() {
            self.auditor.violation(self.double.name(), "runs on the database of another server");
        }
        self.double.kill();
    }

    fn ensure_running(&self, server: &SimulatedServer) {
        if !server.is_running() {
            server.start();
        }
    }

    /// Ends all faults.
    fn heal(&self) {
        self.faults.set_weather(None);
        self.network.heal();
        for server in &self.servers {
            self.faults.disturb(server.name(), None);
            server.resume();
            self.ensure_running(server);
        }
    }
}

/// Returns the matches that have started and are not over.
async fn running(connection: &mut SqliteConnection) -> Result<Vec<MatchId>, sqlx::Error> {
    let sql = "select id from matches where status = 'running' order by id";
    let ids: Vec<Uuid> = sqlx::query_scalar(sql).fetch_all(connection).await?;
    Ok(ids.into_iter().map(MatchId).collect())
}

/// Returns whether a person still plays in the match with this log.
fn has_people(log: &[LoggedEvent]) -> Result<bool> {
    let mut referee = Referee::default();
    let (mut bots, mut substituted) = (BTreeSet::new(), BTreeSet::new());
    for row in log {
        referee.observe(row.seq, row.at.as_millis(), &row.event)?;
        match &row.event {
            Event::Seated { user, .. } if user.bot.is_some() => drop(bots.insert(user.id.to_string())),
            Event::Substituted { color, .. } => drop(substituted.insert(*color)),
            Event::Returned { color } => drop(substituted.remove(color)),
            _ => {}
        }
    }
    let Some(game) = referee.game().filter(|game| !game.is_over()) else { return Ok(false) };
    let mut players = game.position().active_players().filter(|color| !substituted.contains(color));
    let is_person = |color| referee.seats().get(&color).is_some_and(|holder| !bots.contains(holder));
    Ok(players.any(is_person))
}

/// Returns the ids of all matches.
async fn all_matches(connection: &mut SqliteConnection) -> Result<Vec<MatchId>, sqlx::Error> {
    let ids: Vec<Uuid> =
        sqlx::query_scalar("select id from matches order by id").fetch_all(connection).await?;
    Ok(ids.into_iter().map(MatchId).collect())
}

/// Returns all tables with their matches in their order.
async fn all_tables(connection: &mut SqliteConnection) -> Result<Vec<(TableId, Vec<MatchId>)>, sqlx::Error> {
    let rows: Vec<(Uuid, Uuid)> =
        sqlx::query_as("select table_id, id from matches order by table_id, number")
            .fetch_all(connection)
            .await?;
    let mut tables: Vec<(TableId, Vec<MatchId>)> = Vec::new();
    for (table, match_id) in rows {
        match tables.last_mut().filter(|(last, _)| last.0 == table) {
            Some((_, matches)) => matches.push(MatchId(match_id)),
            None => tables.push((TableId(table), vec![MatchId(match_id)])),
        }
    }
    Ok(tables)
}
