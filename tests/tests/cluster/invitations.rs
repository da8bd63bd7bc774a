//! Invitations at different nodes.

use anyhow::{Result, ensure};
use quadrex_protocol::http::{CreateTable, InvitationView, LinkCreated, NewInvitation};
use quadrex_protocol::{ClientFrame, ServerFrame};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{plain, without_rate_limits};
use quadrex_tests::{Client, Nodes};

async fn pushed(client: &mut Client) -> Result<Vec<InvitationView>> {
    let pick = |frame| match frame {
        ServerFrame::Invitations { invitations } => Some(invitations),
        _ => None,
    };
    client.find("the invitations", pick).await
}

/// The table is at the first node, the host uses the second one, and each invited user is connected to
/// another node. All of them learn of the invitation, and then of the start of the match.
#[tokio::test]
async fn invited_users_are_notified_at_all_nodes() -> Result<()> {
    let nodes = Nodes::start_with(3, without_rate_limits).await?;
    let http = nodes.server(0)?.http();
    let ada = http.account("Ada").await?;
    let request = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
    let table = http.as_guest(&ada).create(&request).await?.table;
    let mut pages = Vec::new();
    for node in 0..3 {
        let user = http.guest(&format!("User {node}")).await?;
        let path = format!("/api/me/follows/{}", ada.user.id);
        let followed = http.as_guest(&user).request("PUT", &path, None).await?;
        ensure!(followed.status == 204, "{followed:?}");
        let mut page = nodes.server(node)?.connect(&user).await?;
        page.send(&ClientFrame::WatchOwnTables {}).await?;
        ensure!(pushed(&mut page).await?.is_empty());
        pages.push((user, page));
    }
    let host = nodes.server(1)?.http().as_guest(&ada);
    for (user, page) in &mut pages {
        let invitation = NewInvitation { user: user.user.id, seat: None };
        let answer = host.post(&format!("/api/tables/{table}/invitations"), &invitation).await?;
        ensure!(answer.status == 204, "{answer:?}");
        let invitations = pushed(page).await?;
        ensure!(invitations.len() == 1 && invitations[0].table.table == table, "{invitations:?}");
        ensure!(invitations[0].from == ada.user, "{invitations:?}");
    }
    let (user, page) = &mut pages[2];
    let path = format!("/api/me/invitations/{table}/accept");
    let accepted = nodes.server(0)?.http().as_guest(user).request("POST", &path, None).await?;
    let link: LinkCreated = accepted.json(201)?;
    ensure!(pushed(page).await?.is_empty(), "accepted in another page");
    let sit = page.sit(table, None, Some(&link.secret));
    page.accepted(&sit).await?;
    for (user, page) in &mut pages[..2] {
        ensure!(pushed(page).await?.is_empty(), "{}: the match has started", user.user.name);
    }
    Ok(())
}
