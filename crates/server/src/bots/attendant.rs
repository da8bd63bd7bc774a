//! Does what a table's bots have to do: one task beside the table's own, at tables that have bots.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use quadrex_driver::claims_draw;
use quadrex_engine::Level;
use quadrex_protocol::bot::BotView;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{MatchId, RequestAct};
use quadrex_rules::{Color, Game, Move};
use tokio::sync::watch;

use super::Bots;
use super::answers::{answer, worth};
use super::budget::Budget;
use super::pool::{Search, Urgency};
use crate::table::{Action, Answer, Attention, Duty, Errand, Order, TableHandle, make_nonce};

/// How long it waits before it tries again what the table did not take.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// How the bots of a match think they stand, hundredths of a pawn, by the match and the color.
type Standing = BTreeMap<(MatchId, Color), i32>;

/// A move, and how the bot thinks it stands with it, if it has looked.
struct Choice {
    mv: Move,
    worth: Option<i32>,
}

/// What a bot has made up its mind to do.
struct Resolve {
    action: Action,
    /// How it stands, if it has looked.
    worth: Option<i32>,
}

/// Attends to a table until its actor has gone.
pub(super) async fn attend(bots: Bots, table: TableHandle, mut duties: watch::Receiver<Option<Arc<Duty>>>) {
    let mut standing = Standing::new();
    loop {
        let duty = duties.borrow_and_update().clone();
        let Some(duty) = duty else {
            if duties.changed().await.is_err() {
                return;
            }
            continue;
        };
        tokio::select! {
            biased;
            still = until_other(&mut duties, &duty) => if still.is_err() { return },
            resolve = bots.resolve(&duty, &standing) => {
                if let Some(worth) = resolve.worth {
                    standing.retain(|(match_id, _), _| *match_id == duty.match_id);
                    standing.insert((duty.match_id, duty.color), worth);
                }
                bots.tell(&table, &duty, resolve.action).await;
                // The table says at once what comes next; if it does not, it has not taken the command.
                tokio::select! {
                    still = until_other(&mut duties, &duty) => if still.is_err() { return },
                    () = tokio::time::sleep(RETRY_PAUSE) => {}
                }
            }
        }
    }
}

/// Waits until something else than this is to be done; an error if the table's actor has gone.
async fn until_other(
    duties: &mut watch::Receiver<Option<Arc<Duty>>>,
    duty: &Duty,
) -> Result<(), watch::error::RecvError> {
    let is_other = |now: &Option<Arc<Duty>>| !now.as_ref().is_some_and(|now| now.is_still(duty));
    duties.wait_for(is_other).await.map(drop)
}

impl Bots {
    /// What a bot does about its duty, after the time that it takes for it.
    async fn resolve(&self, duty: &Duty, standing: &Standing) -> Resolve {
        let worth = standing.get(&(duty.match_id, duty.color)).copied();
        let begun = self.0.clock.now();
        match &duty.errand {
            Errand::Answer { request, game } => {
                self.0.clock.sleep_until(begun + self.0.config.pace_least).await;
                let act = answer(*request, game, worth);
                Resolve { action: Action::Request { request: *request, act }, worth: None }
            }
            Errand::Rematch => {
                self.0.clock.sleep_until(begun + self.0.config.pace_least).await;
                let nonce = make_nonce(&self.0.entropy);
                // It asks for none, so that its own id for the next match is never used.
                let next = MatchId(self.0.entropy.uuid(begun));
                Resolve { action: Action::Rematch { act: RequestAct::Accept, nonce, next }, worth: None }
            }
            Errand::Move { game, claimable, is_among_bots } => {
                let level = level_of(&duty.bot);
                let budget = Budget::of(game, &self.0.config, &self.0.entropy, begun);
                let Choice { mv, worth } = self.choose(duty, game, level, &budget).await;
                self.0.clock.sleep_until(begun + budget.pace).await;
                let claims = *claimable && claims_draw(*is_among_bots, worth);
                let action = if claims {
                    Action::ClaimDraw
                } else {
                    Action::Move { at: duty.head, mv, claim_draw: false }
                };
                Resolve { action, worth }
            }
        }
    }

    /// A move, in any case: without another engine's the server's own, and without that any that is legal.
    async fn choose(&self, duty: &Duty, game: &Game, level: Level, budget: &Budget) -> Choice {
        if let Some(BotView::Engine { engine, elo }) = &duty.bot.bot {
            let time = budget.limits.hard.unwrap_or(self.0.config.think);
            match self.0.engines.choose(engine, *elo, game, time).await {
                Ok(quadrex_driver::BestMove { mv, score: worth }) => return Choice { mv, worth },
                Err(error) => tracing::warn!(
                    match.id = %duty.match_id,
                    engine,
                    "an engine gave no move, the server's own plays for it: {error}"
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
            urgency: duty.attention.into(),
            account: duty.host,
        };
        let found = self.0.pool.search(search).found().await;
        let worth = found.as_ref().and_then(|found| Some(worth(found.report.lines.first()?, duty.color)));
        let best = found.and_then(|found| found.best).filter(|mv| game.position().is_legal(*mv));
        let mv = best.unwrap_or_else(|| {
            tracing::error!(match.id = %duty.match_id, bot = %duty.bot.name, "no engine gave a move: any will do");
            *self.0.entropy.pick(&game.position().legal_moves())
        });
        Choice { mv, worth }
    }

    /// Gives the table the bot's command.
    async fn tell(&self, table: &TableHandle, duty: &Duty, action: Action) {
        let cmd = self.0.entropy.uuid(self.0.clock.now()).to_string();
        let order = Order {
            by: duty.bot.clone(),
            seat: Some(duty.color),
            action,
            cmd: cmd.parse().expect("a UUID names a command"),
            match_id: None,
            redeem: None,
        };
        match table.command(order).await {
            Ok(Answer::Done { .. }) => {}
            // The match may have gone on meanwhile; a fault is in the log already.
            Ok(answer) => {
                tracing::debug!(bot = %duty.bot.name, ?answer, "a bot's command was not carried out");
            }
            Err(gone) => tracing::debug!(bot = %duty.bot.name, "a bot's command came too late: {gone}"),
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

/// How well a bot plays, as far as it is the server's own.
fn level_of(bot: &UserView) -> Level {
    let number = match &bot.bot {
        Some(BotView::BuiltIn { level }) => level.number(),
        Some(BotView::Engine { .. } | BotView::Account {}) | None => Level::FULL.number(),
    };
    Level::try_from(number).expect("the wire's levels are the engine's")
}
