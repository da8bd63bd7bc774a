//! The route of the list of bots.

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::bot::{BotChoice, BotList};
use quadrex_protocol::user::UserView;
use quadrex_rules::Variant;

use crate::bots::BotError;
use crate::http::refusal::Refusal;
use crate::http::state::AppState;

/// The route.
pub(crate) fn routes() -> Router<AppState> {
    Router::new().route("/api/bots", get(list_bots))
}

async fn list_bots(State(state): State<AppState>) -> Json<BotList> {
    Json(state.bots.list())
}

impl AppState {
    /// Returns the bot that a host has chosen for a table of this variant.
    pub(crate) async fn bot(&self, choice: &BotChoice, variant: Variant) -> Result<UserView, Refusal> {
        match self.bots.find(choice, variant).await {
            Ok(bot) => Ok(bot),
            Err(BotError::Unknown(unknown)) => Err(Refusal::new(RefusalCode::BadSetting, unknown)),
            Err(BotError::Store(error)) => Err(self.fault("store a bot", &error)),
        }
    }
}
