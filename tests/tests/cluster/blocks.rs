//! Blocks between users who are connected to different nodes.

use anyhow::{Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::QuickJoin;
use quadrex_rules::Variant;
use quadrex_tests::Nodes;
use quadrex_tests::contest::{plain, without_rate_limits};

/// A user blocks another one at the second node. The other one cannot sit down beside the user, by
/// whichever node, at a table of the first one.
#[tokio::test]
async fn a_block_holds_at_all_nodes() -> Result<()> {
    let nodes = Nodes::start_with(3, without_rate_limits).await?;
    let http = nodes.server(0)?.http();
    let (ada, ben) = (http.guest("Ada").await?, http.guest("Ben").await?);
    let table = http.as_guest(&ada).create(&plain(Variant::Dilkel)).await?.table;
    let path = format!("/api/me/blocks/{}", ben.user.id);
    let blocked = nodes.server(1)?.http().as_guest(&ada).request("PUT", &path, None).await?;
    ensure!(blocked.status == 204, "{blocked:?}");
    let waiting = http.as_guest(&ada).quick_join(&QuickJoin::plain(Variant::Dilkel)).await?.table;
    for node in 0..3 {
        let server = nodes.server(node)?;
        let mut client = server.connect(&ben).await?;
        for table in [table, waiting] {
            let sit = client.sit(table, None, None);
            ensure!(client.refused(&sit).await? == RefusalCode::Forbidden, "node {node}");
        }
        let joined = server.http().as_guest(&ben).quick_join(&QuickJoin::plain(Variant::Dilkel)).await?.table;
        ensure!(joined != table && joined != waiting, "node {node}");
    }
    Ok(())
}
