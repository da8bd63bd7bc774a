//! The state behind the interface, and what each command does to it.

use quadrex_engine::{Engine, Limits, Task, Untimed};
use quadrex_rules::notation::Playback;
use quadrex_rules::{AnyPosition, DrawPolicy, Move, Setup, SetupWarning, Variant};

use super::command::{Command, CommandError, Happening, Start, clipped};
use super::description::describe;
use super::search::{Aim, Go};

/// Positions that `go depth N` may look at: some seconds' work at most, since nothing interrupts it.
const MOST_NODES: u64 = 200_000;

/// One program's talk with the rules and the engine: a variant, a game of it, and a search that may wait for `stop`.
///
/// ```
/// let mut session = quadrex_uci::Session::new();
/// assert_eq!(session.answer("isready"), Some(vec!["readyok".to_owned()]));
/// assert_eq!(session.answer("position startpos moves e2e4"), Some(vec![]));
/// assert_eq!(session.answer("quit"), None);
/// ```
#[derive(Debug)]
pub struct Session {
    variant: Variant,
    draws: DrawPolicy,
    playback: Playback,
    /// The answer of a search that waits for `stop`.
    held: Option<Vec<String>>,
}

/// Lines to answer, or why not.
type Answer = Result<Vec<String>, CommandError>;

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// Classic chess from its start, draws by claim.
    pub fn new() -> Self {
        let (variant, draws) = (Variant::Classic, DrawPolicy::Claim);
        Self { variant, draws, playback: start(variant, draws), held: None }
    }

    /// The lines that answer one line (without its end), none of which holds a line break; `None` when the line is
    /// `quit`. `info string error: ...` alone says why nothing has changed.
    ///
    /// `go perft N` takes as long as its count needs, `go depth N` some seconds at most.
    pub fn answer(&mut self, line: &str) -> Option<Vec<String>> {
        let answer = match Command::parse(line) {
            Ok(Some(Command::Quit)) => return None,
            Ok(Some(command)) => self.carry_out(command),
            Ok(None) => Ok(Vec::new()),
            Err(error) => Err(error),
        };
        Some(answer.unwrap_or_else(|error| vec![refusal(&error)]))
    }

    /// Does what a command asks. An error has changed nothing.
    fn carry_out(&mut self, command: Command) -> Answer {
        match command {
            Command::Introduce => Ok(introduction()),
            Command::IsReady => Ok(vec!["readyok".to_owned()]),
            Command::SetVariant(variant) => {
                self.refuse_while_searching("setoption")?;
                self.variant = variant;
                self.playback = start(variant, self.draws);
                Ok(Vec::new())
            }
            Command::SetDraws(draws) => {
                self.refuse_while_searching("setoption")?;
                self.draws = draws;
                Ok(Vec::new())
            }
            Command::NewGame => {
                self.refuse_while_searching("ucinewgame")?;
                self.playback = start(self.variant, self.draws);
                Ok(Vec::new())
            }
            Command::Position { start, happenings } => {
                self.refuse_while_searching("position")?;
                let (playback, warnings) = self.set_up(&start, &happenings)?;
                self.playback = playback;
                Ok(warnings.iter().map(warning_line).collect())
            }
            Command::Go(go) => {
                self.refuse_while_searching("go")?;
                self.go(&go)
            }
            Command::Stop => Ok(self.held.take().unwrap_or_default()),
            Command::Describe => Ok(describe(self.playback.game())),
            Command::Ignore | Command::Quit => Ok(Vec::new()),
        }
    }

    fn refuse_while_searching(&self, command: &'static str) -> Result<(), CommandError> {
        if self.held.is_some() { Err(CommandError::Searching { command }) } else { Ok(()) }
    }

    /// Plays a position's moves and tokens from its start, which may be written as other programs write it.
    fn set_up(
        &self,
        start: &Start,
        happenings: &[Happening],
    ) -> Result<(Playback, Vec<SetupWarning>), CommandError> {
        let read = match start {
            Start::Own => Ok((Setup::start(self.variant), Vec::new())),
            Start::Written(text) => Setup::parse_lenient(self.variant, text),
        };
        let (mut playback, warnings) = read
            .and_then(|(setup, warnings)| Ok((Playback::new(setup, self.draws)?, warnings)))
            .map_err(|error| CommandError::Setup { error })?;
        for (index, &happening) in happenings.iter().enumerate() {
            let done = match happening {
                Happening::Move(mv) => playback.play(mv, None),
                Happening::Resigns(color) => playback.resign(color),
                Happening::Flags(color) => playback.flag(color),
                Happening::DrawAgreed => playback.agree_draw(),
            };
            let number = index + 1;
            done.map_err(|reason| CommandError::Happening { happening, number, reason })?;
        }
        Ok((playback, warnings))
    }

    fn go(&mut self, go: &Go) -> Answer {
        match go {
            Go::Perft(depth) => Ok(self.perft(*depth)),
            Go::Search(aim) => {
                let answer = self.search(aim)?;
                if aim.is_open_ended {
                    self.held = Some(answer);
                    return Ok(Vec::new());
                }
                Ok(answer)
            }
        }
    }

    /// The legal moves with the count behind each, and their sum. A finished game has no moves.
    fn perft(&self, depth: u32) -> Vec<String> {
        let mut total = u64::from(depth == 0);
        let mut lines = Vec::new();
        if let Some(depth) = depth.checked_sub(1) {
            for mv in self.moves() {
                let mut next = self.position().clone();
                next.play(mv);
                let count = next.perft(depth);
                lines.push(format!("{mv}: {count}"));
                total += count;
            }
        }
        lines.extend([String::new(), format!("Nodes searched: {total}")]);
        lines
    }

    /// A move chosen; UCI's null move where there is none to make.
    fn search(&self, aim: &Aim) -> Answer {
        let mut moves = self.moves();
        if let Some(mv) = aim.moves.iter().find(|mv| !moves.contains(mv)) {
            return Err(CommandError::malformed("go", format!("searchmoves: {mv} is not legal here")));
        }
        if !aim.moves.is_empty() {
            moves.retain(|mv| aim.moves.contains(mv));
        }
        let nodes = Some(aim.nodes.unwrap_or(MOST_NODES).min(MOST_NODES));
        let limits = Limits { depth: aim.depth, nodes, ..Limits::default() };
        let task = Task { moves: &moves, ..Task::of_game(self.playback.game(), limits) };
        let found =
            if moves.is_empty() { None } else { Engine::new(1).search(&task, &Untimed, &mut |_| ()).best };
        Ok(match found {
            Some(mv) => vec![format!("bestmove {mv}")],
            None => vec!["info string the game is over".to_owned(), "bestmove 0000".to_owned()],
        })
    }

    fn position(&self) -> &AnyPosition {
        self.playback.game().position()
    }

    fn moves(&self) -> Vec<Move> {
        match self.playback.game().outcome() {
            None => self.position().legal_moves(),
            Some(_) => Vec::new(),
        }
    }
}

/// The line that says why a line was refused.
pub(super) fn refusal(error: &CommandError) -> String {
    format!("info string error: {error}")
}

/// A variant's own start.
fn start(variant: Variant, draws: DrawPolicy) -> Playback {
    Playback::new(Setup::start(variant), draws).expect("a variant's own set-up is a position")
}

/// What of a position was dropped in reading it.
fn warning_line(warning: &SetupWarning) -> String {
    format!("info string warning: position: {}", clipped(&warning.to_string()))
}

fn introduction() -> Vec<String> {
    let variants = Variant::ALL.map(|variant| format!(" var {variant}")).concat();
    vec![
        format!("id name Quadrex {}", env!("CARGO_PKG_VERSION")),
        "id author the Quadrex authors".to_owned(),
        format!("option name UCI_Variant type combo default {}{variants}", Variant::Classic),
        "option name Draws type combo default claim var claim var automatic".to_owned(),
        "uciok".to_owned(),
    ]
}
