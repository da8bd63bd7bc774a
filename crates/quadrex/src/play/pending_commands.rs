//! Commands without an answer, which are sent again after a reconnect.

use std::time::Duration;

use quadrex_protocol::{ClientFrame, CmdId, MatchId, TableId};
use quadrex_rules::Timestamp;

/// The pause before a temporarily refused command is sent again.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The purpose of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Sit,
    Leave,
    Move,
    /// Claims a draw, on this board.
    Claim(u64),
    /// Answers a request.
    Answer,
}

/// A command without an answer.
#[derive(Clone, Debug)]
pub(super) struct PendingCommand {
    pub(super) cmd: CmdId,
    pub(super) table: TableId,
    /// The command's match; it has no effect in another one.
    pub(super) match_id: MatchId,
    pub(super) purpose: Purpose,
    pub(super) frame: ClientFrame,
    /// The time to send it again after a temporary refusal.
    again_at: Option<Timestamp>,
}

/// All pending commands, in the order in which they were sent.
#[derive(Debug, Default)]
pub(super) struct PendingCommands(Vec<PendingCommand>);

impl PendingCommands {
    pub(super) fn push(&mut self, of: (TableId, MatchId), cmd: CmdId, purpose: Purpose, frame: ClientFrame) {
        let (table, match_id) = of;
        self.0.push(PendingCommand { cmd, table, match_id, purpose, frame, again_at: None });
    }

    /// Returns true if a command of this purpose is pending for a table.
    pub(super) fn has(&self, table: TableId, purpose: Purpose) -> bool {
        self.0.iter().any(|command| command.table == table && command.purpose == purpose)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes and returns an remove_answered command.
    pub(super) fn remove_answered(&mut self, cmd: &CmdId) -> Option<PendingCommand> {
        let at = self.0.iter().position(|command| command.cmd == *cmd)?;
        Some(self.0.remove(at))
    }

    /// Postpones a temporarily refused command.
    pub(super) fn postpone(&mut self, command: PendingCommand, now: Timestamp) {
        self.0.push(PendingCommand { again_at: Some(now + RETRY_PAUSE), ..command });
    }

    /// Returns the postponed commands that are due.
    pub(super) fn due(&mut self, now: Timestamp) -> Vec<ClientFrame> {
        let due = |command: &&mut PendingCommand| command.again_at.is_some_and(|at| at <= now);
        let again = self.0.iter_mut().filter(due).map(|command| {
            command.again_at = None;
            command.frame.clone()
        });
        again.collect()
    }

    /// Returns all_for_resend commands, to be command on a new connection.
    pub(super) fn all_for_resend(&mut self) -> Vec<ClientFrame> {
        self.0.iter_mut().for_each(|command| command.again_at = None);
        self.0.iter().map(|command| command.frame.clone()).collect()
    }

    /// Removes the commands of a table, or only those of its earlier matches.
    pub(super) fn remove_table(&mut self, table: TableId, keep: Option<MatchId>) {
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
        let cmd = |name: &str| name.parse::<CmdId>().unwrap();
        let frame = |name| ClientFrame::ClaimDraw { table: of.0, cmd: cmd(name), seat: None, match_id: None };
        let mut pending = PendingCommands::default();
        for name in ["a", "b"] {
            pending.push(of, cmd(name), Purpose::Claim(7), frame(name));
        }
        assert!(pending.has(of.0, Purpose::Claim(7)) && !pending.has(of.0, Purpose::Move));
        assert_eq!(pending.all_for_resend(), [frame("a"), frame("b")]);
        let now = Timestamp::from_millis(1_000);
        let first = pending.remove_answered(&cmd("a")).unwrap();
        assert!(pending.remove_answered(&cmd("a")).is_none());
        pending.postpone(first, now);
        assert!(pending.due(now).is_empty());
        assert_eq!(pending.due(now + RETRY_PAUSE), [frame("a")]);
        assert!(pending.due(now + RETRY_PAUSE).is_empty(), "once, until the server asks again");
        pending.remove_table(of.0, Some(of.1));
        assert!(!pending.is_empty(), "they are of the match that runs");
        pending.remove_table(of.0, None);
        assert!(pending.is_empty());
    }
}
