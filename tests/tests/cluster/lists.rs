//! The lists of tables are the same at all nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{OwnTable, TableSummary};
use quadrex_protocol::{ClientFrame, ServerFrame, TableId};
use quadrex_rules::Variant;
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::{Client, Nodes, PATIENCE, swarm};
use tokio::time::{sleep, timeout};

/// The time between two requests for a list.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Waits until all nodes list exactly these tables, and `is_so` returns true for them.
async fn until_listed(
    nodes: &Nodes,
    expected: &BTreeSet<TableId>,
    is_so: impl Fn(&[TableSummary]) -> bool,
) -> Result<()> {
    for index in 0..nodes.addresses().len() {
        let http = nodes.server(index)?.http();
        let listed = async {
            loop {
                let tables = http.public_tables().await?;
                let listed: BTreeSet<_> = tables.iter().map(|table| table.table).collect();
                if listed == *expected && is_so(&tables) {
                    return anyhow::Ok(());
                }
                sleep(POLL_INTERVAL).await;
            }
        };
        timeout(PATIENCE, listed)
            .await
            .with_context(|| format!("waiting for the list of node {index}"))??;
    }
    Ok(())
}

/// W10: a table is listed at every node, whichever node owns it, with its current status.
#[tokio::test]
async fn all_nodes_list_the_tables_of_all_nodes() -> Result<()> {
    let nodes = Nodes::start(3).await?;
    let addresses = nodes.addresses();
    let mut contests = Vec::new();
    for first in 0..3 {
        let mut order = addresses.clone();
        order.rotate_left(first);
        contests.push(Contest::start_across(&order, &plain(Variant::Classic)).await?);
    }
    let expected: BTreeSet<TableId> = contests.iter().map(|contest| contest.table).collect();
    until_listed(&nodes, &expected, |_| true).await?;
    contests[0].play("e2e4".parse()?).await?;
    let table = contests[0].table;
    until_listed(&nodes, &expected, |tables| {
        tables.iter().any(|listed| listed.table == table && listed.plies == 1)
    })
    .await?;
    let ended = contests.remove(0);
    let mut players = ended.players;
    let (_, mut loser) = players.pop_first().context("a match has players")?;
    let resign = loser.resign(table);
    loser.accepted(&resign).await?;
    let expected: BTreeSet<TableId> = contests.iter().map(|contest| contest.table).collect();
    until_listed(&nodes, &expected, |_| true).await
}

async fn next_own_table(client: &mut Client) -> Result<OwnTable> {
    let pick = |frame| match frame {
        ServerFrame::OwnTable { table } => Some(table),
        _ => None,
    };
    client.find("a change of an own table", pick).await
}

/// A user learns at every node of the start of the user's match, and of the user's turn.
#[tokio::test]
async fn own_tables_are_pushed_at_every_node() -> Result<()> {
    let nodes = Nodes::start(2).await?;
    let owner = nodes.server(0)?;
    let mut contest = Contest::start_across(&[owner.address()], &plain(Variant::Classic)).await?;
    let black = contest.players.values().last().context("a match has players")?.guest()?.clone();
    let mut elsewhere = nodes.server(1)?.connect(&black).await?;
    elsewhere.send(&ClientFrame::WatchOwnTables {}).await?;
    let is_list = |frame| matches!(frame, ServerFrame::OwnTables { .. }).then_some(());
    elsewhere.find("the own tables", is_list).await?;
    contest.play("e2e4".parse()?).await?;
    loop {
        let own = next_own_table(&mut elsewhere).await?;
        ensure!(own.summary.table == contest.table, "{own:?}");
        if own.your_move {
            return Ok(());
        }
    }
}

/// The moves of a match of classic chess, each by a single step of a pawn.
fn pawn_moves() -> impl Iterator<Item = String> {
    ('a'..='h').flat_map(|file| [format!("{file}2{file}3"), format!("{file}7{file}6")])
}

/// The frames that a page with the lobby gets.
struct LobbyPage {
    client: Client,
    /// The number of moves at each table.
    plies: BTreeMap<TableId, u32>,
    /// The number of frames about the moves.
    previews: u64,
    /// The number of frames about new tables, or changes of their seats or phases.
    outlines: usize,
    /// The size of the longest frame about the moves, in bytes.
    longest: usize,
}

impl LobbyPage {
    async fn open(nodes: &Nodes, index: usize) -> Result<Self> {
        let mut client = Client::open(nodes.server(index)?.address(), None).await?;
        client.send(&ClientFrame::WatchLobby {}).await?;
        let mut page = Self { client, plies: BTreeMap::new(), previews: 0, outlines: 0, longest: 0 };
        page.receive().await?;
        Ok(page)
    }

    async fn receive(&mut self) -> Result<()> {
        let text = self.client.receive_text().await?.map_err(|end| anyhow::anyhow!("{end:?}"))?;
        match serde_json::from_str(&text)? {
            ServerFrame::Lobby { tables, .. } => {
                self.plies.extend(tables.iter().map(|table| (table.table, table.plies)));
            }
            ServerFrame::LobbyTable { table } => {
                self.outlines += 1;
                self.plies.insert(table.table, table.plies);
            }
            ServerFrame::LobbyPreview { tables, .. } => {
                self.previews += 1;
                self.longest = self.longest.max(text.len());
                self.plies.extend(tables.iter().map(|table| (table.table, table.plies)));
            }
            _ => {}
        }
        Ok(())
    }
}

/// A page with the lobby gets one frame each second for the moves of all tables, whichever nodes own
/// them, so the rate does not grow with the number of tables.
#[tokio::test]
async fn the_moves_of_all_tables_reach_a_lobby_page_in_one_frame_a_second() -> Result<()> {
    let nodes = Nodes::start_with(3, without_rate_limits).await?;
    let mut contests = Vec::new();
    for first in 0..6 {
        let mut order = nodes.addresses();
        order.rotate_left(first % 3);
        contests.push(Contest::start_across(&order, &plain(Variant::Classic)).await?);
    }
    let expected: BTreeSet<TableId> = contests.iter().map(|contest| contest.table).collect();
    until_listed(&nodes, &expected, |_| true).await?;
    let since = swarm::now();
    let opening = (0..3).map(|index| LobbyPage::open(&nodes, index));
    let mut pages = futures_util::future::try_join_all(opening).await?;
    let mut moves = 0;
    for mv in pawn_moves() {
        for contest in &mut contests {
            contest.play(mv.parse()?).await?;
        }
        moves += 1;
    }
    let tables: BTreeMap<TableId, u32> = expected.into_iter().map(|table| (table, moves)).collect();
    for (index, page) in pages.iter_mut().enumerate() {
        while page.plies != tables {
            page.receive().await.with_context(|| format!("the lobby of node {index}"))?;
        }
        let seconds = since.elapsed().as_secs();
        ensure!(page.previews <= seconds + 1, "node {index}: {} frames in {seconds} s", page.previews);
        // The page may have been opened before the node knew that the matches had started. Moves do
        // not change the outline of a table.
        let most = 2 * tables.len();
        ensure!(page.outlines <= most, "node {index}: {} frames about outlines", page.outlines);
        let limit = 200 + 150 * tables.len();
        ensure!(page.longest <= limit, "node {index}: a frame of {} bytes", page.longest);
    }
    Ok(())
}
