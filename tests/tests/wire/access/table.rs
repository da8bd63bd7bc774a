//! A table at which all kinds of users have their role.

use std::fmt;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{CreateTable, LinkKind, NewInvite, Uses};
use quadrex_protocol::settings::{Privacy, Watchers};
use quadrex_protocol::{ClientFrame, MatchId, TableId, UserId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::{Client, Guest, InProcessServer};

use super::users::{Link, User, Users};

/// The kind of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Public,
    /// A private table that users with a link may watch.
    Link,
    /// A private table that only its players may watch.
    Private,
}

/// The progress of the match at a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The host, the player and the user who is eliminated later have a seat.
    Open,
    Running,
    /// The host has won, and the seated users have shared the match.
    Ended,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Running => "running",
            Self::Ended => "ended",
        })
    }
}

/// A table with the secrets and ids that requests need.
pub(super) struct Table {
    pub(super) id: TableId,
    pub(super) match_id: MatchId,
    pub(super) host: UserId,
    /// The id of a link.
    pub(super) link: String,
    invite: String,
    watch_link: String,
}

impl Table {
    pub(super) async fn create(
        server: &InProcessServer,
        users: &Users,
        kind: Kind,
        stage: Stage,
    ) -> Result<Self> {
        let (privacy, watchers) = match kind {
            Kind::Public => (Privacy::Public, Watchers::Everybody),
            Kind::Link => (Privacy::Private, Watchers::Link),
            Kind::Private => (Privacy::Private, Watchers::Nobody),
        };
        let request = CreateTable {
            privacy,
            watchers: Some(watchers),
            seat: Some(Color::Red),
            ..plain(Variant::Dilkel)
        };
        let http = server.http().as_guest(&users.host);
        let created = http.create(&request).await?;
        let id = created.table;
        let invite = http.invite(id, &NewInvite { seat: None, uses: Uses::Open }).await?.secret;
        let watch_link = http.watch_link(id).await?.secret;
        let links = http.links(id).await?;
        let link = links.iter().find(|link| matches!(link.kind, LinkKind::Watch)).context("a watch link")?;
        let link = link.id.clone();
        let table =
            Self { id, match_id: created.match_id, host: users.host.user.id, link, invite, watch_link };

        let mut host = server.connect(&users.host).await?;
        let mut player = table.sit(server, &users.player, Color::Blue).await?;
        table.sit(server, &users.kicked, Color::Green).await?;
        let cmd = host.next_command_id();
        host.accepted(&ClientFrame::Kick { table: id, cmd, match_id: None, color: Color::Green }).await?;
        let mut eliminated = table.sit(server, &users.eliminated, Color::Yellow).await?;
        if stage == Stage::Open {
            return Ok(table);
        }
        let mut fourth = table.sit(server, &users.fourth, Color::Green).await?;
        let resign = eliminated.resign(id);
        eliminated.accepted(&resign).await?;
        if stage == Stage::Ended {
            for client in [&mut fourth, &mut player] {
                let resign = client.resign(id);
                client.accepted(&resign).await?;
            }
            for user in [&users.host, &users.player, &users.eliminated] {
                let path = format!("/api/matches/{}/share", created.match_id);
                let shared = server.http().as_guest(user).request("POST", &path, None).await?;
                ensure!(shared.status == 201, "{}", shared.body);
            }
        }
        Ok(table)
    }

    async fn sit(&self, server: &InProcessServer, user: &Guest, color: Color) -> Result<Client> {
        let mut client = server.connect(user).await?;
        let sit = client.sit(self.id, Some(color), Some(&self.invite));
        client.accepted(&sit).await?;
        Ok(client)
    }

    /// Returns the secret of the link that the user has.
    pub(super) fn secret_of(&self, user: &User) -> Option<String> {
        user.link.map(|link| match link {
            Link::Watch => self.watch_link.clone(),
            Link::Invite => self.invite.clone(),
        })
    }
}
