//! The watchers of a table: their rights, their first frames, and presence.

use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use quadrex_table::{Viewer, frames, seats_of};

use super::handle::{InitialFrames, ResumeFrom};
use super::presence::{LinkRight, WatchId, WatcherInfo};
use super::publications;
use super::table_actor::TableActor;
use crate::bus::Frame;

/// The time for which changes of presence are collected before they are published.
const PRESENCE_PAUSE: Duration = Duration::from_millis(100);

/// The time for which spectators share a snapshot.
const SNAPSHOT_LASTS: Duration = Duration::from_millis(100);

impl TableActor {
    /// Revokes the subscriptions of users who were just kicked.
    pub(super) fn kick(&mut self, before: &[UserId]) {
        let kicked: Vec<_> = self.state().kicked().filter(|user| !before.contains(user)).collect();
        if !kicked.is_empty() {
            self.audience.kick(&kicked);
            self.deps.bus.publish(publications::kicked(self.state(), kicked));
        }
    }

    /// Revokes the subscriptions of users who just lost their seat or host role, unless they may
    /// watch anyway.
    pub(super) fn revoke_lost_rights(&mut self, before: &[UserId]) {
        let members = self.state().members();
        let left_table: Vec<_> = before.iter().copied().filter(|user| !members.contains(user)).collect();
        if !left_table.is_empty() {
            self.audience.part(&left_table);
            self.attention_changed(!self.audience.is_empty());
            self.deps.bus.publish(publications::left_table(self.state(), left_table));
        }
    }

    /// Revokes the subscriptions that rest on ended links.
    pub(super) fn end_links(&mut self, has_ended: impl Fn(&LinkRight) -> bool, now: Timestamp) {
        let members = self.state().members();
        let links = self.audience.end_links(has_ended, &members);
        if !links.is_empty() {
            self.attention_changed(!self.audience.is_empty());
            self.presence_changed(now);
            self.deps.bus.publish(publications::links_ended(self.state(), links, members));
        }
    }

    /// Adds a subscription.
    pub(super) fn enter(&mut self, watch_id: WatchId, watcher: WatcherInfo, now: Timestamp) {
        self.attention_changed(!self.audience.is_empty());
        self.audience.enter(watch_id, watcher);
        self.presence_changed(now);
    }

    /// Removes a subscription.
    pub(super) fn leave(&mut self, watch_id: WatchId, now: Timestamp) {
        self.audience.leave(watch_id);
        self.attention_changed(!self.audience.is_empty());
        self.presence_changed(now);
    }

    /// Returns the first frames of a new subscription.
    pub(super) fn initial_frames(
        &mut self,
        viewer: Viewer,
        from: ResumeFrom,
        now: Timestamp,
    ) -> InitialFrames {
        let state = self.state();
        let (head, sits) = (state.head(), !seats_of(state, viewer).is_empty());
        let frames = match from {
            ResumeFrom::After(match_id, after)
                if match_id == state.match_id()
                    && after <= head
                    && head - after <= self.deps.resync_events =>
            {
                let mut frames = vec![frames::watching(state)];
                frames.extend(frames::missed::<Frame>(self.record.history(), after, viewer, now));
                frames
            }
            ResumeFrom::Nothing | ResumeFrom::After(..) => vec![self.snapshot_frame(viewer, sits, now)],
        };
        InitialFrames { frames, match_id: self.state().match_id(), head, sits }
    }

    /// Returns the snapshot of the table. Spectators share one for a moment.
    fn snapshot_frame(&mut self, viewer: Viewer, sits: bool, now: Timestamp) -> Frame {
        if sits {
            let presence = self.audience.presence(self.state(), now);
            return frames::snapshot(self.record.history(), &presence, viewer, now);
        }
        let is_fresh = |made: Timestamp| now.since(made) < SNAPSHOT_LASTS;
        let shared = self.spectator_frame.take().filter(|(made, _)| is_fresh(*made)).unwrap_or_else(|| {
            let presence = self.audience.presence(self.state(), now);
            (now, frames::snapshot(self.record.history(), &presence, viewer, now))
        });
        self.spectator_frame.insert(shared).1.clone()
    }

    /// Notifies the bots unless somebody else is present, since their tasks depend on whether
    /// anybody is.
    fn attention_changed(&mut self, others_are_there: bool) {
        if !others_are_there {
            self.bots.mark();
        }
    }

    /// Updates presence after a change of watchers or seats.
    fn presence_changed(&mut self, now: Timestamp) {
        let connected = self.audience.connected_players(self.state());
        self.record.set_connected(&connected, now);
        let state = self.record.state();
        if self.overview.send_if_modified(|overview| overview.set_connected(state, &connected)) {
            self.deps.changed.mark(state.table());
        }
        self.schedule_presence(now);
    }

    /// Schedules the publication of presence.
    pub(super) fn schedule_presence(&mut self, now: Timestamp) {
        self.presence_due = self.presence_due.or(Some(now + PRESENCE_PAUSE));
    }

    /// Publishes presence if it has changed.
    pub(super) fn publish_presence(&mut self, now: Timestamp) {
        self.presence_due = None;
        self.spectator_frame = None;
        let presence = self.audience.presence(self.state(), now);
        if presence != self.published {
            self.deps.bus.publish(publications::presence(self.state(), &presence));
            if presence.spectators != self.published.spectators {
                self.overview.send_modify(|overview| overview.status.spectators = presence.spectators);
                self.deps.changed.mark(self.id());
            }
            self.published = presence;
        }
    }
}
