//! The routes of a user's vacation.

use axum::extract::State;
use axum::http::{HeaderMap, Method};
use axum::routing::get;
use axum::{Json, Router};
use quadrex_cluster::message::SeatOrigin;
use quadrex_protocol::http::{BeginVacation, VacationStatus};
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{CommandId, RefusalCode};
use quadrex_table::{Action, PlayerCommand};

use crate::actor::CommandRequest;
use crate::auth::User;
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::people::VacationChange;

/// The id of the command by which a table looks up the vacation. It is never in a log.
const COMMAND_ID: &str = "update-vacation";

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/api/me/vacation", get(show).put(begin).delete(end))
}

async fn show(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<VacationStatus>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    state.vacation_status(require_all_rights(&identity)?).await
}

/// Begins a vacation. The clocks of the user's correspondence matches stop.
async fn begin(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(BeginVacation { days }): JsonBody<BeginVacation>,
) -> Result<Json<VacationStatus>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let change = state.vacations.begin(user.id, days, state.now()).await;
    state.vacation_changed(user, change.map_err(|error| state.fault("begin a vacation", &error))?).await
}

/// Ends the vacation. The clocks of the user's correspondence matches run again.
async fn end(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<VacationStatus>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let change = state.vacations.end(user.id, state.now()).await;
    state.vacation_changed(user, change.map_err(|error| state.fault("end a vacation", &error))?).await
}

impl AppState {
    async fn vacation_status(&self, user: &User) -> Result<Json<VacationStatus>, Refusal> {
        let status = self.vacations.status(user.id, self.now()).await;
        Ok(Json(status.map_err(|error| self.fault("look up a vacation", &error))?))
    }

    /// Returns the new status after a change, which the user's matches receive, or the refusal.
    async fn vacation_changed(
        &self,
        user: &User,
        change: VacationChange,
    ) -> Result<Json<VacationStatus>, Refusal> {
        match change {
            VacationChange::Changed => self.update_vacation_in_matches(user).await?,
            VacationChange::None => {}
            VacationChange::Already => {
                return Err(Refusal::new(RefusalCode::RequestRefused, "you are on vacation already"));
            }
            VacationChange::Range(left) => {
                let message = format_args!("a vacation has at least one day, and you have {left} days left");
                return Err(Refusal::new(RefusalCode::BadSetting, message));
            }
        }
        self.vacation_status(user).await
    }

    /// Makes the running correspondence matches of a user look up the vacation. A match that does not
    /// receive this does so before it does anything else.
    async fn update_vacation_in_matches(&self, user: &User) -> Result<(), Refusal> {
        let request = CommandRequest {
            command: PlayerCommand { by: user.view(), seat: None, action: Action::UpdateVacation },
            command_id: COMMAND_ID.parse::<CommandId>().expect("the id is short and visible"),
            match_id: None,
            redeemed_invite: None,
            origin: SeatOrigin::default(),
        };
        for table in self.all_tables_of(user).await? {
            let is_correspondence = matches!(table.settings.time, TimeSetting::Correspondence { .. });
            if is_correspondence && table.phase == Phase::Running {
                self.table(table.table).await?.send_command(request.clone()).await.ok();
            }
        }
        Ok(())
    }
}
