//! The watchers of a table: their subscriptions, their first frames, and presence.

use std::sync::Arc;
use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use quadrex_table::{PresenceView, TableState, Viewer, frames, seats_of};

use super::handle::{InitialFrames, ResumeFrom};
use super::publications;
use super::table_actor::TableActor;
use super::table_overview::TableOverview;
use super::watcher_list::{AccessLink, Watcher, WatcherId};
use crate::bus::Frame;

/// The time between a change of presence and its publication. Further changes within this time are
/// published together with the first one.
const PRESENCE_DELAY: Duration = Duration::from_millis(100);

/// The time between the take-over of a match from another node and the first publication of presence.
/// Until then, the nodes whose users watch the table follow it at this node.
pub(super) const TAKE_OVER_DELAY: Duration = Duration::from_secs(2);

/// The time for which spectators share a snapshot.
const SNAPSHOT_LIFETIME: Duration = Duration::from_millis(100);

/// Returns whether the names that were hidden during the match are shown now. A client that knows the
/// match from before needs a snapshot.
pub(super) fn has_shown_names(state: &TableState) -> bool {
    state.terms().settings.anonymous && !state.hides_names()
}

impl TableActor {
    /// Revokes the subscriptions of the users who are kicked now and were not in `kicked_before`.
    fn revoke_newly_kicked(&mut self, kicked_before: &[UserId]) {
        let kicked: Vec<_> = self.state().kicked().filter(|user| !kicked_before.contains(user)).collect();
        if !kicked.is_empty() && !quadrex_runtime::has_planted!(KickedUserWatchesOn) {
            self.endpoint.watchers.remove_kicked(&kicked);
            self.publish(publications::kicked(self.state(), kicked));
        }
    }

    /// Revokes the subscriptions of the users who were members and have just lost their seat or the
    /// role of the host. A subscription that does not depend on this membership stays.
    fn revoke_former_members(&mut self, members_before: &[UserId]) {
        let members = self.state().members();
        let former: Vec<_> = members_before.iter().copied().filter(|user| !members.contains(user)).collect();
        if !former.is_empty() {
            self.endpoint.watchers.remove_former_members(&former);
            self.update_bots_if_unwatched();
            self.publish(publications::left_table(self.state(), former));
        }
    }

    /// Revokes the subscriptions of the users who have lost their right since the overview was updated.
    pub(super) fn revoke_lost_access(&mut self) {
        let (kicked, members) = {
            let overview = self.endpoint.overview.borrow();
            (Arc::clone(&overview.kicked), overview.members())
        };
        self.revoke_newly_kicked(&kicked);
        self.revoke_former_members(&members);
    }

    /// Revokes the watchers' links for which `is_revoked` returns true.
    pub(super) fn revoke_links(&mut self, is_revoked: impl Fn(&AccessLink) -> bool, now: Timestamp) {
        let members = self.state().members();
        let links = self.endpoint.watchers.revoke_links(is_revoked, &members);
        if !links.is_empty() {
            self.update_bots_if_unwatched();
            self.presence_changed(now);
            self.publish(publications::links_ended(self.state(), links, members));
        }
    }

    /// Adds a subscription.
    pub(super) fn add_watcher(&mut self, watcher_id: WatcherId, watcher: Watcher, now: Timestamp) {
        self.update_bots_if_unwatched();
        self.endpoint.watchers.add(watcher_id, watcher);
        if !quadrex_runtime::has_planted!(ReturnNotShown) {
            self.presence_changed(now);
        }
    }

    /// Removes a subscription.
    pub(super) fn remove_watcher(&mut self, watcher_id: WatcherId, now: Timestamp) {
        self.endpoint.watchers.remove(watcher_id);
        if quadrex_runtime::has_planted!(StalePresence) {
            return;
        }
        self.update_bots_if_unwatched();
        self.presence_changed(now);
    }

    /// Returns the first frames of a new subscription: the missed events and the current presence,
    /// or a snapshot if too many events were missed.
    pub(super) fn initial_frames(
        &mut self,
        viewer: Viewer,
        resume_from: ResumeFrom,
        now: Timestamp,
    ) -> InitialFrames {
        let state = self.state();
        let (head, is_seated) = (state.head(), !seats_of(state, viewer).is_empty());
        let frames = match resume_from {
            ResumeFrom::After(match_id, after)
                if match_id == state.match_id()
                    && !has_shown_names(state)
                    && after <= head
                    && head - after <= self.deps.max_resync_events =>
            {
                let presence = self.shown_presence(now);
                let mut frames = vec![frames::watching(self.state())];
                if !quadrex_runtime::has_planted!(MissedEventsNotSent) {
                    frames.extend(frames::missed::<Frame>(self.log.history(), after, viewer, now));
                }
                frames.push(frames::presence_for(self.state(), &presence, viewer));
                frames
            }
            ResumeFrom::Nothing | ResumeFrom::After(..) => vec![self.snapshot_frame(viewer, now)],
        };
        InitialFrames { frames, match_id: self.state().match_id(), head, is_seated }
    }

    /// Returns whether a viewer sees the same as all spectators.
    pub(super) fn shares_snapshot(&self, viewer: Viewer) -> bool {
        let state = self.state();
        viewer.user().is_none_or(|user| {
            !state.members().contains(&user) && !state.kicked().any(|kicked| kicked == user)
        })
    }

    /// Returns a snapshot of the table. Spectators share a snapshot for a short time.
    fn snapshot_frame(&mut self, viewer: Viewer, now: Timestamp) -> Frame {
        if !self.shares_snapshot(viewer) {
            let presence = self.shown_presence(now);
            return frames::snapshot(self.log.history(), &presence, viewer, now);
        }
        let is_fresh = |made_at: Timestamp| now.since(made_at) < SNAPSHOT_LIFETIME;
        let shared =
            self.spectator_snapshot.take().filter(|(made_at, _)| is_fresh(*made_at)).unwrap_or_else(|| {
                let presence = self.shown_presence(now);
                (now, frames::snapshot(self.log.history(), &presence, viewer, now))
            });
        self.spectator_snapshot.insert(shared).1.clone()
    }

    /// Marks the bots' task as outdated if nobody watches. The task depends on whether anybody
    /// watches, and the callers have just changed this or are about to change it.
    fn update_bots_if_unwatched(&mut self) {
        if self.endpoint.is_unwatched() {
            self.bot_notifier.mark_outdated();
        }
    }

    /// Updates everything that depends on presence after a change of the watchers.
    pub(super) fn presence_changed(&mut self, now: Timestamp) {
        let connected = self.endpoint.connected_players(self.state());
        self.log.set_connected(&connected, now);
        let state = self.log.state();
        let is_host_present = self.endpoint.is_present(state.host().id);
        let update =
            |overview: &mut TableOverview| overview.set_connected(state, &connected, is_host_present);
        if self.endpoint.overview.send_if_modified(update) {
            self.deps.changed_tables.add(state.table());
        }
        self.endpoint.publish_overview(self.log.state());
        self.schedule_presence(now);
    }

    /// Schedules the publication of presence.
    pub(super) fn schedule_presence(&mut self, now: Timestamp) {
        let is_late = quadrex_runtime::has_planted!(LatePresence);
        let delay = if is_late { 300 * PRESENCE_DELAY } else { PRESENCE_DELAY };
        self.presence_due = self.presence_due.or(Some(now + delay));
    }

    /// Returns the presence at `now`, for frames that show it outside its own publication. If it differs
    /// from the presence that was published last, the watchers may see different ones. Presence is
    /// then published soon, also if it is the former one again.
    pub(super) fn shown_presence(&mut self, now: Timestamp) -> PresenceView {
        let presence = self.endpoint.presence(self.state(), now);
        if self.endpoint.published.presence.take_if(|published| *published != presence).is_some() {
            self.schedule_presence(now);
        }
        presence
    }

    /// Schedules the publication of presence after this actor has followed another one. In a cluster,
    /// the other one may have run at another node.
    pub(super) fn schedule_first_presence(&mut self, now: Timestamp) {
        let delay = if self.deps.cluster.is_some() { TAKE_OVER_DELAY } else { PRESENCE_DELAY };
        self.presence_due = Some(now + delay);
    }

    /// Publishes presence if it has changed.
    pub(super) fn publish_presence(&mut self, now: Timestamp) {
        self.presence_due = None;
        self.spectator_snapshot = None;
        let presence = self.endpoint.presence(self.state(), now);
        if self.endpoint.published.presence.as_ref() != Some(&presence) {
            let replace = |overview: &mut TableOverview| {
                std::mem::replace(&mut overview.status.spectators, presence.spectators) != presence.spectators
            };
            if self.endpoint.overview.send_if_modified(replace) {
                self.deps.changed_tables.add(self.id());
            }
            self.publish(publications::presence(self.state(), &presence));
            self.endpoint.published.presence = Some(presence);
        }
    }
}
