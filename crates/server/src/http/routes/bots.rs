//! Which bots there are, for whoever wants one.

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::bot::{BotChoice, BotList};
use quadrex_protocol::user::UserView;
use quadrex_rules::Variant;

use crate::bots::BotError;
use crate::http::refusal::Refusal;
use crate::http::state::App;

/// The route.
pub(crate) fn routes() -> Router<App> {
    Router::new().route("/api/bots", get(list_bots))
}

async fn list_bots(State(app): State<App>) -> Json<BotList> {
    Json(app.bots.list())
}

impl App {
    /// The bot of a choice for a table of this variant.
    pub(crate) async fn bot(&self, choice: &BotChoice, variant: Variant) -> Result<UserView, Refusal> {
        match self.bots.find(choice, variant).await {
            Ok(bot) => Ok(bot),
            Err(BotError::Unknown(unknown)) => Err(Refusal::new(RefusalCode::BadSetting, unknown)),
            Err(BotError::Store(error)) => Err(self.fault("keep a bot", &error)),
        }
    }
}
