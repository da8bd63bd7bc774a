//! Groups whose members use different nodes.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{CreateTable, GroupMembers, GroupTables, GroupView, JoinGroup, NewGroup};
use quadrex_protocol::settings::Privacy;
use quadrex_rules::{Color, Variant};
use quadrex_tests::Nodes;
use quadrex_tests::contest::without_rate_limits;

/// The private table of a group is at the first node. A member watches it at the second one until the
/// owner, at the third one, removes the member from the group.
#[tokio::test]
async fn the_members_of_a_group_have_their_rights_at_all_nodes() -> Result<()> {
    let nodes = Nodes::start_with(3, without_rate_limits).await?;
    let http = nodes.server(0)?.http();
    let (ada, ben) = (http.account("Ada").await?, http.guest("Ben").await?);
    let new = NewGroup { name: "Thursday four".to_owned(), text: None, visibility: None };
    let group: GroupView = http.as_guest(&ada).post("/api/groups", &new).await?.json(201)?;
    let id = group.group;
    let secret = Some(group.secret.context("the owner sees the secret")?);
    let bens_http = nodes.server(1)?.http().as_guest(&ben);
    let joined = bens_http.post(&format!("/api/groups/{id}/join"), &JoinGroup { secret }).await?;
    ensure!(joined.status == 200, "{joined:?}");
    let request = CreateTable {
        seat: Some(Color::White),
        group: Some(id),
        ..CreateTable::plain(Variant::Classic, Privacy::Private)
    };
    let table = http.as_guest(&ada).create(&request).await?.table;
    let mut bens = nodes.server(1)?.connect(&ben).await?;
    bens.watch(table).await?;
    for node in 0..3 {
        let http = nodes.server(node)?.http().as_guest(&ben);
        let GroupTables { tables } = http.get(&format!("/api/groups/{id}/tables")).await?.json(200)?;
        ensure!(tables.len() == 1 && tables[0].table == table, "node {node}: {tables:?}");
        let GroupMembers { members, .. } = http.get(&format!("/api/groups/{id}/members")).await?.json(200)?;
        let online: Vec<_> = members.iter().filter(|member| member.online).map(|it| it.user.id).collect();
        ensure!(online == [ben.user.id], "node {node}: {members:?}");
    }
    let owner = nodes.server(2)?.http().as_guest(&ada);
    let removed = owner.request("DELETE", &format!("/api/groups/{id}/members/{}", ben.user.id), None).await?;
    ensure!(removed.status == 204, "{removed:?}");
    ensure!(bens.close_code().await? > 0, "the connection to the second node is closed");
    let mut bens = nodes.server(1)?.connect(&ben).await?;
    let sit = bens.sit(table, None, None);
    ensure!(bens.refused(&sit).await? == RefusalCode::NotFound);
    ensure!(bens_http.get(&format!("/api/tables/{table}")).await?.status == 404);
    Ok(())
}
