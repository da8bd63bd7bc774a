//! The subscriptions of a connection: to tables, to the lobby, and to the user's own tables.

use std::collections::BTreeMap;
use std::sync::Arc;

use quadrex_protocol::http::LinkKind;
use quadrex_protocol::view::LinkVisitor;
use quadrex_protocol::{ServerFrame, TableId};

use super::reader::{Reader, Watched};
use super::subscriber::{LobbySubscriber, RevocationRefusals, TableSubscriber};
use crate::actor::{AccessLink, ResumeFrom, RttHandle, TableOverview, WatchRight, Watcher};
use crate::auth::{self, Denial, Identity, Key};
use crate::bus::Frame;
use crate::http::{Refusal, permit, permit_bystander, permit_if_kicked, require_user, view_of};
use quadrex_table::Viewer;
use quadrex_table::frames::encode;

impl Reader {
    pub(super) fn pong(&mut self) -> Frame {
        self.drop_revoked();
        let heads: BTreeMap<_, _> =
            self.watching.iter().map(|(&table, watched)| (table, watched.guard.head())).collect();
        encode(&ServerFrame::Pong { heads })
    }

    /// Drops the subscriptions that were revoked. Their subscribers have already sent the refusals.
    pub(super) fn drop_revoked(&mut self) {
        self.watching.retain(|_, Watched { guard, key, subscriber }| {
            let action = auth::Action::Watch { key: *key };
            !subscriber.is_revoked() && permit(&self.identity, &guard.overview(), action).is_ok()
        });
    }

    pub(super) async fn watch_lobby(&mut self) -> Result<(), Refusal> {
        let subscriber = LobbySubscriber::new(Arc::clone(&self.outbox));
        let (list, subscription) = self.state.lobby.watch(subscriber.clone()).await?;
        // An earlier subscription to the lobby is dropped, which ends it.
        self.lobby = Some(subscription);
        subscriber.open(&list);
        Ok(())
    }

    pub(super) async fn watch_own_tables(&mut self) -> Result<(), Refusal> {
        let user = require_user(&self.identity)?.id;
        let subscriber = LobbySubscriber::new(Arc::clone(&self.outbox));
        let (list, subscription) = self.state.lobby.watch_own(user, subscriber.clone()).await?;
        // This ends an earlier subscription.
        self.own_tables = Some(subscription);
        subscriber.open(&list);
        Ok(())
    }

    pub(super) async fn watch(
        &mut self,
        table: TableId,
        resume_from: ResumeFrom,
        secret: Option<&str>,
        is_preview: bool,
    ) -> Result<(), Refusal> {
        let (key, link) = self.key(secret, table).await?;
        let viewer = self.identity.id().map_or(Viewer::Anonymous, Viewer::User);
        // A suspended user cannot play, and therefore counts as absent.
        let is_preview = is_preview || self.identity.suspension().is_some();
        for _ in 0..2 {
            let handle = self.handle(table).await?;
            let (overview, action) = (handle.overview(), auth::Action::Watch { key });
            permit(&self.identity, &overview, action)?;
            let bystander_refusal = permit_bystander(&self.identity, &overview, action).err();
            let right =
                if bystander_refusal.is_some() { WatchRight::MembersOnly } else { WatchRight::Unconditional };
            let may_stay_when_kicked = permit_if_kicked(&self.identity, &overview, action).is_ok();
            let link = link.as_ref().filter(|_| needs_key(&self.identity, &overview, action));
            let link = link.map(|link| AccessLink { secret_hash: link.secret, expires_at: link.expires_at });
            let round_trip = self.round_trip();
            let visitor =
                self.visitor(key).filter(|visitor| !is_preview && visitor.user.id != overview.host().id);
            let watcher =
                Watcher { viewer, right, link, may_stay_when_kicked, is_preview, visitor, round_trip };
            let subscriber = TableSubscriber::new(viewer, Arc::clone(&self.outbox));
            let Ok((guard, initial)) = handle.watch(watcher, resume_from, subscriber.clone()).await else {
                self.handles.remove(&table);
                continue;
            };
            // The link may have been revoked just before the subscription began. In that case the
            // actor could not end the subscription.
            if link.is_some() && self.key(secret, table).await?.0 != key {
                return Err(Denial::LinkEnded.into());
            }
            if initial.is_seated {
                self.rate_limit.use_player_limit();
            }
            // An earlier subscription to this table is dropped, which ends it.
            self.watching.insert(table, Watched { guard, key, subscriber: Arc::clone(&subscriber) });
            let refusal_frame = |refusal: Refusal| encode(&refusal.frame(None, Some(table)));
            let on_leaving_table = bystander_refusal.map(refusal_frame);
            let on_kick = (!may_stay_when_kicked).then(|| refusal_frame(Denial::Kicked.into()));
            let on_link_end = link.map(|link| (link.secret_hash, refusal_frame(Denial::LinkEnded.into())));
            subscriber.open(&initial, RevocationRefusals { on_leaving_table, on_link_end, on_kick });
            if !self.is_program && !self.rtt_meter.has_pinged() {
                self.ping_is_due = true;
            }
            return Ok(());
        }
        Err(Refusal::closing())
    }

    /// Returns the visit to record if the client has presented a valid link.
    fn visitor(&self, key: Key) -> Option<LinkVisitor> {
        let (kind, seat) = match key {
            Key::Invite { seat } => (LinkKind::Invite, seat),
            Key::Watch => (LinkKind::Watch, None),
            Key::None | Key::Member | Key::Wrong | Key::Spent => return None,
        };
        let opened_at_ms = self.state.now().as_millis();
        view_of(&self.identity).map(|user| LinkVisitor { user, kind, seat, opened_at_ms })
    }

    /// Returns the handle to the connection's round-trip time, which is used to compensate lag. The
    /// lag of programs is not compensated, so their handle is unmeasured.
    fn round_trip(&mut self) -> RttHandle {
        if self.is_program { RttHandle::new_unmeasured() } else { self.rtt_meter.handle() }
    }
}

/// Returns whether a user who is not a member would need the presented link for this action.
fn needs_key(identity: &Identity, overview: &TableOverview, action: auth::Action) -> bool {
    let without_key = auth::Action::Watch { key: Key::None };
    permit_bystander(identity, overview, action).is_ok()
        && permit_bystander(identity, overview, without_key).is_err()
}
