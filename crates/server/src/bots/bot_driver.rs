//! The driver of a table's bots: one task beside the table's actor, at tables that have bots.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

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
use crate::actor::{Answer, CommandRequest, TableHandle, make_nonce};
use quadrex_table::{Action, Attention, BotTask, BotTaskKind, PlayerCommand};

/// The pause before a command that the table refused is retried.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The bots' latest evaluations of their own positions, in centipawns, by match and color.
type Evaluations = BTreeMap<(MatchId, Color), i32>;

/// A chosen move, with its evaluation if there was a search.
struct Choice {
    mv: Move,
    evaluation: Option<i32>,
}

/// A bot's decision.
struct Decision {
    action: Action,
    /// The bot's evaluation of its position, if it searched.
    evaluation: Option<i32>,
}

/// Runs the bots of a table until its actor has ended.
pub(super) async fn drive(bots: Bots, table: TableHandle, mut tasks: watch::Receiver<Option<Arc<BotTask>>>) {
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
            changed = until_changed(&mut tasks, &task) => if changed.is_err() { return },
            decision = bots.decide(&task, &evaluations) => {
                if let Some(evaluation) = decision.evaluation {
                    evaluations.retain(|(match_id, _), _| *match_id == task.match_id);
                    evaluations.insert((task.match_id, task.color), evaluation);
                }
                bots.send(&table, &task, decision.action).await;
                // If the table accepts the command, the task changes at once.
                tokio::select! {
                    changed = until_changed(&mut tasks, &task) => if changed.is_err() { return },
                    () = tokio::time::sleep(RETRY_PAUSE) => {}
                }
            }
        }
    }
}

/// Waits until the task changes. Fails if the table's actor has ended.
async fn until_changed(
    tasks: &mut watch::Receiver<Option<Arc<BotTask>>>,
    task: &BotTask,
) -> Result<(), watch::error::RecvError> {
    let has_changed = |now: &Option<Arc<BotTask>>| !now.as_ref().is_some_and(|now| now.is_same(task));
    tasks.wait_for(has_changed).await.map(drop)
}

impl Bots {
    /// Decides what a bot does, after a pause like a person's.
    async fn decide(&self, task: &BotTask, evaluations: &Evaluations) -> Decision {
        let evaluation = evaluations.get(&(task.match_id, task.color)).copied();
        let started = self.0.clock.now();
        match &task.kind {
            BotTaskKind::Answer { request, game } => {
                self.0.clock.sleep_until(started + self.0.config.pace_least).await;
                let action = answer(*request, game, evaluation);
                Decision { action: Action::Request { request: *request, action }, evaluation: None }
            }
            BotTaskKind::Rematch => {
                self.0.clock.sleep_until(started + self.0.config.pace_least).await;
                let nonce = make_nonce(&self.0.entropy);
                // Bots accept rematches and never request them, so this id is never used.
                let next = MatchId(self.0.entropy.uuid(started));
                Decision {
                    action: Action::Rematch { action: RequestAction::Accept, nonce, next },
                    evaluation: None,
                }
            }
            BotTaskKind::Move { game, claimable, is_among_bots } => {
                let level = level_of(&task.bot);
                let budget = Budget::of(game, &self.0.config, &self.0.entropy, started);
                let Choice { mv, evaluation } = self.choose(task, game, level, &budget).await;
                self.0.clock.sleep_until(started + budget.pace).await;
                let claims = *claimable && claims_draw(*is_among_bots, evaluation);
                let action = if claims {
                    Action::ClaimDraw
                } else {
                    Action::Move { after: task.head, mv, claim_draw: false }
                };
                Decision { action, evaluation }
            }
        }
    }

    /// Chooses a move: from the bot's own engine, failing that from the server's, failing that any
    /// legal move.
    async fn choose(&self, task: &BotTask, game: &Game, level: Level, budget: &Budget) -> Choice {
        if let Some(BotView::Engine { engine, elo }) = &task.bot.bot {
            let time = budget.limits.hard.unwrap_or(self.0.config.think);
            match self.0.engines.choose(engine, *elo, game, time).await {
                Ok(quadrex_driver::BestMove { mv, score: evaluation }) => return Choice { mv, evaluation },
                Err(error) => tracing::warn!(
                    match.id = %task.match_id,
                    engine,
                    "an engine gave no move, so the server's engine plays for it: {error}"
                ),
            }
        }
        let search = Search {
            position: game.position().clone(),
            earlier: game.earlier_keys().to_vec(),
            level,
            seed: u64::from_le_bytes(self.0.entropy.bytes()),
            limits: budget.limits,
            lines: 1,
            urgency: task.attention.into(),
            account: task.host,
        };
        let found = self.0.pool.search(search).found().await;
        let evaluation =
            found.as_ref().and_then(|found| Some(evaluation(found.report.lines.first()?, task.color)));
        let best = found.and_then(|found| found.best).filter(|mv| game.position().is_legal(*mv));
        let mv = best.unwrap_or_else(|| {
            tracing::error!(match.id = %task.match_id, bot = %task.bot.name, "no engine gave a move, so a random one is played");
            *self.0.entropy.pick(&game.position().legal_moves())
        });
        Choice { mv, evaluation }
    }

    /// Sends the bot's command to the table.
    async fn send(&self, table: &TableHandle, task: &BotTask, action: Action) {
        let cmd = self.0.entropy.uuid(self.0.clock.now()).to_string();
        let request = CommandRequest {
            command: PlayerCommand { by: task.bot.clone(), seat: Some(task.color), action },
            cmd: cmd.parse().expect("a UUID is a valid cmd"),
            match_id: None,
            redeem: None,
        };
        match table.command(request).await {
            Ok(Answer::Done { .. }) => {}
            // The match may have moved on meanwhile; faults are already logged.
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

/// Returns the level at which the server's engine plays for a bot.
fn level_of(bot: &UserView) -> Level {
    let number = match &bot.bot {
        Some(BotView::BuiltIn { level }) => level.number(),
        Some(BotView::Engine { .. } | BotView::Account {}) | None => Level::FULL.number(),
    };
    Level::try_from(number).expect("the wire's levels are the engine's")
}
