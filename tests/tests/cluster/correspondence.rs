//! Correspondence matches of a cluster: conditional moves and vacations reach the owner of a match from
//! every node, also after it has hibernated.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{ConditionalMoves, CreateTable, VacationStatus};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_rules::{Color, Variant};
use quadrex_store::{Location, Store};
use quadrex_tests::contest::{Contest, without_rate_limits};
use quadrex_tests::http::Http;
use quadrex_tests::{Nodes, PATIENCE};
use serde_json::json;

/// A match of White at node 1 and Black at node 2, whose table was created at node 0.
struct Match {
    nodes: Nodes,
    contest: Contest,
    store: Store,
}

impl Match {
    async fn start() -> Result<Self> {
        let settings = |launch| without_rate_limits(launch).with_env("QUADREX_TABLES__HIBERNATE_SECONDS", 1);
        let nodes = Nodes::start_with(3, settings).await?;
        let addresses = nodes.addresses();
        let table = CreateTable {
            time: Some(TimeSetting::Correspondence { days: 1 }),
            ..CreateTable::plain(Variant::Classic, Privacy::Public)
        };
        let contest = Contest::start_from(addresses[0], &addresses[1..], &table).await?;
        let url = nodes.database.url().context("a cluster uses Postgres")?;
        let store = Store::connect(&Location::parse(&url, "unused".as_ref())?, 1).await?;
        Ok(Self { nodes, contest, store })
    }

    /// Returns the requests of a player to a node.
    fn http(&mut self, color: Color, node: usize) -> Result<Http> {
        let http = self.nodes.server(node)?.http();
        Ok(http.as_guest(self.contest.player(color)?.guest()?))
    }

    /// Disconnects the players, and waits until the match hibernates.
    async fn hibernate(&mut self) -> Result<()> {
        for client in self.contest.everybody() {
            client.cut().await?;
        }
        let until_hibernating = async {
            while !self.store.is_hibernating(self.contest.match_id).await? {
                // The pause only limits the number of queries.
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
            anyhow::Ok(())
        };
        tokio::time::timeout(PATIENCE, until_hibernating).await.context("waiting for the hibernation")?
    }

    async fn reconnect(&mut self) -> Result<()> {
        for (index, client) in self.contest.players.values_mut().enumerate() {
            client.reconnect(self.nodes.server(index + 1)?.address()).await?;
        }
        Ok(())
    }
}

/// Conditional moves that a player stores at another node are made by the owner, also if it dies and
/// another node owns the match.
#[tokio::test]
async fn conditional_moves_work_at_every_node() -> Result<()> {
    let mut game = Match::start().await?;
    let table = game.contest.table;
    let path = format!("/api/tables/{table}/conditional-moves");
    let after = game.contest.player(Color::Black)?.table(table)?.seq();
    let step = |color: &str, mv: &str| json!({"color": color, "move": mv});
    let line = [step("white", "e2e4"), step("black", "e7e5"), step("white", "g1f3"), step("black", "b8c6")];
    let body = json!({"match": game.contest.match_id, "after": after, "lines": [line]}).to_string();
    let black = game.http(Color::Black, 2)?;
    let stored: ConditionalMoves = black.request("PUT", &path, Some(&body)).await?.json(200)?;
    ensure!(stored.seats.len() == 1, "{stored:?}");
    let seq = game.contest.play("e2e4".parse()?).await?;
    game.contest.until_seq(seq + 1).await.context("Black's first reply")?;
    game.hibernate().await?;
    game.reconnect().await?;
    game.nodes.kill(0).await?;
    let seq = game.contest.play("g1f3".parse()?).await?;
    game.contest.until_seq(seq + 1).await.context("Black's second reply")?;
    let shown: ConditionalMoves = game.http(Color::Black, 2)?.get(&path).await?.json(200)?;
    ensure!(shown.seats.is_empty() && shown.played.len() == 2, "{shown:?}");
    Ok(())
}

/// A vacation that a player begins at another node stops the clock of a hibernating match.
#[tokio::test]
async fn a_vacation_reaches_hibernating_matches_of_other_nodes() -> Result<()> {
    let mut game = Match::start().await?;
    let table = game.contest.table;
    game.contest.play("e2e4".parse()?).await?;
    game.contest.play("e7e5".parse()?).await?;
    game.hibernate().await?;
    let white = game.http(Color::White, 2)?;
    let status: VacationStatus =
        white.request("PUT", "/api/me/vacation", Some(r#"{"days": 3}"#)).await?.json(200)?;
    ensure!(status.days_left == 27, "{status:?}");
    game.reconnect().await?;
    for client in game.contest.everybody() {
        client
            .until("the vacation of White", |client| {
                client.table(table).is_ok_and(|mirror| {
                    let state = mirror.state();
                    state.vacations.len() == 1
                        && state.clock.as_ref().is_some_and(|clock| clock.running.is_none())
                })
            })
            .await?;
    }
    Ok(())
}
