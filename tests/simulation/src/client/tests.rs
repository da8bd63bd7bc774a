//! Certain faults at certain moments.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, ensure};
use quadrex_cluster::membership::key_owner;
use quadrex_protocol::bot::{BotChoice, BotLevel};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, MatchId, RefusalCode, RequestAction, ServerFrame};
use quadrex_rules::Variant;
use quadrex_store::{Access, Fault, FaultPlan, NoFaults};
use quadrex_tests::table_mirror::TableMirror;

use super::connection::Connection;
use super::scene::{ISOLATED, LONGEST, Puppet, Scene, StatementFault, are_present, is_away};
use super::*;
use crate::trace::virtual_now;

/// The time after which a match that nobody watches hibernates.
const HIBERNATED: Duration = Duration::from_mins(2);

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

/// Nobody sends anything after a move that could not be stored.
#[tokio::test(start_paused = true)]
async fn a_failed_move_interrupts_the_match_only_until_the_store_works() -> Result<()> {
    let plan = StatementFault::new("append to matches", Fault::Unavailable);
    let scene = Scene::begin(Arc::<StatementFault>::clone(&plan), 1);
    let mut timed = CreateTable::plain(Variant::Classic, Privacy::Public);
    timed.time = Some(TimeSetting::Fischer { base_ms: 3_600_000, increment_ms: 0 });
    let (table, [mut ann, mut ben]) = scene.begin_match(&timed).await?;
    let mut players = [&mut ann, &mut ben];
    // The clocks do not run before the first moves.
    for number in 0..3 {
        let last = players[0].seq();
        players[1].wait(|mirror| mirror.seq() >= last).await?;
        if players[0].mirror.as_ref().is_some_and(|mirror| mirror.view().legal_moves.is_none()) {
            players.reverse();
        }
        let mirror = players[0].mirror.as_ref().context("no mirror")?;
        let mv = *mirror.view().legal_moves.iter().flatten().next().context("no legal move")?;
        let (cmd, match_id, after) =
            (format!("move-{number}").parse()?, Some(mirror.match_id()), mirror.seq());
        let play = ClientFrame::Move { table, cmd, match_id, after, mv, claim_draw: false, seat: None };
        plan.switch(number == 2);
        let answer = players[0].answer_to(&play).await?;
        ensure!(answer.is_ok() == (number < 2), "move {number} is answered: {answer:?}");
        players[0].wait(|mirror| mirror.seq() == after + u64::from(number < 2)).await?;
    }
    tokio::time::sleep(MISSED).await;
    plan.switch(false);
    let (before, works_at) = (players[0].seq(), virtual_now());
    players[0].wait(|mirror| mirror.seq() > before).await?;
    ensure!(virtual_now() - works_at < 4 * MISSED, "it is resumed after {:?}", virtual_now() - works_at);
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

    scene.set_cut(true)?;
    ann.session.close().await;
    tokio::time::sleep(MISSED).await;
    scene.set_cut(false)?;
    ben.wait_for_presence(|players| players.iter().any(is_away)).await?;
    scene.ensure_nothing_is_wrong()
}

/// A server that is killed has recorded that it is alive, but not yet that it was stopped before.
#[tokio::test(start_paused = true)]
async fn a_stall_just_before_a_crash_is_compensated() -> Result<()> {
    let plan = StatementFault::new("append to matches", Fault::Hang);
    let scene = Scene::begin(Arc::<StatementFault>::clone(&plan), 1);
    let server = &scene.servers[0];
    let plain = CreateTable::plain(Variant::Classic, Privacy::Public);
    let (table, _players) = scene.begin_match(&plain).await?;
    let stalled_at = scene.parts.trace.time_of_day();
    server.stop();
    tokio::time::sleep(ISOLATED).await;
    plan.switch(true);
    server.resume();
    tokio::time::sleep(MISSED / 5).await;
    server.kill();
    plan.switch(false);
    server.start();

    let mut zoe = Puppet::come(&scene.place("zoe", 4), table).await?;
    zoe.wait(|mirror| mirror.state().phase == Phase::Running).await?;
    let interruption = "select event ->> 'until_ms' from match_event where event ->> 'type' = 'interrupted'";
    let query = sqlx::query_scalar(interruption);
    let until: i64 =
        scene.parts.database.run_unchecked(async |connection| query.fetch_one(connection).await).await?;
    ensure!(u64::try_from(until)? <= stalled_at.as_millis(), "the players are charged for the stall");
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

/// Lets a user be kicked, and somebody sit down, while the user's server receives no messages. Returns the
/// user, and the last event that the user may receive.
async fn kicked_unnoticed(scene: &Scene) -> Result<(Puppet, u64)> {
    let private = CreateTable::plain(Variant::Dilkel, Privacy::Private);
    let at_owner = scene.place("the host", 1);
    let (host, table) = scene.create(&private).await?;
    let invite = at_owner.invite(&host, table).await.context("no invite")?;
    let mut host = Puppet::come_as(&host, &at_owner, table).await?;
    let mut ben = Puppet::invited(&scene.place_at(1, "ben", 3), table, &invite).await?;
    ben.sit(table).await?;
    let color = ben.mirror.as_ref().map(|mirror| mirror.view().your_seats[0]).context("no seat")?;
    host.wait(|mirror| mirror.view().seats.iter().any(|seat| seat.user.is_some())).await?;

    scene.set_cut(true)?;
    host.send(|cmd, match_id| ClientFrame::Kick { table, cmd, match_id, color }).await?;
    host.wait(|mirror| mirror.view().seats.iter().all(|seat| seat.user.is_none())).await?;
    let kicked_at = host.seq();
    host.sit(table).await?;
    tokio::time::sleep(MISSED).await;
    Ok((ben, kicked_at))
}

#[tokio::test(start_paused = true)]
async fn a_kicked_user_receives_nothing_that_another_server_had_missed() -> Result<()> {
    let scene = Scene::begin(Arc::new(NoFaults), 2);
    let (mut ben, kicked_at) = kicked_unnoticed(&scene).await?;
    scene.set_cut(false)?;
    ben.wait_for_refusal(RefusalCode::Kicked).await?;
    ensure!(ben.seq() <= kicked_at, "ben saw too much");
    scene.ensure_nothing_is_wrong()
}

#[tokio::test(start_paused = true)]
async fn a_kicked_user_receives_nothing_that_the_next_owner_had_missed() -> Result<()> {
    let scene = Scene::begin(Arc::new(NoFaults), 2);
    let (mut ben, kicked_at) = kicked_unnoticed(&scene).await?;
    scene.servers[0].kill();
    ben.wait_for_refusal(RefusalCode::Kicked).await?;
    ensure!(ben.seq() <= kicked_at, "ben saw too much");
    scene.ensure_nothing_is_wrong()
}

/// Otherwise the presence from before would be checked although it cannot change any more.
#[tokio::test(start_paused = true)]
async fn a_kicked_user_has_no_presence_to_check() -> Result<()> {
    let scene = Scene::begin(Arc::new(NoFaults), 1);
    let at_host = scene.place("the host", 1);
    let (host, table) = scene.create(&CreateTable::plain(Variant::Dilkel, Privacy::Private)).await?;
    let invite = at_host.invite(&host, table).await.context("no invite")?;
    let mut host = Puppet::come_as(&host, &at_host, table).await?;
    let mut ben = Puppet::invited(&scene.place("ben", 3), table, &invite).await?;
    ben.sit(table).await?;
    ben.wait_for_presence(|players| !players.is_empty()).await?;
    let color = ben.mirror.as_ref().map(|mirror| mirror.view().your_seats[0]).context("no seat")?;

    host.wait(|mirror| mirror.view().seats.iter().any(|seat| seat.user.is_some())).await?;
    host.send(|cmd, match_id| ClientFrame::Kick { table, cmd, match_id, color }).await?;
    ben.wait_for_refusal(RefusalCode::Kicked).await?;
    ensure!(ben.session.players().is_empty(), "{:?}", ben.session.players());
    scene.ensure_nothing_is_wrong()
}
