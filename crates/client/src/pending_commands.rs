//! Commands without an answer, which are sent again after a reconnect.

use std::time::Duration;

use quadrex_protocol::{ClientFrame, CommandId, MatchId, TableId};
use quadrex_rules::Timestamp;

/// The pause before a temporarily refused command is sent again.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// A command without an answer.
#[derive(Clone, Debug)]
pub struct PendingCommand<P> {
    /// The id under which it is sent, and sent again.
    pub cmd: CommandId,
    /// The table.
    pub table: TableId,
    /// The command's match; it has no effect in another one.
    pub match_id: MatchId,
    /// The sender's reason, by which it handles the answer.
    pub purpose: P,
    frame: ClientFrame,
    /// The time to send it again after a temporary refusal.
    again_at: Option<Timestamp>,
}

/// All pending commands, in the order in which they were sent.
#[derive(Debug)]
pub(crate) struct PendingCommands<P>(Vec<PendingCommand<P>>);

impl<P> Default for PendingCommands<P> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<P: PartialEq> PendingCommands<P> {
    pub(crate) fn push(&mut self, of: (TableId, MatchId), cmd: CommandId, purpose: P, frame: ClientFrame) {
        let (table, match_id) = of;
        self.0.push(PendingCommand { cmd, table, match_id, purpose, frame, again_at: None });
    }

    /// Returns true if a command of this purpose is pending for a table.
    pub(crate) fn has(&self, table: TableId, purpose: &P) -> bool {
        self.0.iter().any(|command| command.table == table && command.purpose == *purpose)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes and returns an answered command.
    pub(crate) fn remove_answered(&mut self, cmd: &CommandId) -> Option<PendingCommand<P>> {
        let at = self.0.iter().position(|command| command.cmd == *cmd)?;
        Some(self.0.remove(at))
    }

    /// Puts a temporarily refused command back, to be sent again later.
    pub(crate) fn postpone(&mut self, command: PendingCommand<P>, now: Timestamp) {
        self.0.push(PendingCommand { again_at: Some(now + RETRY_PAUSE), ..command });
    }

    /// Returns the postponed commands that are due.
    pub(crate) fn due(&mut self, now: Timestamp) -> Vec<ClientFrame> {
        let due = |command: &&mut PendingCommand<P>| command.again_at.is_some_and(|at| at <= now);
        let again = self.0.iter_mut().filter(due).map(|command| {
            command.again_at = None;
            command.frame.clone()
        });
        again.collect()
    }

    /// Returns all commands, to be sent again on a new connection.
    pub(crate) fn all_for_resend(&mut self) -> Vec<ClientFrame> {
        self.0.iter_mut().for_each(|command| command.again_at = None);
        self.0.iter().map(|command| command.frame.clone()).collect()
    }

    /// Removes the commands of a table, or only those of its earlier matches.
    pub(crate) fn remove_table(&mut self, table: TableId, keep: Option<MatchId>) {
        self.0.retain(|command| command.table != table || Some(command.match_id) == keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_pending_until_it_is_answered() {
        let (table, match_id) =
            ("0192f0c1-2345-7000-8000-000000000001", "0192f0c1-2345-7000-8000-0000000000aa");
        let of: (TableId, MatchId) = (table.parse().unwrap(), match_id.parse().unwrap());
        let cmd = |name: &str| name.parse::<CommandId>().unwrap();
        let frame = |name| ClientFrame::ClaimDraw { table: of.0, cmd: cmd(name), seat: None, match_id: None };
        let mut pending = PendingCommands::default();
        for name in ["a", "b"] {
            pending.push(of, cmd(name), 7, frame(name));
        }
        assert!(pending.has(of.0, &7) && !pending.has(of.0, &8));
        assert_eq!(pending.all_for_resend(), [frame("a"), frame("b")]);
        let now = Timestamp::from_millis(1_000);
        let first = pending.remove_answered(&cmd("a")).unwrap();
        assert!(pending.remove_answered(&cmd("a")).is_none());
        pending.postpone(first, now);
        assert!(pending.due(now).is_empty());
        assert_eq!(pending.due(now + RETRY_PAUSE), [frame("a")]);
        assert!(pending.due(now + RETRY_PAUSE).is_empty(), "once, until the server refuses it again");
        pending.remove_table(of.0, Some(of.1));
        assert!(!pending.is_empty(), "they are of the current match");
        pending.remove_table(of.0, None);
        assert!(pending.is_empty());
    }
}
