//! Commands that the server has not answered: they are sent again when the line has broken.

use std::time::Duration;

use quadrex_protocol::{ClientFrame, CmdId, MatchId, TableId};
use quadrex_rules::Timestamp;

/// How long to wait before a command that the server could not take just then is sent again.
const PAUSE: Duration = Duration::from_secs(1);

/// What a command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Sit,
    Leave,
    Move,
    /// To claim a draw, on this board.
    Claim(u64),
    /// To answer somebody.
    Answer,
}

/// A command on its way.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) cmd: CmdId,
    pub(super) table: TableId,
    /// A command counts in one match.
    pub(super) match_id: MatchId,
    pub(super) deed: Deed,
    pub(super) frame: ClientFrame,
    /// When to send it again, if the server has asked for that.
    again_at: Option<Timestamp>,
}

/// All of them, in the order in which they were sent.
#[derive(Debug, Default)]
pub(super) struct Unanswered(Vec<Sent>);

impl Unanswered {
    pub(super) fn push(&mut self, of: (TableId, MatchId), cmd: CmdId, deed: Deed, frame: ClientFrame) {
        let (table, match_id) = of;
        self.0.push(Sent { cmd, table, match_id, deed, frame, again_at: None });
    }

    /// Whether something of this kind is on its way to a table.
    pub(super) fn has(&self, table: TableId, deed: Deed) -> bool {
        self.0.iter().any(|sent| sent.table == table && sent.deed == deed)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes out what was answered.
    pub(super) fn answered(&mut self, cmd: &CmdId) -> Option<Sent> {
        let at = self.0.iter().position(|sent| sent.cmd == *cmd)?;
        Some(self.0.remove(at))
    }

    /// Puts one off that the server could not take.
    pub(super) fn put_off(&mut self, sent: Sent, now: Timestamp) {
        self.0.push(Sent { again_at: Some(now + PAUSE), ..sent });
    }

    /// Those that are due to be sent again.
    pub(super) fn due(&mut self, now: Timestamp) -> Vec<ClientFrame> {
        let due = |sent: &&mut Sent| sent.again_at.is_some_and(|at| at <= now);
        let again = self.0.iter_mut().filter(due).map(|sent| {
            sent.again_at = None;
            sent.frame.clone()
        });
        again.collect()
    }

    /// All, for a new line.
    pub(super) fn all(&mut self) -> Vec<ClientFrame> {
        self.0.iter_mut().for_each(|sent| sent.again_at = None);
        self.0.iter().map(|sent| sent.frame.clone()).collect()
    }

    /// Forgets those of a table, or of its matches before this one.
    pub(super) fn forget(&mut self, table: TableId, but: Option<MatchId>) {
        self.0.retain(|sent| sent.table != table || Some(sent.match_id) == but);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_kept_until_it_is_answered() {
        let (table, match_id) =
            ("0192f0c1-2345-7000-8000-000000000001", "0192f0c1-2345-7000-8000-0000000000aa");
        let of: (TableId, MatchId) = (table.parse().unwrap(), match_id.parse().unwrap());
        let cmd = |name: &str| name.parse::<CmdId>().unwrap();
        let frame = |name| ClientFrame::ClaimDraw { table: of.0, cmd: cmd(name), seat: None, match_id: None };
        let mut unanswered = Unanswered::default();
        for name in ["a", "b"] {
            unanswered.push(of, cmd(name), Deed::Claim(7), frame(name));
        }
        assert!(unanswered.has(of.0, Deed::Claim(7)) && !unanswered.has(of.0, Deed::Move));
        assert_eq!(unanswered.all(), [frame("a"), frame("b")]);
        let now = Timestamp::from_millis(1_000);
        let first = unanswered.answered(&cmd("a")).unwrap();
        assert!(unanswered.answered(&cmd("a")).is_none());
        unanswered.put_off(first, now);
        assert!(unanswered.due(now).is_empty());
        assert_eq!(unanswered.due(now + PAUSE), [frame("a")]);
        assert!(unanswered.due(now + PAUSE).is_empty(), "once, until the server asks again");
        unanswered.forget(of.0, Some(of.1));
        assert!(!unanswered.is_empty(), "they are of the match that runs");
        unanswered.forget(of.0, None);
        assert!(unanswered.is_empty());
    }
}
