//! A rematch that begins while the database fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, ensure};
use quadrex_clock::SimulatedHardware;
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, CommandId, MatchId, RequestAction};
use quadrex_rules::Variant;
use quadrex_store::{Access, Fault, FaultPlan, SimulatedDatabase};
use quadrex_tests::table_mirror::TableMirror;

use super::session::Session;
use super::*;
use crate::database_faults::DatabaseFaults;
use crate::server::{ServerParts, SimulatedServer};
use crate::trace::{BEGIN, virtual_now};

/// The time within which everything that a player waits for happens.
const LONGEST: Duration = Duration::from_secs(40);

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

/// A player who does exactly what the test says.
struct Puppet {
    session: Session,
    mirror: Option<TableMirror>,
    commands: u64,
}

impl Puppet {
    async fn come(place: &Place, table: TableId) -> Result<Self> {
        let guest = place.guest().await.context("no guest")?;
        let session = Session::open(place, &guest, &Ticket { table, secret: None }, None).await?;
        Ok(Self { session, mirror: None, commands: 0 })
    }

    /// Sends the command that this function makes of its id and the match.
    async fn send(&mut self, frame: impl FnOnce(CommandId, Option<MatchId>) -> ClientFrame) -> Result<()> {
        self.commands += 1;
        let id = format!("puppet-{}", self.commands).parse().context("an id")?;
        self.session.send(&frame(id, self.mirror.as_ref().map(TableMirror::match_id))).await
    }

    /// Waits until this is true of the table.
    async fn wait(&mut self, is_so: impl Fn(&TableMirror) -> bool) -> Result<()> {
        let limit = virtual_now() + LONGEST;
        while !self.mirror.as_ref().is_some_and(&is_so) {
            let frame = self.session.next_until(limit).await?.context("nothing has happened for long")?;
            self.session.apply(&mut self.mirror, &frame).await?;
        }
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn a_rematch_that_cannot_be_read_at_first_begins() -> Result<()> {
    quadrex_runtime::simulation::activate(1);
    let (chance, trace) = (Chance::new(1), Trace::new(false));
    let network = Network::new(chance.fork(), 1);
    let (plan, time) = (Arc::new(RematchFails::default()), trace.clone());
    let database = SimulatedDatabase::new(move || time.time_of_day(), Arc::<RematchFails>::clone(&plan));
    let no_faults = Arc::new(DatabaseFaults::new(chance.fork(), trace.clone()));
    let auditor = Auditor::new(trace.clone(), no_faults);
    let server = SimulatedServer::new(ServerParts {
        number: 0,
        chance: chance.fork(),
        trace: trace.clone(),
        auditor: auditor.clone(),
        network: network.clone(),
        database,
        hardware: SimulatedHardware::new(BEGIN),
        cluster: None,
    });
    server.start();
    let stage = watch::Sender::new(Stage::Playing);
    let stage = stage.subscribe();
    let place = |name: &str, number| Place {
        name: name.to_owned(),
        number,
        network: network.clone(),
        servers: 1,
        chance: chance.fork(),
        trace: trace.clone(),
        auditor: auditor.clone(),
        stage: stage.clone(),
    };
    let host = place("the host", 1);
    let guest = host.guest().await.context("no guest")?;
    let table = CreateTable::plain(Variant::Classic, Privacy::Public);
    let table = host.create(&guest, &table).await.context("no table")?.table;

    let mut ann = Puppet::come(&place("ann", 2), table).await?;
    let mut ben = Puppet::come(&place("ben", 3), table).await?;
    for player in [&mut ann, &mut ben] {
        player.wait(|mirror| mirror.state().phase == Phase::Open).await?;
        let sit =
            |cmd, match_id| ClientFrame::Sit { table, cmd, match_id, seat: None, invite: None, nonce: None };
        player.send(sit).await?;
        player.wait(|mirror| !mirror.view().your_seats.is_empty()).await?;
    }
    ann.wait(|mirror| mirror.state().phase == Phase::Running).await?;
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
    ensure!(auditor.violations().is_empty(), "{:?}", auditor.violations());
    Ok(())
}
