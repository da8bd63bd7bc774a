//! The commands that the server has not answered yet. They are sent again after a reconnect.

use std::time::Duration;

use quadrex_protocol::{ClientFrame, CommandId, MatchId, TableId};
use quadrex_rules::Timestamp;

/// The pause before a temporarily refused command is sent again.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// A command that the server has not answered yet.
#[derive(Clone, Debug)]
pub struct PendingCommand<P> {
    /// The id of the command. It stays the same when the command is sent again.
    pub command_id: CommandId,
    /// The table that the command is for.
    pub table: TableId,
    /// The match that the command is for. The command has no effect in another match.
    pub match_id: MatchId,
    /// The purpose of the command. The answer to the command contains this purpose.
    pub purpose: P,
    frame: ClientFrame,
    /// The time at which the command is sent again, after a temporary refusal.
    retry_at: Option<Timestamp>,
}

/// All pending commands.
#[derive(Debug)]
pub(crate) struct PendingCommands<P> {
    /// The commands in the order in which they were sent.
    commands: Vec<PendingCommand<P>>,
}

impl<P> Default for PendingCommands<P> {
    fn default() -> Self {
        Self { commands: Vec::new() }
    }
}

impl<P: PartialEq> PendingCommands<P> {
    pub(crate) fn push(
        &mut self,
        (table, match_id): (TableId, MatchId),
        command_id: CommandId,
        purpose: P,
        frame: ClientFrame,
    ) {
        self.commands.push(PendingCommand { command_id, table, match_id, purpose, frame, retry_at: None });
    }

    /// Returns true if a command of this purpose is pending for a table.
    pub(crate) fn has(&self, table: TableId, purpose: &P) -> bool {
        self.commands.iter().any(|command| command.table == table && command.purpose == *purpose)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Removes and returns the command with this id, which the server has answered.
    pub(crate) fn remove_answered(&mut self, command_id: &CommandId) -> Option<PendingCommand<P>> {
        let index = self.commands.iter().position(|command| command.command_id == *command_id)?;
        Some(self.commands.remove(index))
    }

    /// Keeps a command that the server has refused temporarily, and sends it again later.
    pub(crate) fn postpone(&mut self, command: PendingCommand<P>, now: Timestamp) {
        self.commands.push(PendingCommand { retry_at: Some(now + RETRY_PAUSE), ..command });
    }

    /// Returns the frames of the postponed commands that are due.
    pub(crate) fn due(&mut self, now: Timestamp) -> Vec<ClientFrame> {
        let due = |command: &&mut PendingCommand<P>| command.retry_at.is_some_and(|at| at <= now);
        let due_frames = self.commands.iter_mut().filter(due).map(|command| {
            command.retry_at = None;
            command.frame.clone()
        });
        due_frames.collect()
    }

    /// Returns the frames of all commands. They are sent again on a new connection.
    pub(crate) fn all_for_resend(&mut self) -> Vec<ClientFrame> {
        self.commands.iter_mut().for_each(|command| command.retry_at = None);
        self.commands.iter().map(|command| command.frame.clone()).collect()
    }

    /// Removes the commands for a table, except for those of the match `keep`.
    pub(crate) fn remove_table(&mut self, table: TableId, keep: Option<MatchId>) {
        self.commands.retain(|command| command.table != table || Some(command.match_id) == keep);
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
