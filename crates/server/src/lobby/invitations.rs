//! The lists of invitations that are pushed to the invited users, together with their own tables.
//!
//! A list is read from the store whenever it may have changed, and the whole list is published. In a
//! cluster, each node reads and publishes it for the connections of the user to this node.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use quadrex_cluster::message::InvitationsChanged;
use quadrex_protocol::UserId;
use quadrex_protocol::http::{InvitationView, TableSummary};
use quadrex_protocol::view::Phase;
use quadrex_store::ReceivedInvitation;

use super::actor::Message;
use super::{FindError, Lobby};

/// The largest number of invitations in a user's list.
const MAX_LISTED: usize = 50;

/// The largest number of users whose lists are read at a time.
const READ_TOGETHER: usize = 100;

/// The users whose lists of invitations are read again. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct InvitationQueue(Arc<Mutex<Queue>>);

#[derive(Debug, Default)]
struct Queue {
    users: BTreeSet<UserId>,
    /// True while a task reads the lists.
    is_read: bool,
}

impl InvitationQueue {
    /// Adds a user. Returns true if no task reads the lists, so that the caller must start one.
    fn add(&self, user: UserId) -> bool {
        let mut queue = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        queue.users.insert(user);
        !std::mem::replace(&mut queue.is_read, true)
    }

    /// Removes the next users. If there are none, the task that reads the lists must end.
    fn next(&self) -> Vec<UserId> {
        let mut queue = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = Vec::new();
        while next.len() < READ_TOGETHER
            && let Some(user) = queue.users.pop_first()
        {
            next.push(user);
        }
        queue.is_read = !next.is_empty();
        next
    }
}

impl Lobby {
    /// Returns the invitations of a user that wait for an answer, newest first.
    ///
    /// # Errors
    /// Returns [`FindError`] if the store failed, or if the server is shutting down.
    pub async fn invitations_of(&self, user: UserId) -> Result<Vec<InvitationView>, FindError> {
        Ok(self.read_invitations(&[user]).await?.remove(&user).unwrap_or_default())
    }

    /// Publishes the invitations of a user to the connections of the user, to this server and to all
    /// others of its cluster.
    pub fn invitations_changed(&self, user: UserId) {
        self.publish_invitations(user);
        if let Some(cluster) = &self.deps.cluster {
            // If this message is lost, the pages of the user get the list when they connect again.
            cluster.send_all(InvitationsChanged { user }.into());
        }
    }

    /// Publishes the invitations of a user to the connections of the user to this server, in the
    /// background.
    pub fn publish_invitations(&self, user: UserId) {
        if self.invitation_queue.add(user) {
            let lobby = self.clone();
            quadrex_runtime::spawn(async move { lobby.publish_queued_invitations().await });
        }
    }

    async fn publish_queued_invitations(&self) {
        loop {
            let users = self.invitation_queue.next();
            if users.is_empty() {
                return;
            }
            // The error was logged. The pages of these users can still request their lists.
            let Ok(mut lists) = self.read_invitations(&users).await else { continue };
            let lists = users.into_iter().map(|user| (user, lists.remove(&user).unwrap_or_default()));
            // An error means that the server is shutting down.
            self.mailbox.send(Message::PublishInvitations { lists: lists.collect() }).await.ok();
        }
    }

    async fn read_invitations(
        &self,
        users: &[UserId],
    ) -> Result<HashMap<UserId, Vec<InvitationView>>, FindError> {
        let stored = self.deps.store.invitations_of(users, self.deps.clock.now()).await;
        let stored = stored.map_err(|error| self.fault("list the invitations of users", &error))?;
        let mut lists: HashMap<UserId, Vec<ReceivedInvitation>> = HashMap::new();
        for invitation in stored {
            let list = lists.entry(invitation.user).or_default();
            if list.len() < MAX_LISTED {
                list.push(invitation);
            }
        }
        let invitations: Vec<ReceivedInvitation> = lists.into_values().flatten().collect();
        let matches = invitations.iter().map(|invitation| invitation.unstarted).collect();
        let tables = self.summaries(matches, None, |table| table.phase() == Phase::Open).await?;
        let mut views: HashMap<UserId, Vec<InvitationView>> = HashMap::new();
        for (invitation, table) in invitations.into_iter().zip(tables) {
            if let Some(table) = table.filter(|table| table.phase == Phase::Open) {
                views.entry(invitation.user).or_default().push(view(invitation, table));
            }
        }
        Ok(views)
    }
}

fn view(invitation: ReceivedInvitation, table: TableSummary) -> InvitationView {
    let from = if table.host.anonymous { table.host.clone() } else { invitation.from.view() };
    InvitationView {
        table,
        from,
        seat: invitation.seat,
        invited_at_ms: invitation.at.as_millis(),
        expires_at_ms: invitation.expires_at.as_millis(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(number: u128) -> UserId {
        UserId(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn one_task_at_a_time_reads_the_lists_of_all_users_in_the_queue() {
        let queue = InvitationQueue::default();
        assert!(queue.add(user(1)), "the first user needs a task");
        assert!(!queue.add(user(2)) && !queue.add(user(1)), "the task runs");
        assert_eq!(queue.next(), [user(1), user(2)]);
        assert!(!queue.add(user(1)), "the task will look for more");
        assert_eq!(queue.next(), [user(1)]);
        assert_eq!(queue.next(), []);
        assert!(queue.add(user(3)), "the task has ended");
    }

    #[test]
    fn many_lists_are_read_in_several_steps() {
        let queue = InvitationQueue::default();
        for number in 0..150 {
            queue.add(user(number));
        }
        assert_eq!([queue.next().len(), queue.next().len(), queue.next().len()], [100, 50, 0]);
    }
}
