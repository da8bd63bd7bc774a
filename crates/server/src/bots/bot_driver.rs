//! The driver of a table's bots: a task that runs beside the table's actor. A table without bots
//! has no driver. The actor sends one bot task after the other to the driver, and the driver
//! answers each of them with a command.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use quadrex_cluster::message::SeatOrigin;
use quadrex_driver::claims_draw;
use quadrex_engine::Level;
use quadrex_protocol::bot::BotView;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{MatchId, RequestAction};
use quadrex_rules::{Color, Game, Move};
use tokio::sync::watch;

use super::Bots;
use super::answers::{answer, evaluation};
use super::budget::Budget;
use super::pool::{Search, Urgency};
use crate::actor::{Answer, CommandRequest, TableHandle, random_nonce};
use quadrex_table::{Action, Attention, BotTask, BotTaskKind, PlayerCommand};

/// If a bot's command did not change its task, the bot decides again after this time.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The evaluation of the position that each bot's last search returned, in centipawns from the
/// bot's point of view. The key is the match and the bot's color.
type Evaluations = BTreeMap<(MatchId, Color), i32>;

/// A move that was chosen for a bot, and the evaluation of the position if an engine gave one.
struct ChosenMove {
    mv: Move,
    evaluation: Option<i32>,
}

/// The decision of a bot about its task.
struct Decision {
    action: Action,
    /// The evaluation of the position from the bot's point of view, if an engine gave one.
    evaluation: Option<i32>,
}

/// Runs the bots of a table until the table's actor has ended.
pub(super) async fn run_bots(
    bots: Bots,
    table: TableHandle,
    mut tasks: watch::Receiver<Option<Arc<BotTask>>>,
) {
    let mut evaluations = Evaluations::new();
    loop {
        let task = tasks.borrow_and_update().clone();
        let Some(task) = task else {
            if tasks.changed().await.is_err() {
                return;
            }
            continue;
        };
        tokio::select! {
            biased;
            // A decision about an outdated task is cancelled.
            changed = wait_for_other_task(&mut tasks, &task) => if changed.is_err() { return },
            decision = bots.decide(&task, &evaluations) => {
                if let Some(evaluation) = decision.evaluation {
                    evaluations.retain(|(match_id, _), _| *match_id == task.match_id);
                    evaluations.insert((task.match_id, task.color), evaluation);
                }
                bots.send(&table, &task, decision.action).await;
                // If the table accepts the command, the task changes. If it refuses, the bot
                // decides again after a pause.
                tokio::select! {
                    changed = wait_for_other_task(&mut tasks, &task) => if changed.is_err() { return },
                    () = tokio::time::sleep(RETRY_PAUSE) => {}
                }
            }
        }
    }
}

/// Waits until the actor has sent a task other than `task`.
///
/// # Errors
/// Returns an error if the table's actor has ended.
async fn wait_for_other_task(
    tasks: &mut watch::Receiver<Option<Arc<BotTask>>>,
    task: &BotTask,
) -> Result<(), watch::error::RecvError> {
    let is_other =
        |current: &Option<Arc<BotTask>>| !current.as_ref().is_some_and(|current| current.is_same(task));
    tasks.wait_for(is_other).await.map(drop)
}

impl Bots {
    /// Decides the action for a bot's task. Returns after a delay, so that bots do not act faster
    /// than people.
    async fn decide(&self, task: &BotTask, evaluations: &Evaluations) -> Decision {
        let evaluation = evaluations.get(&(task.match_id, task.color)).copied();
        let started_at = self.shared.clock.now();
        match &task.kind {
            BotTaskKind::Answer { request, game } => {
                self.shared.clock.sleep_until(started_at + self.shared.config.min_delay).await;
                let action = answer(*request, game, evaluation);
                Decision { action: Action::Request { request: *request, action }, evaluation: None }
            }
            BotTaskKind::Rematch => {
                self.shared.clock.sleep_until(started_at + self.shared.config.min_delay).await;
                let nonce = random_nonce(&self.shared.entropy);
                // This id is not used: it matters only when a rematch is requested, and bots never
                // request one.
                let next = MatchId(self.shared.entropy.uuid(started_at));
                Decision {
                    action: Action::Rematch { action: RequestAction::Accept, nonce, next },
                    evaluation: None,
                }
            }
            BotTaskKind::Move { game, can_claim_draw, only_bots_play } => {
                let level = level_of(&task.bot);
                let budget = Budget::of(game, &self.shared.config, &self.shared.entropy, started_at);
                let ChosenMove { mv, evaluation } = self.choose_move(task, game, level, &budget).await;
                self.shared.clock.sleep_until(started_at + budget.delay).await;
                let shall_claim = *can_claim_draw && claims_draw(*only_bots_play, evaluation);
                let action = if shall_claim {
                    Action::ClaimDraw
                } else {
                    Action::Move { after: task.head, mv, claim_draw: false }
                };
                Decision { action, evaluation }
            }
        }
    }

    /// Chooses a move. If the bot has a UCI engine, the UCI engine chooses. If the bot has no UCI
    /// engine, or the UCI engine fails, the built-in engine chooses. If the built-in engine fails
    /// too, the move is a random legal move.
    async fn choose_move(&self, task: &BotTask, game: &Game, level: Level, budget: &Budget) -> ChosenMove {
        if let Some(BotView::Engine { engine, elo }) = &task.bot.bot {
            let time = budget.limits.hard.unwrap_or(self.shared.config.think);
            match self.shared.engines.choose_move(engine, *elo, game, time).await {
                Ok(quadrex_driver::BestMove { mv, score: evaluation }) => {
                    return ChosenMove { mv, evaluation };
                }
                Err(error) => tracing::warn!(
                    match.id = %task.match_id,
                    engine,
                    "an engine gave no move, so the server's engine plays for it: {error}"
                ),
            }
        }
        let search = Search {
            position: game.position().clone(),
            root_moves: Vec::new(),
            earlier: game.earlier_keys().to_vec(),
            level,
            seed: u64::from_le_bytes(self.shared.entropy.bytes()),
            limits: budget.limits,
            lines: 1,
            urgency: task.attention.into(),
            requester: task.host,
        };
        let result = self.shared.pool.search(search).result().await;
        let evaluation =
            result.as_ref().and_then(|result| Some(evaluation(result.report.lines.first()?, task.color)));
        let best = result.and_then(|result| result.best).filter(|mv| game.position().is_legal(*mv));
        let mv = best.unwrap_or_else(|| {
            tracing::error!(match.id = %task.match_id, bot = %task.bot.name, "no engine gave a move, so a random one is played");
            *self.shared.entropy.pick(&game.position().legal_moves())
        });
        ChosenMove { mv, evaluation }
    }

    /// Sends a bot's command to the table.
    async fn send(&self, table: &TableHandle, task: &BotTask, action: Action) {
        let command_id = self.shared.entropy.uuid(self.shared.clock.now()).to_string();
        let request = CommandRequest {
            command: PlayerCommand { by: task.bot.clone(), seat: Some(task.color), action },
            command_id: command_id.parse().expect("a UUID is a valid command id"),
            match_id: None,
            redeemed_invite: None,
            origin: SeatOrigin::default(),
        };
        match table.send_command(request).await {
            Ok(Answer::Done { .. }) => {}
            // A refusal is possible, because the match may have changed since the decision. If the
            // answer is a fault, the actor has logged it.
            Ok(answer) => {
                tracing::debug!(bot = %task.bot.name, ?answer, "a bot's command was refused");
            }
            Err(gone) => tracing::debug!(bot = %task.bot.name, "a bot's command came too late: {gone}"),
        }
    }
}

impl From<Attention> for Urgency {
    fn from(attention: Attention) -> Self {
        match attention {
            Attention::Player => Self::Player,
            Attention::Spectators => Self::Spectators,
            Attention::Nobody => Self::Unattended,
        }
    }
}

/// Returns the level at which the built-in engine plays for a bot.
fn level_of(bot: &UserView) -> Level {
    let number = match &bot.bot {
        Some(BotView::BuiltIn { level }) => level.number(),
        Some(BotView::Engine { .. } | BotView::Account {}) | None => Level::FULL.number(),
    };
    Level::try_from(number).expect("the wire's levels are the engine's")
}
