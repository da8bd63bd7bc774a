//! Hibernating matches: a match that nobody watches leaves the memory of the server, and nobody
//! notices anything of it.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{CreateTable, Me, OwnTable, TableList};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::view::{Phase, Presence};
use quadrex_protocol::{ClientFrame, Event, MatchId, ServerFrame};
use quadrex_rules::{Color, Variant};
use quadrex_store::{Location, LoggedEvent, Store};
use quadrex_tests::contest::Contest;
use quadrex_tests::in_process::InProcessServer;
use quadrex_tests::{Client, Database, Launch, PATIENCE};

const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(24 * 3_600);

/// The environment variable with the quiet time after which matches hibernate.
const HIBERNATE_SECONDS: &str = "QUADREX_TABLES__HIBERNATE_SECONDS";

fn correspondence(days: u8) -> CreateTable {
    CreateTable {
        time: Some(TimeSetting::Correspondence { days }),
        ..CreateTable::plain(Variant::Classic, Privacy::Public)
    }
}

/// A second view of a server's database.
struct Observer(Store);

impl Observer {
    async fn of(location: &Location) -> Result<Self> {
        Ok(Self(Store::connect(location, 1).await?))
    }

    async fn until_hibernating(&self, match_id: MatchId) -> Result<()> {
        let waiting = async {
            while !self.0.is_hibernating(match_id).await? {
                // The pause only limits the number of queries.
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            anyhow::Ok(())
        };
        tokio::time::timeout(PATIENCE, waiting).await.context("waiting for the hibernation")?
    }

    /// Waits until the log of a match has an event for which `is_wanted` returns true.
    async fn until_logged(&self, match_id: MatchId, is_wanted: fn(&Event) -> bool) -> Result<LoggedEvent> {
        let waiting = async {
            loop {
                let log = self.0.events(match_id, 0).await?;
                if let Some(found) = log.into_iter().find(|logged| is_wanted(&logged.event)) {
                    return anyhow::Ok(found);
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.context("waiting for an event")?
    }

    async fn interruptions(&self, match_id: MatchId) -> Result<Vec<(u64, u64)>> {
        let log = self.0.events(match_id, 0).await?;
        let interruption = |logged: LoggedEvent| match logged.event {
            Event::Interrupted { until_ms, resumes_ms, .. } => Some((until_ms, resumes_ms)),
            _ => None,
        };
        Ok(log.into_iter().filter_map(interruption).collect())
    }
}

fn is_ended(event: &Event) -> bool {
    matches!(event, Event::Ended { .. })
}

/// Starts a match and makes the first two moves. Then all players disconnect, and the match
/// hibernates.
async fn hibernating(server: &InProcessServer, days: u8) -> Result<(Contest, Observer)> {
    let mut contest = server.contest(&correspondence(days)).await?;
    contest.play("e2e4".parse()?).await?;
    contest.play("e7e5".parse()?).await?;
    for client in contest.everybody() {
        client.cut().await?;
    }
    let observer = Observer::of(&server.location()?).await?;
    observer.until_hibernating(contest.match_id).await?;
    Ok((contest, observer))
}

/// Returns the time that White has left on the clock.
async fn left(server: &InProcessServer, contest: &Contest) -> Result<Duration> {
    let mut watcher = Client::open(server.address(), None).await?;
    let seen = watcher.watch(contest.table).await?;
    let left = seen.state().clock.as_ref().and_then(|clock| clock.left_ms.get(&Color::White).copied());
    Ok(Duration::from_millis(left.context("White has a clock")?))
}

async fn server() -> Result<InProcessServer> {
    InProcessServer::start_with(&[(HIBERNATE_SECONDS, "1")]).await
}

/// All lists show a hibernating match, and it goes on with the next move.
#[tokio::test]
async fn a_hibernating_match_is_listed_and_goes_on_with_the_next_move() -> Result<()> {
    let server = server().await?;
    let (mut contest, observer) = hibernating(&server, 2).await?;
    let (table, match_id) = (contest.table, contest.match_id);
    let guest = contest.player(Color::White)?.guest()?.clone();

    let tables: TableList = server.http().get("/api/tables").await?.json(200)?;
    let [listed] = &tables.tables[..] else { anyhow::bail!("{tables:?}") };
    ensure!((listed.table, listed.phase, listed.plies) == (table, Phase::Running, 2), "{listed:?}");
    ensure!((tables.counts.running, tables.counts.players) == (1, 2), "{:?}", tables.counts);
    let me: Me = server.http().as_guest(&guest).get("/api/me").await?.json(200)?;
    ensure!(me.tables.iter().map(|own| own.table).eq([table]), "{me:?}");

    let mut follower = server.connect(&guest).await?;
    follower.send(&ClientFrame::WatchOwnTables {}).await?;
    let own = follower.find("the own tables", own_tables).await?;
    let [own] = &own[..] else { anyhow::bail!("{own:?}") };
    ensure!(own.summary.table == table && own.your_move, "{own:?}");
    let left = Duration::from_millis(own.left_ms.context("it is White's move")?);
    ensure!(left > DAY && left <= 2 * DAY, "{left:?}");
    follower.send(&ClientFrame::WatchLobby {}).await?;
    follower.find("the table in the lobby", |frame| lobby_shows(&frame, table).then_some(())).await?;
    ensure!(observer.0.is_hibernating(match_id).await?, "lists do not claim it");

    for client in contest.everybody() {
        client.reconnect(server.address()).await?;
    }
    let seen = contest.player(Color::White)?.watch(table).await?;
    let presence = |color| seen.view().players.iter().find(|player| player.color == color);
    let white = presence(Color::White).context("White has a seat")?.presence;
    ensure!(white == Presence::Connected, "{white:?}");
    contest.play("g1f3".parse()?).await?;
    ensure!(!observer.0.is_hibernating(match_id).await?);
    ensure!(observer.interruptions(match_id).await?.is_empty(), "the server ran all the time");
    Ok(())
}

fn own_tables(frame: ServerFrame) -> Option<Vec<OwnTable>> {
    if let ServerFrame::OwnTables { tables } = frame { Some(tables) } else { None }
}

/// Returns whether the first frame of the lobby, or a later one, shows a table.
fn lobby_shows(frame: &ServerFrame, table: quadrex_protocol::TableId) -> bool {
    match frame {
        ServerFrame::Lobby { tables, .. } => tables.iter().any(|listed| listed.table == table),
        ServerFrame::LobbyTable { table: listed } => listed.table == table,
        _ => false,
    }
}

/// The clock of a hibernating match runs, and the match ends at its deadline.
#[tokio::test]
async fn a_hibernating_match_ends_at_its_deadline() -> Result<()> {
    let server = server().await?;
    let (contest, observer) = hibernating(&server, 1).await?;
    let (other, _) = hibernating(&server, 1).await?;
    server.skip(20 * HOUR);
    let left = left(&server, &other).await?;
    ensure!(left <= 4 * HOUR && left > 3 * HOUR, "{left:?}");
    // Nobody has looked at the first match.
    let started = observer
        .until_logged(contest.match_id, |event| matches!(event, Event::Moved { color: Color::Black, .. }))
        .await?;
    server.skip(5 * HOUR);
    let ended = observer.until_logged(contest.match_id, is_ended).await?;
    let after = ended.at.since(started.at);
    ensure!(after >= DAY && after < DAY + 2 * HOUR, "{after:?}");
    Ok(())
}

/// A match that somebody watches does not hibernate, because the watchers expect its events.
#[tokio::test]
async fn a_watched_match_does_not_hibernate() -> Result<()> {
    let server = server().await?;
    let mut watched = server.contest(&correspondence(3)).await?;
    let mut watcher = Client::open(server.address(), None).await?;
    watcher.watch(watched.table).await?;
    for client in watched.everybody() {
        client.cut().await?;
    }
    // The quiet time of another match begins later.
    let (_, observer) = hibernating(&server, 3).await?;
    server.skip(HOUR);
    let (_, observer_of_last) = hibernating(&server, 3).await?;
    for observer in [observer, observer_of_last] {
        ensure!(!observer.0.is_hibernating(watched.match_id).await?);
    }
    Ok(())
}

/// Players are not charged for the time in which no server ran while their match hibernated, nor for
/// a stall of the process.
#[tokio::test]
async fn outages_are_not_charged_to_a_hibernating_match() -> Result<()> {
    let mut server = server().await?;
    let (contest, observer) = hibernating(&server, 1).await?;
    server.simulate_outage(2 * DAY).await?;
    server.skip(HOUR);
    server.freeze(3 * DAY);
    server.simulate_outage(20 * HOUR).await?;
    let charged = DAY.saturating_sub(left(&server, &contest).await?);
    // Each outage ends with a grace period.
    let slack = Duration::from_secs(20);
    ensure!(charged + slack >= HOUR && charged <= HOUR + slack, "{charged:?}");

    server.skip(DAY);
    let ended = observer.until_logged(contest.match_id, is_ended).await?;
    let interruptions = observer.interruptions(contest.match_id).await?;
    ensure!(interruptions.len() == 3, "{interruptions:?}");
    let away: u64 = interruptions.iter().map(|(until, resumes)| resumes - until).sum();
    ensure!(away >= (5 * DAY + 20 * HOUR).as_millis() as u64, "{interruptions:?}");
    ensure!(ended.at.as_millis() > interruptions[2].1);
    Ok(())
}

/// A starting server does not read the logs of hibernating matches. A match that hibernates when the
/// server is killed goes on at the next server.
#[tokio::test]
async fn a_killed_server_leaves_its_matches_hibernating() -> Result<()> {
    for database in [Database::Sqlite, Database::postgres().await?] {
        let launch = Launch::new(&database)?.with_env(HIBERNATE_SECONDS, 1);
        let mut server = launch.start().await?;
        let mut contest = Contest::start(&server, &correspondence(1)).await?;
        contest.play("e2e4".parse()?).await?;
        for client in contest.everybody() {
            client.cut().await?;
        }
        let observer = Observer::of(&launch.location()?).await?;
        let match_id = contest.match_id;
        observer.until_hibernating(match_id).await?;
        for _ in 0..2 {
            server.kill().await?;
            server = launch.start().await?;
        }
        launch.until_logged("resumed the unfinished matches matches=0", 3).await?;
        ensure!(observer.0.is_hibernating(match_id).await?);
        let tables: TableList = server.http().get("/api/tables").await?.json(200)?;
        ensure!(tables.tables.len() == 1 && tables.counts.players == 2, "{tables:?}");

        for client in contest.everybody() {
            client.reconnect(server.address()).await?;
        }
        contest.play("e7e5".parse()?).await?;
        let interruptions = observer.interruptions(match_id).await?;
        let [first, second] = interruptions[..] else { anyhow::bail!("{interruptions:?}") };
        ensure!(first.1 > first.0 && second.1 > second.0 && second.0 >= first.1 - 3_000, "{interruptions:?}");
        let log = observer.0.events(match_id, 0).await?;
        ensure!(matches!(log.last().map(|last| &last.event), Some(Event::Moved { .. })));
    }
    Ok(())
}
