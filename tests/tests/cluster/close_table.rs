//! Closing a table that another node owns.

use anyhow::{Result, ensure};
use quadrex_protocol::http::{AdminReason, TableClosed};
use quadrex_rules::{AbortCause, Color, Variant};
use quadrex_tests::Nodes;
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::operator::{OPERATORS, add_operator};

/// An operator at one node closes a table of the other one.
#[tokio::test]
async fn an_operator_closes_a_table_of_another_node() -> Result<()> {
    let settings = |launch| without_rate_limits(launch).with_env(OPERATORS.0, OPERATORS.1);
    let nodes = Nodes::start_with(2, settings).await?;
    let olga = add_operator(&nodes.launch(0)?.location()?).await?;
    let operator = nodes.server(0)?.http().as_guest(&olga);
    let mut contest = Contest::start_across(&[nodes.addresses()[1]], &plain(Variant::Classic)).await?;
    let (table, match_id) = (contest.table, contest.match_id);
    let path = format!("/api/admin/tables/{table}/close");
    let closed: TableClosed =
        operator.post(&path, &AdminReason { reason: "insults".to_owned() }).await?.json(200)?;
    ensure!(closed == TableClosed { table, match_id }, "{closed:?}");
    let player = contest.player(Color::White)?;
    player
        .until("the end of the table", |player| {
            player.table(table).is_ok_and(|mirror| mirror.view().state.closed)
        })
        .await?;
    ensure!(player.table(table)?.view().state.aborted == Some(AbortCause::Operator));
    Ok(())
}
