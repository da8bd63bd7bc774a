//! The lobby: a window for subscribers, pages over HTTP, and small messages for both.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::archive::MatchList;
use quadrex_protocol::bot::{BotChoice, BotSeat};
use quadrex_protocol::http::{Activity, CreateTable, LobbyCounts, Me, TableList, TableSummary};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, RefusalCode, ServerFrame, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::{Client, Database, Guest, Http, Launch, Server, swarm};

/// The maximum number of open tables in a window, and of running ones.
const EACH: usize = 50;

/// The maximum size of a window or a page in bytes, for a hundred tables of four players.
const MOST_BYTES: usize = 150_000;

/// A client's copy of the lobby, built from frames alone.
#[derive(Clone, Debug, Default, PartialEq)]
struct Lobby {
    tables: BTreeMap<TableId, TableSummary>,
    counts: LobbyCounts,
    activity: Activity,
    previews: usize,
    full_updates: usize,
}

impl Lobby {
    fn take(&mut self, frame: ServerFrame) {
        match frame {
            ServerFrame::Lobby { tables, counts, activity } => {
                self.tables = tables.into_iter().map(|table| (table.table, table)).collect();
                (self.counts, self.activity) = (counts, activity);
            }
            ServerFrame::LobbyTable { table } => {
                self.full_updates += 1;
                self.tables.insert(table.table, table);
            }
            ServerFrame::LobbyRemoved { table } => drop(self.tables.remove(&table)),
            ServerFrame::LobbyPreview { tables, counts, activity } => {
                self.previews += 1;
                for status in tables {
                    if let Some(table) = self.tables.get_mut(&status.table) {
                        (table.turn, table.plies) = (status.turn, status.plies);
                        table.spectators = status.spectators;
                    }
                }
                self.counts = counts.unwrap_or(self.counts);
                self.activity = activity.unwrap_or(self.activity);
            }
            _ => {}
        }
    }

    /// Returns the ids in the order of the window.
    fn order(&self) -> Vec<TableId> {
        let (mut open, mut running): (Vec<_>, Vec<_>) =
            self.tables.values().partition(|table| table.phase == Phase::Open);
        open.sort_by_key(|table| std::cmp::Reverse(table.table));
        running.sort_by_key(|table| std::cmp::Reverse((table.spectators, table.table)));
        open.into_iter().chain(running).map(|table| table.table).collect()
    }
}

/// A client that watches the lobby.
struct Watcher {
    client: Client,
    lobby: Lobby,
}

impl Watcher {
    async fn start(server: &Server) -> Result<Self> {
        let mut client = server.connect_as_nobody().await?;
        client.send(&ClientFrame::WatchLobby {}).await?;
        let mut lobby = Lobby::default();
        let first = client.next().await?;
        ensure!(matches!(first, ServerFrame::Lobby { .. }), "{first:?} is no window");
        lobby.take(first);
        Ok(Self { client, lobby })
    }

    async fn until(&mut self, what: &str, is_so: impl Fn(&Lobby) -> bool) -> Result<()> {
        while !is_so(&self.lobby) {
            let frame = self.client.next().await;
            self.lobby.take(frame.with_context(|| format!("waiting for {what}: {:?}", self.lobby.counts))?);
        }
        Ok(())
    }
}

async fn start() -> Result<(Server, Guest)> {
    let server = without_rate_limits(Launch::new(&Database::Sqlite)?).start().await?;
    let host = server.guest("Host").await?;
    Ok((server, host))
}

async fn open_tables(server: &Server, host: &Guest, count: usize) -> Result<Vec<TableId>> {
    let mut made = Vec::new();
    for _ in 0..count {
        let table = CreateTable { seat: Some(Color::Red), ..plain(Variant::Dilkel) };
        made.push(server.http().as_guest(host).create(&table).await?.table);
    }
    Ok(made)
}

/// Takes a seat at each of these tables.
async fn sit_at(server: &Server, guest: &Guest, tables: &[TableId]) -> Result<()> {
    let mut client = server.connect(guest).await?;
    for &table in tables {
        let sit = client.sit(table, None, None);
        client.accepted(&sit).await?;
    }
    Ok(())
}

async fn spectators(server: &Server, table: TableId, count: usize) -> Result<Vec<Client>> {
    let mut clients = Vec::new();
    for _ in 0..count {
        let mut client = server.connect_as_nobody().await?;
        client.watch(table).await?;
        clients.push(client);
    }
    Ok(clients)
}

/// Open tables come first, newest first, and then running ones by their spectators. All tables are
/// counted. A client that follows every frame has the same list as a new client.
#[tokio::test]
async fn the_lobby_lists_open_tables_and_then_the_most_watched_matches() -> Result<()> {
    let (server, host) = start().await?;
    let mut early = Watcher::start(&server).await?;
    let mut running = Vec::new();
    let mut people = Vec::new();
    for watchers in [1, 3, 0] {
        let contest = Contest::start(&server, &plain(Variant::Classic)).await?;
        people.push(spectators(&server, contest.table, watchers).await?);
        running.push((watchers, contest));
    }
    let open = open_tables(&server, &host, EACH + 10).await?;
    sit_at(&server, &server.guest("Guest").await?, &open[EACH..]).await?;
    let ranked: Vec<TableId> = [1, 0, 2].map(|place: usize| running[place].1.table).to_vec();
    let expected: Vec<TableId> = open.iter().rev().take(EACH).chain(&ranked).copied().collect();
    let counts = LobbyCounts { open: 60, running: 3, players: 76 };
    early.until("the window", |lobby| lobby.counts == counts && lobby.order() == expected).await?;

    let mut late = server.connect_as_nobody().await?;
    late.send(&ClientFrame::WatchLobby {}).await?;
    let ServerFrame::Lobby { tables, counts: received, .. } = late.next().await? else {
        anyhow::bail!("the first frame is not a window");
    };
    let order: Vec<TableId> = tables.iter().map(|table| table.table).collect();
    ensure!(order == expected, "{order:?} is shown, not {expected:?}");
    ensure!(received == counts, "{received:?}");
    let received: BTreeMap<_, _> = tables.into_iter().map(|table| (table.table, table)).collect();
    ensure!(received == early.lobby.tables, "the lists of both subscribers differ");

    // When a match begins, another open table enters the window, and the match moves below the open
    // tables.
    let (newest, beyond) = (open[EACH + 9], open[9]);
    ensure!(!early.lobby.tables.contains_key(&beyond), "ten tables do not fit");
    for name in ["Yellow", "Green"] {
        sit_at(&server, &server.guest(name).await?, &[newest]).await?;
    }
    let runs = |lobby: &Lobby| lobby.tables.get(&newest).is_some_and(|table| table.phase == Phase::Running);
    early.until("a match that begins", |lobby| runs(lobby) && lobby.tables.contains_key(&beyond)).await?;

    // An ended match leaves the window.
    let mut ending = running.remove(0).1;
    let resign = ending.player(Color::White)?.resign(ranked[1]);
    ending.player(Color::White)?.accepted(&resign).await?;
    early.until("a table that goes", |lobby| !lobby.tables.contains_key(&ranked[1])).await?;
    let counts = LobbyCounts { open: 59, running: 3, players: 76 };
    early.until("the numbers", |lobby| lobby.counts == counts).await
}

/// With any number of tables, answers and windows stay small, and pages list each table once.
#[tokio::test]
async fn pages_have_every_table_once_and_stay_small() -> Result<()> {
    let (server, host) = start().await?;
    let made: BTreeSet<TableId> = open_tables(&server, &host, 330).await?.into_iter().collect();
    let as_host = server.http().as_guest(&host);
    let mut listed = Vec::new();
    let (mut path, mut pages) = ("/api/tables".to_owned(), 0);
    loop {
        let answer = server.http().get(&path).await?;
        ensure!(answer.body.len() < MOST_BYTES, "{path} has {} bytes", answer.body.len());
        let TableList { tables, next, counts } = answer.json(200)?;
        ensure!(counts.open == 330 && counts.running == 0, "{counts:?}");
        listed.extend(tables.into_iter().map(|table| table.table));
        pages += 1;
        // A table created meanwhile is on no later page.
        open_tables(&server, &host, usize::from(pages == 7)).await?;
        let Some(next) = next else { break };
        path = format!("/api/tables?limit=50&before={next}");
    }
    ensure!(pages == 7, "{pages} pages");
    ensure!(listed.is_sorted_by(|one, next| one > next), "not newest first");
    ensure!(listed.iter().copied().collect::<BTreeSet<_>>() == made && listed.len() == 330);

    let mut mine = Vec::new();
    let mut path = "/api/me?limit=100".to_owned();
    loop {
        let answer = as_host.get(&path).await?;
        ensure!(answer.body.len() < MOST_BYTES, "{path} has {} bytes", answer.body.len());
        let Me { tables, next, .. } = answer.json(200)?;
        mine.extend(tables.into_iter().map(|table| table.table));
        let Some(next) = next else { break };
        path = format!("/api/me?limit=100&before={next}");
    }
    ensure!(mine.is_sorted_by(|one, next| one > next) && mine.len() == 331, "{} of 331", mine.len());

    let mut watcher = server.connect_as_nobody().await?;
    watcher.send(&ClientFrame::WatchLobby {}).await?;
    let text = watcher.receive_text().await?.map_err(|end| anyhow::anyhow!("{end:?}"))?;
    ensure!(text.len() < MOST_BYTES, "the window has {} bytes", text.len());
    let ServerFrame::Lobby { tables, counts, .. } = serde_json::from_str(&text)? else {
        anyhow::bail!("{text}")
    };
    ensure!(tables.len() == EACH && counts.open == 331, "{} of {counts:?}", tables.len());
    for (path, refusal) in [
        ("/api/tables?limit=0", RefusalCode::BadSetting),
        ("/api/tables?limit=101", RefusalCode::BadSetting),
        ("/api/tables?before=x", RefusalCode::Malformed),
        ("/api/me?limit=101", RefusalCode::BadSetting),
    ] {
        let status = server.http().get(path).await?;
        ensure!(status.refusal(400)? == refusal, "{path}");
    }
    Ok(())
}

/// Moves are published at most once a second, and only with the changed fields. Changes of seats
/// publish the whole table.
#[tokio::test]
async fn a_running_table_is_published_once_a_second() -> Result<()> {
    let (server, _) = start().await?;
    let mut watcher = Watcher::start(&server).await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    let runs = |lobby: &Lobby| lobby.tables.get(&table).is_some_and(|table| table.phase == Phase::Running);
    watcher.until("the start", runs).await?;
    let before = watcher.lobby.clone();
    let since = swarm::now();
    // Ten moves share each preview.
    for ply in 1..=40 {
        let legal =
            contest.mover()?.table(table)?.view().legal_moves.clone().context("it is somebody's turn")?;
        contest.play(legal[ply * 7 % legal.len()]).await?;
        if ply % 10 == 0 {
            let is_sent = |lobby: &Lobby| lobby.tables[&table].plies as usize == ply;
            watcher.until("the last move", is_sent).await?;
        }
    }
    let most = 2 + usize::try_from(since.elapsed().as_secs())?;
    let previews = watcher.lobby.previews - before.previews;
    ensure!((1..=most).contains(&previews), "{previews} previews of 40 moves, {most} at most");
    ensure!(watcher.lobby.full_updates == before.full_updates, "moves publish no whole table");
    ensure!(watcher.lobby.tables[&table].turn.is_some());
    Ok(())
}

/// A user's own tables are up to date at once, from taking a seat to leaving it.
#[tokio::test]
async fn own_tables_are_listed_immediately() -> Result<()> {
    let (server, host) = start().await?;
    let guest = server.guest("Guest").await?;
    let tables = async |http: Http| -> Result<Vec<TableId>> {
        let me: Me = http.get("/api/me").await?.json(200)?;
        Ok(me.tables.into_iter().map(|table| table.table).collect())
    };
    let (of_host, of_guest) = (server.http().as_guest(&host), server.http().as_guest(&guest));
    let table = open_tables(&server, &host, 1).await?[0];
    let mut client = server.connect(&guest).await?;
    for _ in 0..20 {
        ensure!(tables(of_guest.clone()).await?.is_empty());
        let sit = client.sit(table, None, None);
        client.accepted(&sit).await?;
        ensure!(tables(of_guest.clone()).await? == [table]);
        let leave = ClientFrame::Leave { table, cmd: client.next_command_id(), seat: None, match_id: None };
        client.accepted(&leave).await?;
    }
    ensure!(tables(of_host).await? == [table]);
    Ok(())
}

fn beginner() -> Result<BotChoice> {
    Ok(BotChoice::BuiltIn { level: 1.try_into()? })
}

/// A public table at which nobody sits is listed while its host is present. It leaves the list as
/// soon as the host leaves.
#[tokio::test]
async fn a_table_without_people_is_listed_while_its_host_is_present() -> Result<()> {
    let (server, host) = start().await?;
    let mut watcher = Watcher::start(&server).await?;
    let table = open_tables(&server, &host, 1).await?[0];
    watcher.until("the table", |lobby| lobby.tables.contains_key(&table)).await?;
    let mut client = server.connect(&host).await?;
    client.watch(table).await?;
    let leave = ClientFrame::Leave { table, cmd: client.next_command_id(), seat: None, match_id: None };
    client.accepted(&leave).await?;
    ensure!(server.http().public_tables().await?.len() == 1, "the host is there");
    drop(client);
    watcher.until("its removal", |lobby| lobby.tables.is_empty() && lobby.counts.open == 0).await?;
    ensure!(server.http().public_tables().await?.is_empty(), "an empty table is listed");

    let mut client = server.connect(&host).await?;
    let bot = ClientFrame::AddBot {
        table,
        cmd: client.next_command_id(),
        seat: Some(Color::Blue),
        bot: beginner()?,
        match_id: None,
    };
    client.accepted(&bot).await?;
    ensure!(server.http().public_tables().await?.is_empty(), "a table of bots is listed");
    client.watch(table).await?;
    watcher.until("its return with the host", |lobby| lobby.tables.contains_key(&table)).await?;
    drop(client);
    watcher.until("its second removal", |lobby| lobby.tables.is_empty()).await?;
    let mut guest = server.connect(&server.guest("Guest").await?).await?;
    let sit = guest.sit(table, Some(Color::Green), None);
    guest.accepted(&sit).await?;
    ensure!(server.http().public_tables().await?.len() == 1);
    watcher.until("its return with a guest", |lobby| lobby.tables.contains_key(&table)).await
}

/// The activity counts each connected person once, and the public matches of the last day,
/// including those before a restart.
#[tokio::test]
async fn activity_counts_people_and_public_matches() -> Result<()> {
    let launch = without_rate_limits(Launch::new(&Database::Sqlite)?);
    let mut server = launch.start().await?;
    let host = server.guest("Host").await?;
    let mut watcher = Watcher::start(&server).await?;
    ensure!(
        watcher.lobby.activity == Activity::default(),
        "nobody is connected: {:?}",
        watcher.lobby.activity
    );
    let first = server.connect(&host).await?;
    let second = server.connect(&host).await?;
    watcher.until("one person", |lobby| lobby.activity.online == 1).await?;
    drop((first, second));
    watcher.until("nobody", |lobby| lobby.activity.online == 0).await?;

    let alone = CreateTable {
        bots: vec![BotSeat { seat: None, bot: beginner()? }],
        seat: Some(Color::White),
        ..CreateTable::plain(Variant::Classic, Privacy::Private)
    };
    server.http().as_guest(&host).create(&alone).await?;
    let contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let expected = Activity { online: 2, matches_today: 1 };
    watcher.until("a match", |lobby| lobby.activity == expected).await?;
    drop((contest, watcher));
    while server.http().get("/api/matches").await?.json::<MatchList>(200)?.matches.is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    server.terminate().await?;
    server.ended().await?;
    let server = launch.start().await?;
    let watcher = Watcher::start(&server).await?;
    ensure!(watcher.lobby.activity.matches_today == 1, "{:?}", watcher.lobby.activity);
    Ok(())
}
