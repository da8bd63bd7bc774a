//! Certain faults at certain moments.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Context, Result, ensure};
use quadrex_cluster::membership::key_owner;
use quadrex_protocol::bot::{BotChoice, BotLevel};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::view::{Phase, PlayerView, Presence};
use quadrex_protocol::{ClientFrame, CommandId, MatchId, RefusalCode, RequestAction, ServerFrame, UserId};
use quadrex_rules::Variant;
use quadrex_store::{Access, Fault, FaultPlan, NoFaults, NodeId, SimulatedDatabase};
use quadrex_tests::table_mirror::TableMirror;

use super::connection::Connection;
use super::session::Session;
use super::*;
use crate::cluster::Cluster;
use crate::database_faults::DatabaseFaults;
use crate::server::{ServerParts, SimulatedServer};
use crate::trace::virtual_now;

/// The time within which everything that a player waits for happens.
const LONGEST: Duration = Duration::from_secs(40);

/// The time after which a match that nobody watches hibernates.
const HIBERNATED: Duration = Duration::from_mins(2);

/// The time after which a node without a connection to the others has given its matches to them.
const ISOLATED: Duration = Duration::from_secs(8);

/// A time in which presence is published.
const MISSED: Duration = Duration::from_secs(1);

/// A plan that, from a moment on, loses the answer to one append, lets the claim of the match succeed,
/// and the next claim fail. After that nothing fails.
#[derive(Debug, Default)]
struct RematchFails {
    /// The number of these steps that are over, and one more; 0 before the moment.
    step: AtomicU64,
}

impl FaultPlan for RematchFails {
    fn decide(&self, _access: Access, statement: &'static str, _server: Option<&str>) -> Fault {
        let is_append = statement == "append to matches";
        let is_claim = statement.contains("epoch = epoch + 1");
        let step = self.step.load(Ordering::Relaxed);
        let fault = match step {
            1 if is_append => Fault::LostAnswer,
            2 if is_claim => Fault::None,
            3 if is_claim => Fault::Unavailable,
            _ => return Fault::None,
        };
        self.step.store(step + 1, Ordering::Relaxed);
        fault
    }
}

/// A plan in which the statements with a text have a fault while it is switched on.
#[derive(Debug)]
struct StatementFault {
    text: &'static str,
    fault: Fault,
    is_on: AtomicBool,
}

impl StatementFault {
    fn new(text: &'static str, fault: Fault) -> Arc<Self> {
        Arc::new(Self { text, fault, is_on: AtomicBool::new(false) })
    }

    fn switch(&self, is_on: bool) {
        self.is_on.store(is_on, Ordering::Relaxed);
    }
}

impl FaultPlan for StatementFault {
    fn decide(&self, _access: Access, statement: &'static str, _server: Option<&str>) -> Fault {
        let is_meant = statement.contains(self.text) && self.is_on.load(Ordering::Relaxed);
        if is_meant { self.fault } else { Fault::None }
    }
}

/// Servers whose database has a plan of faults.
struct Scene {
    parts: ServerParts,
    servers: Vec<SimulatedServer>,
    chance: Chance,
    stage: watch::Sender<Stage>,
}

impl Scene {
    /// Starts servers. Several form a cluster.
    fn begin(plan: Arc<dyn FaultPlan>, servers: usize) -> Self {
        quadrex_runtime::simulation::activate(1);
        let (chance, trace) = (Chance::new(1), Trace::new(false));
        let network = Network::new(chance.fork(), servers);
        let time = trace.clone();
        let time = move || time.time_of_day();
        let database = SimulatedDatabase::new(time.clone(), plan);
        let cluster = (servers > 1).then(|| Cluster::new(chance.fork(), time));
        let no_faults = Arc::new(DatabaseFaults::new(chance.fork(), trace.clone()));
        let auditor = Auditor::new(trace.clone(), no_faults);
        let parts = ServerParts { trace, auditor, network, database, cluster };
        let server = |number| SimulatedServer::new(number, chance.fork(), &parts);
        let servers: Vec<_> = (0..servers).map(server).collect();
        servers.iter().for_each(SimulatedServer::start);
        let stage = watch::Sender::new(Stage::Playing);
        Self { parts, servers, chance, stage }
    }

    /// Returns a place at the first server.
    fn place(&self, name: &str, number: u16) -> Place {
        self.place_at(0, name, number)
    }

    fn place_at(&self, server: usize, name: &str, number: u16) -> Place {
        Place {
            name: name.to_owned(),
            number,
            network: self.parts.network.clone(),
            servers: server..server + 1,
            chance: self.chance.fork(),
            trace: self.parts.trace.clone(),
            auditor: self.parts.auditor.clone(),
            stage: self.stage.subscribe(),
        }
    }

    /// Creates a table. Returns the host with it.
    async fn create(&self, table: &CreateTable) -> Result<(Guest, TableId)> {
        let host = self.place("the host", 1);
        let guest = host.guest().await.context("no guest")?;
        let table = host.create(&guest, table).await.context("no table")?.table;
        Ok((guest, table))
    }

    /// Creates a table. Two players come, and their match begins.
    async fn begin_match(&self, table: &CreateTable) -> Result<(TableId, [Puppet; 2])> {
        let (_, table) = self.create(table).await?;
        let mut ann = Puppet::come(&self.place("ann", 2), table).await?;
        let mut ben = Puppet::come(&self.place("ben", 3), table).await?;
        for player in [&mut ann, &mut ben] {
            player.sit(table).await?;
        }
        ann.wait(|mirror| mirror.state().phase == Phase::Running).await?;
        Ok((table, [ann, ben]))
    }

    fn nodes(&self) -> Result<Vec<NodeId>> {
        self.servers.iter().map(|server| server.node().context("no node")).collect()
    }

    /// Cuts a server off from the others until it has given its matches to them.
    async fn isolate(&self, server: usize) -> Result<()> {
        let mut others = self.nodes()?;
        let isolated = others.remove(server);
        let cluster = self.parts.cluster.as_ref().context("no cluster")?;
        cluster.set_connected(isolated, &others, false);
        tokio::time::sleep(ISOLATED).await;
        cluster.set_connected(isolated, &others, true);
        Ok(())
    }

    fn ensure_nothing_is_wrong(&self) -> Result<()> {
        let violations = self.parts.auditor.violations();
        ensure!(violations.is_empty(), "{violations:?}");
        Ok(())
    }
}

fn is_away(player: &PlayerView) -> bool {
    player.presence != Presence::Connected
}

/// Returns whether both players of a match are connected.
fn are_present(players: &[PlayerView]) -> bool {
    players.len() == 2 && !players.iter().any(is_away)
}

/// A player who does exactly what the test says.
struct Puppet {
    me: UserId,
    session: Session,
    mirror: Option<TableMirror>,
    /// The number of the last command. It begins with the time, so it differs from the numbers of the
    /// user's earlier connections.
    commands: u64,
}

impl Puppet {
    async fn come(place: &Place, table: TableId) -> Result<Self> {
        let guest = place.guest().await.context("no guest")?;
        Self::come_as(&guest, place, table).await
    }

    async fn come_as(guest: &Guest, place: &Place, table: TableId) -> Result<Self> {
        let session = Session::open(place, guest, &Ticket { table, secret: None }, None).await?;
        let commands = place.trace.time_of_day().as_millis();
        Ok(Self { me: guest.user.id, session, mirror: None, commands })
    }

    /// Sends the command that this function makes of its id and the match.
    async fn send(&mut self, frame: impl FnOnce(CommandId, Option<MatchId>) -> ClientFrame) -> Result<()> {
        self.commands += 1;
        let id = format!("puppet-{}", self.commands).parse().context("an id")?;
        self.session.send(&frame(id, self.mirror.as_ref().map(TableMirror::match_id))).await
    }

    /// Takes a seat.
    async fn sit(&mut self, table: TableId) -> Result<()> {
        self.wait(|mirror| mirror.state().phase == Phase::Open).await?;
        let sit =
            |cmd, match_id| ClientFrame::Sit { table, cmd, match_id, seat: None, invite: None, nonce: None };
        self.send(sit).await?;
        self.wait(|mirror| !mirror.view().your_seats.is_empty()).await
    }

    /// Sends a command, and returns the number that it is acknowledged with, or the code of the refusal.
    async fn answer_to(&mut self, command: &ClientFrame) -> Result<Result<u64, RefusalCode>> {
        self.session.send(command).await?;
        let limit = virtual_now() + LONGEST;
        loop {
            let frame = self.session.next_until(limit).await?.context("no answer")?;
            match &frame {
                ServerFrame::Ack { cmd, seq, .. } if Some(cmd) == command.command_id() => {
                    return Ok(Ok(*seq));
                }
                ServerFrame::Refused { cmd, code, .. } if cmd.as_ref() == command.command_id() => {
                    return Ok(Err(*code));
                }
                _ => drop(self.session.apply(&mut self.mirror, &frame).await?),
            }
        }
    }

    /// Waits until this is true of the players' presence.
    async fn wait_for_presence(&mut self, is_so: impl Fn(&[PlayerView]) -> bool) -> Result<()> {
        self.wait_until(|puppet| is_so(puppet.session.players())).await
    }

    /// Waits until this is true of the table.
    async fn wait(&mut self, is_so: impl Fn(&TableMirror) -> bool) -> Result<()> {
        self.wait_until(|puppet| puppet.mirror.as_ref().is_some_and(&is_so)).await
    }

    /// Waits until this is true of what the player has received.
    async fn wait_until(&mut self, is_so: impl Fn(&Self) -> bool) -> Result<()> {
        let limit = virtual_now() + LONGEST;
        while !is_so(self) {
            let frame = self.session.next_until(limit).await?.context("nothing has happened for long")?;
            self.session.apply(&mut self.mirror, &frame).await?;
        }
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn a_rematch_that_cannot_be_read_at_first_begins() -> Result<()> {
    let plan = Arc::new(RematchFails::default());
    let scene = Scene::begin(Arc::<RematchFails>::clone(&plan), 1);
    let table = CreateTable::plain(Variant::Classic, Privacy::Public);
    let (table, [mut ann, mut ben]) = scene.begin_match(&table).await?;
    ann.send(|cmd, match_id| ClientFrame::Resign { table, cmd, match_id, seat: None }).await?;
    let rematch = |action| {
        move |cmd, match_id| ClientFrame::Rematch { table, cmd, match_id, action, nonce: None, seat: None }
    };
    ann.wait(|mirror| mirror.state().phase == Phase::Ended).await?;
    ann.send(rematch(RequestAction::Ask)).await?;
    ben.wait(|mirror| mirror.state().rematch.is_some()).await?;
    let first = ben.mirror.as_ref().map(TableMirror::match_id);
    plan.step.store(1, Ordering::Relaxed);
    ben.send(rematch(RequestAction::Accept)).await?;

    for player in [&mut ann, &mut ben] {
        player.wait(|mirror| Some(mirror.match_id()) != first).await?;
    }
    ensure!(plan.step.load(Ordering::Relaxed) == 4, "the database has not failed");
    scene.ensure_nothing_is_wrong()
}

#[tokio::test(start_paused = true)]
async fn a_hibernating_table_that_cannot_be_read_at_first_is_listed() -> Result<()> {
    let plan = StatementFault::new("where tables.id = $1", Fault::Unavailable);
    let scene = Scene::begin(Arc::<StatementFault>::clone(&plan), 1);
    let mut table = CreateTable::plain(Variant::Classic, Privacy::Public);
    table.time = Some(TimeSetting::Correspondence { days: 1 });
    let (table, players) = scene.begin_match(&table).await?;
    for player in players {
        player.session.close().await;
    }
    tokio::time::sleep(HIBERNATED).await;

    plan.switch(true);
    let place = scene.place("the watcher", 4);
    let guest = place.guest().await.context("no guest")?;
    let mut connection = Connection::open(&place, &guest).await?;
    connection.send(&ClientFrame::WatchLobby {}).await?;
    let mut is_listed = false;
    for can_be_read in [false, true] {
        plan.switch(!can_be_read);
        let limit = virtual_now() + LONGEST;
        while let Some(frame) = connection.next_until(limit).await? {
            is_listed |= match frame {
                ServerFrame::Lobby { tables, .. } => tables.iter().any(|listed| listed.table == table),
                ServerFrame::LobbyTable { table: listed } => listed.table == table,
                _ => false,
            };
        }
        ensure!(is_listed == can_be_read, "the table is listed: {is_listed}");
    }
    scene.ensure_nothing_is_wrong()
}

#[tokio::test(start_paused = true)]
async fn a_command_that_cannot_be_looked_up_is_not_refused_for_good() -> Result<()> {
    let plan = StatementFault::new("and cmd = $3", Fault::Unavailable);
    let scene = Scene::begin(Arc::<StatementFault>::clone(&plan), 1);
    let (_, table) = scene.create(&CreateTable::plain(Variant::Classic, Privacy::Public)).await?;
    let mut ann = Puppet::come(&scene.place("ann", 2), table).await?;
    ann.sit(table).await?;
    let leave = ClientFrame::Leave { table, cmd: "leave".parse()?, match_id: None, seat: None };
    let seq = ann.answer_to(&leave).await?;
    ensure!(seq.is_ok(), "the first answer is {seq:?}");

    // Ann has no seat any more. She sends the command again as if she had received no answer.
    plan.switch(true);
    ensure!(ann.answer_to(&leave).await? == Err(RefusalCode::Internal));
    plan.switch(false);
    ensure!(ann.answer_to(&leave).await? == seq);
    scene.ensure_nothing_is_wrong()
}

#[tokio::test(start_paused = true)]
async fn a_refused_command_that_cannot_be_looked_up_does_not_interrupt_the_match() -> Result<()> {
    let plan = StatementFault::new("and cmd = $3", Fault::Unavailable);
    let scene = Scene::begin(Arc::<StatementFault>::clone(&plan), 1);
    let plain = CreateTable::plain(Variant::Classic, Privacy::Public);
    let (table, [mut ann, mut ben]) = scene.begin_match(&plain).await?;
    let before = ann.mirror.as_ref().map(TableMirror::seq).context("no mirror")?;
    let mut zoe = Puppet::come(&scene.place("zoe", 4), table).await?;
    zoe.wait(|mirror| mirror.seq() == before).await?;

    plan.switch(true);
    let resign = ClientFrame::Resign { table, cmd: "resign".parse()?, match_id: None, seat: None };
    ensure!(zoe.answer_to(&resign).await? == Err(RefusalCode::Internal));
    plan.switch(false);
    ben.send(|cmd, match_id| ClientFrame::Resign { table, cmd, match_id, seat: None }).await?;
    ann.wait(|mirror| mirror.state().phase == Phase::Ended).await?;
    ensure!(ann.mirror.as_ref().map(TableMirror::seq) == Some(before + 1), "there is another event");
    scene.ensure_nothing_is_wrong()
}

#[tokio::test(start_paused = true)]
async fn a_former_host_receives_the_answer_to_an_added_bot_again() -> Result<()> {
    let scene = Scene::begin(Arc::new(NoFaults), 1);
    let (host, table) = scene.create(&CreateTable::plain(Variant::Dilkel, Privacy::Public)).await?;
    let mut host = Puppet::come_as(&host, &scene.place("the host", 1), table).await?;
    let mut ann = Puppet::come(&scene.place("ann", 2), table).await?;
    host.sit(table).await?;
    ann.sit(table).await?;
    let level = BotLevel::all().next().context("no level")?;
    let bot = BotChoice::BuiltIn { level };
    let add = ClientFrame::AddBot { table, cmd: "add-a-bot".parse()?, match_id: None, seat: None, bot };
    let seq = host.answer_to(&add).await?;
    ensure!(seq.is_ok(), "the first answer is {seq:?}");
    host.send(|cmd, match_id| ClientFrame::Leave { table, cmd, match_id, seat: None }).await?;
    let former = host.me;
    ann.wait(|mirror| mirror.view().host.id != former).await?;

    ensure!(host.answer_to(&add).await? == seq);
    scene.ensure_nothing_is_wrong()
}

#[tokio::test(start_paused = true)]
async fn a_node_receives_presence_that_it_has_missed() -> Result<()> {
    let scene = Scene::begin(Arc::new(NoFaults), 2);
    let (_, table) = scene.create(&CreateTable::plain(Variant::Classic, Privacy::Public)).await?;
    let mut ann = Puppet::come(&scene.place("ann", 2), table).await?;
    let mut ben = Puppet::come(&scene.place_at(1, "ben", 3), table).await?;
    ann.sit(table).await?;
    ben.sit(table).await?;
    // After the end, presence changes only when somebody comes or goes.
    ben.send(|cmd, match_id| ClientFrame::Resign { table, cmd, match_id, seat: None }).await?;
    ben.wait(|mirror| mirror.state().phase == Phase::Ended).await?;
    ben.wait_for_presence(are_present).await?;

    let nodes = scene.nodes()?;
    let cluster = scene.parts.cluster.as_ref().context("no cluster")?;
    cluster.set_cut(nodes[0], nodes[1], true);
    ann.session.close().await;
    tokio::time::sleep(MISSED).await;
    cluster.set_cut(nodes[0], nodes[1], false);
    ben.wait_for_presence(|players| players.iter().any(is_away)).await?;
    scene.ensure_nothing_is_wrong()
}

/// If the answer to a release is lost, the former owner does not pass on who was connected.
#[tokio::test(start_paused = true)]
async fn nobody_seems_away_when_a_match_moves_to_a_node_that_found_it() -> Result<()> {
    let plan = StatementFault::new("release matches", Fault::LostAnswer);
    let scene = Scene::begin(Arc::<StatementFault>::clone(&plan), 3);
    let (ann, table) = scene.create(&CreateTable::plain(Variant::Classic, Privacy::Public)).await?;
    let mut ann = Puppet::come_as(&ann, &scene.place("ann", 2), table).await?;
    let mut ben = Puppet::come(&scene.place_at(1, "ben", 3), table).await?;
    let mut zoe = Puppet::come(&scene.place_at(2, "zoe", 4), table).await?;
    ann.sit(table).await?;
    ben.sit(table).await?;
    for puppet in [&mut ben, &mut zoe] {
        puppet.wait_for_presence(are_present).await?;
    }

    plan.switch(true);
    scene.servers[0].ask_to_end();
    let before = ben.mirror.as_ref().map(TableMirror::seq);
    let was_away = Cell::new(false);
    let observe = |puppet: &Puppet, is_over: &dyn Fn(&TableMirror) -> bool| {
        was_away.set(was_away.get() || puppet.session.players().iter().any(is_away));
        puppet.mirror.as_ref().is_some_and(is_over)
    };
    ben.wait_until(|ben| observe(ben, &|mirror| Some(mirror.seq()) > before)).await?;
    ben.send(|cmd, match_id| ClientFrame::Resign { table, cmd, match_id, seat: None }).await?;
    for puppet in [&mut ben, &mut zoe] {
        puppet.wait_until(|puppet| observe(puppet, &|mirror| mirror.state().phase == Phase::Ended)).await?;
    }
    ensure!(!was_away.get(), "a player seemed to be away");
    scene.ensure_nothing_is_wrong()
}

/// The owners between may have published another presence.
#[tokio::test(start_paused = true)]
async fn an_owner_that_comes_back_publishes_presence_again() -> Result<()> {
    let scene = Scene::begin(Arc::new(NoFaults), 3);
    let host = scene.place("the host", 1);
    let guest = host.guest().await.context("no guest")?;
    // If the first server is away, the second one takes the match over, and the other way round. The third
    // one never does.
    let nodes = scene.nodes()?;
    let prevails = |server: usize, match_id: MatchId| {
        key_owner([nodes[server], nodes[2]], match_id.0.as_bytes()) == Some(nodes[server])
    };
    let table = loop {
        let plain = CreateTable::plain(Variant::Classic, Privacy::Public);
        let created = host.create(&guest, &plain).await.context("no table")?;
        if prevails(0, created.match_id) && prevails(1, created.match_id) {
            break created.table;
        }
    };
    let at_second = scene.place_at(1, "ben", 3);
    let guest = at_second.guest().await.context("no guest")?;
    let mut ann = Puppet::come(&scene.place_at(2, "ann", 2), table).await?;
    let mut ben = Puppet::come_as(&guest, &at_second, table).await?;
    ann.sit(table).await?;
    ben.sit(table).await?;
    ann.wait_for_presence(are_present).await?;

    scene.isolate(0).await?;
    ben.session.close().await;
    ann.wait_for_presence(|players| players.iter().any(is_away)).await?;
    // The first server knows from the beginning that ben is back.
    let at_third = scene.place_at(2, "ben", 3);
    let (isolated, _ben) = tokio::join!(scene.isolate(1), Puppet::come_as(&guest, &at_third, table));
    isolated?;
    ann.wait_for_presence(are_present).await?;
    scene.ensure_nothing_is_wrong()
}

/// The table learns afterwards, at once, that both have left and that both are back. The first one who is
/// back receives that the other one is away. The presence that is due then is the one before all this.
#[tokio::test(start_paused = true)]
async fn players_who_come_back_while_the_database_is_slow_see_each_other() -> Result<()> {
    let plan = StatementFault::new("append to matches", Fault::Slow(2 * MISSED));
    let scene = Scene::begin(Arc::<StatementFault>::clone(&plan), 1);
    let (_, table) = scene.create(&CreateTable::plain(Variant::Classic, Privacy::Public)).await?;
    let places = [scene.place("ann", 2), scene.place("ben", 3)];
    let guests = [places[0].guest().await.context("no guest")?, places[1].guest().await.context("no guest")?];
    let come = async |number: usize| Puppet::come_as(&guests[number], &places[number], table).await;
    let mut players = [come(0).await?, come(1).await?];
    for player in &mut players {
        player.sit(table).await?;
    }
    players[0].send(|cmd, match_id| ClientFrame::Resign { table, cmd, match_id, seat: None }).await?;
    for player in &mut players {
        player.wait(|mirror| mirror.state().phase == Phase::Ended).await?;
        player.wait_for_presence(are_present).await?;
    }

    plan.switch(true);
    let ask = |cmd, match_id| {
        let action = RequestAction::Ask;
        ClientFrame::Rematch { table, cmd, match_id, action, nonce: None, seat: None }
    };
    players[0].send(ask).await?;
    tokio::time::sleep(MISSED / 2).await;
    for player in players {
        player.session.close().await;
    }
    for player in &mut [come(0).await?, come(1).await?] {
        player.wait_for_presence(are_present).await?;
    }
    scene.ensure_nothing_is_wrong()
}

/// A claim that was sent twice may be executed late. The owner then does not know the epoch of the match,
/// so it cannot release the match, and claims it again.
#[tokio::test(start_paused = true)]
async fn a_node_that_claims_a_match_to_release_it_leaves_it_to_another_node() -> Result<()> {
    let scene = Scene::begin(Arc::new(NoFaults), 2);
    let (ann, table) = scene.create(&CreateTable::plain(Variant::Classic, Privacy::Public)).await?;
    let (at_owner, elsewhere) = (scene.place("ann", 2), scene.place_at(1, "ben", 3));
    let mut ben = Puppet::come(&elsewhere, table).await?;
    Puppet::come_as(&ann, &at_owner, table).await?.sit(table).await?;
    ben.sit(table).await?;
    let raise = "update matches set epoch = epoch + 1";
    let raised =
        scene.parts.database.run_unchecked(async |connection| sqlx::query(raise).execute(connection).await);
    ensure!(raised.await?.rows_affected() == 1);

    scene.isolate(0).await?;
    let mut ann = Puppet::come_as(&ann, &at_owner, table).await?;
    ann.wait(|mirror| mirror.state().phase == Phase::Running).await?;
    ben.send(|cmd, match_id| ClientFrame::Resign { table, cmd, match_id, seat: None }).await?;
    ann.wait(|mirror| mirror.state().phase == Phase::Ended).await?;
    scene.ensure_nothing_is_wrong()
}

#[tokio::test(start_paused = true)]
async fn a_hibernating_match_that_is_read_while_its_node_leaves_follows_its_next_owner() -> Result<()> {
    let slow = Fault::Slow(2 * MISSED);
    let plan = StatementFault::new("select 1 from matches where id = $1 and status", slow);
    let scene = Scene::begin(Arc::<StatementFault>::clone(&plan), 2);
    let mut table = CreateTable::plain(Variant::Classic, Privacy::Public);
    table.time = Some(TimeSetting::Correspondence { days: 1 });
    let (ann, table) = scene.create(&table).await?;
    let (at_owner, elsewhere) = (scene.place("ann", 2), scene.place_at(1, "ann", 2));
    let mut players =
        [Puppet::come_as(&ann, &at_owner, table).await?, Puppet::come(&scene.place("ben", 3), table).await?];
    for player in &mut players {
        player.sit(table).await?;
    }
    for player in players {
        player.session.close().await;
    }
    tokio::time::sleep(HIBERNATED).await;

    plan.switch(true);
    let mut zoe = Puppet::come(&scene.place("zoe", 4), table).await?;
    tokio::time::sleep(MISSED).await;
    scene.servers[0].ask_to_end();
    zoe.wait(|mirror| mirror.state().phase == Phase::Running).await?;
    plan.switch(false);
    let mut ann = Puppet::come_as(&ann, &elsewhere, table).await?;
    ann.wait(|mirror| mirror.state().phase == Phase::Running).await?;
    ann.send(|cmd, match_id| ClientFrame::Resign { table, cmd, match_id, seat: None }).await?;
    zoe.wait(|mirror| mirror.state().phase == Phase::Ended).await?;
    scene.ensure_nothing_is_wrong()
}
