//! Sessions that end while their connections are at other nodes.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{NewSession, SessionsEnded};
use quadrex_tests::browser::page;
use quadrex_tests::{Browser, Nodes};
use tokio::time::timeout;

/// The longest time until the connections of an ended session are closed, on a busy machine. On an
/// idle one it is a second.
const CLOSING_LIMIT: Duration = Duration::from_secs(5);

/// Opens connections of a browser to all nodes, ends the browser's session at one of them, and waits
/// until all connections are closed.
async fn check_end_of_session(mut nodes: Nodes, without_messages: bool) -> Result<()> {
    let server = nodes.server(0)?;
    let program = server.http().as_guest(&server.guest("Ada").await?);
    let handover = Some(program.handover().await?.secret);
    let answer = page(server.address())
        .post("/api/session", &NewSession { handover, ..NewSession::default() })
        .await?;
    let mut connections = Vec::new();
    for address in nodes.addresses() {
        connections.push(Browser::given_by(address, &answer)?.connect().await?);
    }
    if without_messages {
        nodes.nats.sigkill()?;
    }
    let SessionsEnded { ended } = program.request("DELETE", "/api/sessions", None).await?.json(200)?;
    ensure!(ended == 1, "{ended} sessions have ended");
    let closed = async {
        for connection in &mut connections {
            ensure!(connection.close_code().await? == 4001);
        }
        anyhow::Ok(())
    };
    timeout(CLOSING_LIMIT, closed).await.context("waiting for the end of the connections")?
}

#[tokio::test]
async fn the_end_of_a_session_closes_its_connections_to_all_nodes() -> Result<()> {
    check_end_of_session(Nodes::start(3).await?, false).await
}

#[tokio::test]
async fn the_end_of_a_session_reaches_all_nodes_without_messages() -> Result<()> {
    check_end_of_session(Nodes::start(3).await?, true).await
}
