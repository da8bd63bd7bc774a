//! The check of a user who takes a seat or wants a rematch, against facts in the store: blocks between
//! users, and the rules of fair play at rated tables.

use quadrex_protocol::{Event, UserId};
use quadrex_rules::Timestamp;
use quadrex_store::BlockBetween;
use quadrex_table::{Rejection, TableState};

use super::claims::Claims;
use super::handle::CommandRequest;
use super::match_log::CommitError;
use crate::fair_play::NewSeat;

/// Returns the reason to refuse the author of these events, which are not committed yet. No other
/// command of the table is handled meanwhile, so users who sit down at the same time are checked one
/// after the other. A user who has a seat already keeps it, whatever changes later.
pub(super) async fn check_seat(
    claims: &Claims,
    state: &TableState,
    request: &CommandRequest,
    events: &[Event],
    now: Timestamp,
) -> Result<Option<Rejection>, CommitError> {
    let user = request.command.by.id;
    let takes_seat = |event: &Event| matches!(event, Event::Seated { user: seated, .. } if seated.id == user);
    let is_new = events.iter().any(takes_seat) && !state.is_seated(user);
    if is_new && let Some(rejection) = check_blocks(claims, state, user).await? {
        return Ok(Some(rejection));
    }
    let wants_rematch =
        |event: &Event| matches!(event, Event::RematchRequested { .. } | Event::RematchAgreed { .. });
    if !state.terms().settings.rated || !(is_new || events.iter().any(wants_rematch)) {
        return Ok(None);
    }
    let wait = claims.fair_play().rated_wait(user, now).await.map_err(CommitError::FairPlay)?;
    if let Some(wait) = wait {
        return Ok(Some(Rejection::RatedWait { left_ms: wait.left_ms(now) }));
    }
    if is_new { check_pairing(claims, state, request, now).await } else { Ok(None) }
}

/// Returns the reason to refuse a user if there is a block between the user and the host or a seated
/// user.
async fn check_blocks(
    claims: &Claims,
    state: &TableState,
    user: UserId,
) -> Result<Option<Rejection>, CommitError> {
    let mut others = state.members();
    others.retain(|other| *other != user);
    others.sort_unstable();
    others.dedup();
    let block = claims.store().block_between(user, &others).await.map_err(CommitError::Blocks)?;
    Ok(block.map(|block| match block {
        BlockBetween::ByUser => Rejection::PlayerBlocked,
        BlockBetween::ByOther => Rejection::CannotJoin,
    }))
}

/// Returns the reason to refuse a quick join because of the seated users. Records the network of a
/// user who may sit down.
async fn check_pairing(
    claims: &Claims,
    state: &TableState,
    request: &CommandRequest,
    now: Timestamp,
) -> Result<Option<Rejection>, CommitError> {
    let user = request.command.by.id;
    let (match_id, opened_at) = (state.match_id(), state.opened_at());
    let seat = NewSeat { match_id, user, origin: &request.origin, opened_at };
    let mut seated = state.members();
    seated.retain(|other| *other != user && state.is_seated(*other));
    let fair_play = claims.fair_play();
    if !fair_play.may_pair(&seat, &seated, now).await.map_err(CommitError::FairPlay)? {
        return Ok(Some(Rejection::CannotJoin));
    }
    fair_play.record_network(&seat, now).await.map_err(CommitError::FairPlay)?;
    Ok(None)
}
