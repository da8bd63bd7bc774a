//! The scenes of tests: servers with certain faults, and players who do exactly what a test says.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, ensure};
use quadrex_protocol::view::{Phase, PlayerView, Presence};
use quadrex_protocol::{ClientFrame, CommandId, MatchId, RefusalCode, ServerFrame, UserId};
use quadrex_store::{Access, Fault, FaultPlan, NodeId, SimulatedDatabase};
use quadrex_tests::table_mirror::TableMirror;

use super::session::Session;
use super::*;
use crate::cluster::Cluster;
use crate::database_faults::DatabaseFaults;
use crate::server::{ServerParts, SimulatedServer};
use crate::trace::virtual_now;

/// The time within which everything that a player waits for happens.
pub(super) const LONGEST: Duration = Duration::from_secs(40);

/// The time after which a node without a connection to the others has given its matches to them.
pub(super) const ISOLATED: Duration = Duration::from_secs(8);

/// A plan in which the statements with a text have a fault while it is switched on.
#[derive(Debug)]
pub(super) struct StatementFault {
    text: &'static str,
    fault: Fault,
    is_on: AtomicBool,
}

impl StatementFault {
    pub(super) fn new(text: &'static str, fault: Fault) -> Arc<Self> {
        Arc::new(Self { text, fault, is_on: AtomicBool::new(false) })
    }

    pub(super) fn switch(&self, is_on: bool) {
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
pub(super) struct Scene {
    pub(super) parts: ServerParts,
    pub(super) servers: Vec<SimulatedServer>,
    chance: Chance,
    stage: watch::Sender<Stage>,
}

impl Scene {
    /// Starts servers. Several form a cluster.
    pub(super) fn begin(plan: Arc<dyn FaultPlan>, servers: usize) -> Self {
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
    pub(super) fn place(&self, name: &str, number: u16) -> Place {
        self.place_at(0, name, number)
    }

    pub(super) fn place_at(&self, server: usize, name: &str, number: u16) -> Place {
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
    pub(super) async fn create(&self, table: &CreateTable) -> Result<(Guest, TableId)> {
        let host = self.place("the host", 1);
        let guest = host.guest().await.context("no guest")?;
        let table = host.create(&guest, table).await.context("no table")?.table;
        Ok((guest, table))
    }

    /// Creates a table. Two players come, and their match begins.
    pub(super) async fn begin_match(&self, table: &CreateTable) -> Result<(TableId, [Puppet; 2])> {
        let (_, table) = self.create(table).await?;
        let mut ann = Puppet::come(&self.place("ann", 2), table).await?;
        let mut ben = Puppet::come(&self.place("ben", 3), table).await?;
        for player in [&mut ann, &mut ben] {
            player.sit(table).await?;
        }
        ann.wait(|mirror| mirror.state().phase == Phase::Running).await?;
        Ok((table, [ann, ben]))
    }

    pub(super) fn nodes(&self) -> Result<Vec<NodeId>> {
        self.servers.iter().map(|server| server.node().context("no node")).collect()
    }

    /// Loses all messages from the first server to the second one from now on, or no longer.
    pub(super) fn set_cut(&self, is_cut: bool) -> Result<()> {
        let (nodes, cluster) = (self.nodes()?, self.parts.cluster.as_ref().context("no cluster")?);
        cluster.set_cut(nodes[0], nodes[1], is_cut);
        Ok(())
    }

    /// Cuts a server off from the others until it has given its matches to them.
    pub(super) async fn isolate(&self, server: usize) -> Result<()> {
        let mut others = self.nodes()?;
        let isolated = others.remove(server);
        let cluster = self.parts.cluster.as_ref().context("no cluster")?;
        cluster.set_connected(isolated, &others, false);
        tokio::time::sleep(ISOLATED).await;
        cluster.set_connected(isolated, &others, true);
        Ok(())
    }

    pub(super) fn ensure_nothing_is_wrong(&self) -> Result<()> {
        let violations = self.parts.auditor.violations();
        ensure!(violations.is_empty(), "{violations:?}");
        Ok(())
    }
}

pub(super) fn is_away(player: &PlayerView) -> bool {
    player.presence != Presence::Connected
}

/// Returns whether both players of a match are connected.
pub(super) fn are_present(players: &[PlayerView]) -> bool {
    players.len() == 2 && !players.iter().any(is_away)
}

/// A player who does exactly what the test says.
pub(super) struct Puppet {
    pub(super) me: UserId,
    pub(super) session: Session,
    /// The secret of the invite, at a private table.
    secret: Option<String>,
    pub(super) mirror: Option<TableMirror>,
    /// The number of the last command. It begins with the time, so it differs from the numbers of the
    /// user's earlier connections.
    commands: u64,
}

impl Puppet {
    pub(super) async fn come(place: &Place, table: TableId) -> Result<Self> {
        let guest = place.guest().await.context("no guest")?;
        Self::come_as(&guest, place, table).await
    }

    pub(super) async fn come_as(guest: &Guest, place: &Place, table: TableId) -> Result<Self> {
        Self::come_with(guest, place, &Ticket { table, secret: None }).await
    }

    /// Comes to a private table.
    pub(super) async fn invited(place: &Place, table: TableId, invite: &str) -> Result<Self> {
        let guest = place.guest().await.context("no guest")?;
        Self::come_with(&guest, place, &Ticket { table, secret: Some(invite.to_owned()) }).await
    }

    async fn come_with(guest: &Guest, place: &Place, ticket: &Ticket) -> Result<Self> {
        let session = Session::open(place, guest, ticket, None).await?;
        let commands = place.trace.time_of_day().as_millis();
        let secret = ticket.secret.clone();
        Ok(Self { me: guest.user.id, session, secret, mirror: None, commands })
    }

    /// Returns the number of the last event that the player has received, or 0.
    pub(super) fn seq(&self) -> u64 {
        self.mirror.as_ref().map_or(0, TableMirror::seq)
    }

    /// Sends the command that this function makes of its id and the match.
    pub(super) async fn send(
        &mut self,
        frame: impl FnOnce(CommandId, Option<MatchId>) -> ClientFrame,
    ) -> Result<()> {
        self.commands += 1;
        let id = format!("puppet-{}", self.commands).parse().context("an id")?;
        self.session.send(&frame(id, self.mirror.as_ref().map(TableMirror::match_id))).await
    }

    /// Takes a seat.
    pub(super) async fn sit(&mut self, table: TableId) -> Result<()> {
        self.wait(|mirror| mirror.state().phase == Phase::Open).await?;
        let invite = self.secret.clone();
        let sit = |cmd, match_id| ClientFrame::Sit { table, cmd, match_id, seat: None, invite, nonce: None };
        self.send(sit).await?;
        self.wait(|mirror| !mirror.view().your_seats.is_empty()).await
    }

    /// Sends a command, and returns the number that it is acknowledged with, or the code of the refusal.
    pub(super) async fn answer_to(&mut self, command: &ClientFrame) -> Result<Result<u64, RefusalCode>> {
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

    /// Waits for a refusal that answers no command.
    pub(super) async fn wait_for_refusal(&mut self, expected: RefusalCode) -> Result<()> {
        let limit = virtual_now() + LONGEST;
        loop {
            match self.session.next_until(limit).await?.context("no refusal")? {
                ServerFrame::Refused { cmd: None, code, .. } if code == expected => return Ok(()),
                frame => drop(self.session.apply(&mut self.mirror, &frame).await?),
            }
        }
    }

    /// Waits until this is true of the players' presence.
    pub(super) async fn wait_for_presence(&mut self, is_so: impl Fn(&[PlayerView]) -> bool) -> Result<()> {
        self.wait_until(|puppet| is_so(puppet.session.players())).await
    }

    /// Waits until this is true of the table.
    pub(super) async fn wait(&mut self, is_so: impl Fn(&TableMirror) -> bool) -> Result<()> {
        self.wait_until(|puppet| puppet.mirror.as_ref().is_some_and(&is_so)).await
    }

    /// Waits until this is true of what the player has received.
    pub(super) async fn wait_until(&mut self, is_so: impl Fn(&Self) -> bool) -> Result<()> {
        let limit = virtual_now() + LONGEST;
        while !is_so(self) {
            let frame = self.session.next_until(limit).await?.context("nothing has happened for long")?;
            self.session.apply(&mut self.mirror, &frame).await?;
        }
        Ok(())
    }
}
