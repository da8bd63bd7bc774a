//! JSON merge patches (RFC 7396) that describe how an event changes the state of a table.

mod change;

use std::collections::BTreeMap;

use quadrex_rules::{AbortCause, Color};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use change::Change;

use crate::view::{
    ClockView, EliminatedView, OutcomeView, Phase, RematchView, RequestView, ReserveView, StateView,
    SuspensionKind, SuspensionView, VacationView,
};
use crate::vocabulary::{AbortCauseText, ColorText};

/// A JSON merge patch (RFC 7396) of a state. Members that are absent stay unchanged, and `null`
/// removes a member. Values that change with time (the running clock and time limits) are in every
/// patch. They are measured when the server makes the frame that contains the patch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(default)]
pub struct StatePatch {
    /// See [`StateView::phase`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub phase: Option<Phase>,
    /// See [`StateView::turn`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub turn: Change<Color>,
    /// See [`StateView::active_players`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<Vec<ColorText>>")]
    #[schemars(with = "Option<Vec<ColorText>>")]
    pub active_players: Option<Vec<Color>>,
    /// See [`StateView::eliminated`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub eliminated: Option<Vec<EliminatedView>>,
    /// See [`StateView::checks`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<Vec<ColorText>>")]
    #[schemars(with = "Option<Vec<ColorText>>")]
    pub checks: Option<Vec<Color>>,
    /// See [`StateView::facing_mate`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<Vec<ColorText>>")]
    #[schemars(with = "Option<Vec<ColorText>>")]
    pub facing_mate: Change<Vec<Color>>,
    /// See [`StateView::reserves`]; `null` for an eliminated player.
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<BTreeMap<ColorText, Option<ReserveView>>>")]
    #[schemars(with = "Option<BTreeMap<ColorText, Option<ReserveView>>>")]
    pub reserves: Change<BTreeMap<Color, Option<ReserveView>>>,
    /// See [`StateView::clock`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<ClockPatch>")]
    #[schemars(with = "Option<ClockPatch>")]
    pub clock: Change<ClockPatch>,
    /// See [`StateView::requests`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<Vec<RequestView>>")]
    #[schemars(with = "Option<Vec<RequestView>>")]
    pub requests: Change<Vec<RequestView>>,
    /// See [`StateView::can_claim_draw`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub can_claim_draw: Option<bool>,
    /// See [`StateView::move_left_ms`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<u64>")]
    #[schemars(with = "Option<u64>")]
    pub move_left_ms: Change<u64>,
    /// See [`StateView::suspension`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<SuspensionPatch>")]
    #[schemars(with = "Option<SuspensionPatch>")]
    pub suspension: Change<SuspensionPatch>,
    /// See [`StateView::vacations`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<Vec<VacationView>>")]
    #[schemars(with = "Option<Vec<VacationView>>")]
    pub vacations: Change<Vec<VacationView>>,
    /// See [`StateView::outcome`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<OutcomeView>")]
    #[schemars(with = "Option<OutcomeView>")]
    pub outcome: Change<OutcomeView>,
    /// See [`StateView::stalemated`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub stalemated: Change<Color>,
    /// See [`StateView::aborted`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<AbortCauseText>")]
    #[schemars(with = "Option<AbortCauseText>")]
    pub aborted: Change<AbortCause>,
    /// See [`StateView::rematch`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<RematchView>")]
    #[schemars(with = "Option<RematchView>")]
    pub rematch: Change<RematchView>,
    /// See [`StateView::closed`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<bool>")]
    #[schemars(with = "Option<bool>")]
    pub closed: Change<bool>,
}

/// A merge patch of the clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(default)]
pub struct ClockPatch {
    /// The clocks that differ, and the clocks that were running before the event or are running
    /// after it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<ColorText, u64>>")]
    #[schemars(with = "BTreeMap<ColorText, u64>")]
    pub left_ms: BTreeMap<Color, u64>,
    /// See [`ClockView::running`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub running: Change<Color>,
    /// See [`ClockView::delay_left_ms`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub delay_left_ms: Option<u64>,
    /// See [`ClockView::first_move`].
    #[serde(skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<bool>")]
    #[schemars(with = "Option<bool>")]
    pub first_move: Change<bool>,
}

/// A merge patch of a pause or wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SuspensionPatch {
    /// See [`SuspensionView::kind`].
    pub kind: SuspensionKind,
    /// See [`SuspensionView::color`].
    #[serde(default, skip_serializing_if = "Change::is_unchanged")]
    #[ts(optional = nullable, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub color: Change<Color>,
    /// See [`SuspensionView::left_ms`].
    pub left_ms: u64,
}

impl StatePatch {
    /// Returns the patch that turns `before` into `after`. The patch is valid no matter when the
    /// client received `before`, although clocks have changed since then.
    #[must_use]
    pub fn between(before: &StateView, after: &StateView) -> Self {
        Self {
            phase: (before.phase != after.phase).then_some(after.phase),
            turn: Change::between(before.turn.as_ref(), after.turn.as_ref()),
            active_players: changed_value(&before.active_players, &after.active_players),
            eliminated: changed_value(&before.eliminated, &after.eliminated),
            checks: changed_value(&before.checks, &after.checks),
            facing_mate: Change::between(
                omit_if_empty(&before.facing_mate),
                omit_if_empty(&after.facing_mate),
            ),
            reserves: reserves(&before.reserves, &after.reserves),
            clock: match (&before.clock, &after.clock) {
                (None, None) => Change::Unchanged,
                (Some(before), Some(after)) => Change::Set(ClockPatch::between(before, after)),
                (None, Some(after)) => Change::Set(ClockPatch::full(after)),
                (Some(_), None) => Change::Removed,
            },
            requests: Change::between(omit_if_empty(&before.requests), omit_if_empty(&after.requests)),
            // The right to claim can also end without an event, when the player's time runs out.
            can_claim_draw: (before.can_claim_draw || after.can_claim_draw).then_some(after.can_claim_draw),
            move_left_ms: Change::always_if_present(before.move_left_ms.as_ref(), after.move_left_ms),
            suspension: match (&before.suspension, &after.suspension) {
                (None, None) => Change::Unchanged,
                (_, suspension) => Change::full(suspension.as_ref().map(SuspensionPatch::full)),
            },
            vacations: Change::between(omit_if_empty(&before.vacations), omit_if_empty(&after.vacations)),
            outcome: Change::between(before.outcome.as_ref(), after.outcome.as_ref()),
            stalemated: Change::between(before.stalemated.as_ref(), after.stalemated.as_ref()),
            aborted: Change::between(before.aborted.as_ref(), after.aborted.as_ref()),
            rematch: Change::between(before.rematch.as_ref(), after.rematch.as_ref()),
            closed: Change::between(omit_if_false(before.closed), omit_if_false(after.closed)),
        }
    }

    /// Returns the patch that turns any state of the same match into `after`.
    #[must_use]
    pub fn full(after: &StateView) -> Self {
        let reserve = |color| (color, after.reserves.get(&color).copied());
        Self {
            phase: Some(after.phase),
            turn: Change::full(after.turn),
            active_players: Some(after.active_players.clone()),
            eliminated: Some(after.eliminated.clone()),
            checks: Some(after.checks.clone()),
            facing_mate: Change::full(omit_if_empty(&after.facing_mate).cloned()),
            reserves: match after.reserves.is_empty() {
                true => Change::Removed,
                false => Change::Set(Color::ALL.into_iter().map(reserve).collect()),
            },
            clock: Change::full(after.clock.as_ref().map(ClockPatch::full)),
            requests: Change::full(omit_if_empty(&after.requests).cloned()),
            can_claim_draw: Some(after.can_claim_draw),
            move_left_ms: Change::full(after.move_left_ms),
            suspension: Change::full(after.suspension.as_ref().map(SuspensionPatch::full)),
            vacations: Change::full(omit_if_empty(&after.vacations).cloned()),
            outcome: Change::full(after.outcome.clone()),
            stalemated: Change::full(after.stalemated),
            aborted: Change::full(after.aborted),
            rematch: Change::full(after.rematch.clone()),
            closed: Change::full(omit_if_false(after.closed).copied()),
        }
    }
}

impl StateView {
    /// Applies the patch of an event to the state.
    pub fn merge(&mut self, patch: StatePatch) {
        replace_if_some(&mut self.phase, patch.phase);
        patch.turn.merge_into(&mut self.turn);
        replace_if_some(&mut self.active_players, patch.active_players);
        replace_if_some(&mut self.eliminated, patch.eliminated);
        replace_if_some(&mut self.checks, patch.checks);
        replace_if_some(&mut self.facing_mate, list_after(patch.facing_mate));
        match patch.reserves {
            Change::Unchanged => {}
            Change::Removed => self.reserves.clear(),
            Change::Set(changed) => {
                for (color, reserve) in changed {
                    match reserve {
                        Some(reserve) => self.reserves.insert(color, reserve),
                        None => self.reserves.remove(&color),
                    };
                }
            }
        }
        match patch.clock {
            Change::Unchanged => {}
            Change::Removed => self.clock = None,
            Change::Set(clock) => clock.merge_into(self.clock.get_or_insert_with(ClockView::default)),
        }
        replace_if_some(&mut self.requests, list_after(patch.requests));
        replace_if_some(&mut self.can_claim_draw, patch.can_claim_draw);
        patch.move_left_ms.merge_into(&mut self.move_left_ms);
        match patch.suspension {
            Change::Unchanged => {}
            Change::Removed => self.suspension = None,
            Change::Set(SuspensionPatch { kind, color, left_ms }) => {
                let mut awaited = self.suspension.take().and_then(|suspension| suspension.color);
                color.merge_into(&mut awaited);
                self.suspension = Some(SuspensionView { kind, color: awaited, left_ms });
            }
        }
        replace_if_some(&mut self.vacations, list_after(patch.vacations));
        patch.outcome.merge_into(&mut self.outcome);
        patch.stalemated.merge_into(&mut self.stalemated);
        patch.aborted.merge_into(&mut self.aborted);
        patch.rematch.merge_into(&mut self.rematch);
        replace_if_some(&mut self.closed, flag_after(&patch.closed));
    }
}

impl ClockPatch {
    /// Returns the patch between two states of the clocks. The patch always contains the running
    /// clocks.
    fn between(before: &ClockView, after: &ClockView) -> Self {
        let has_changed = |color: &Color, left_ms: &u64| {
            before.running == Some(*color)
                || after.running == Some(*color)
                || before.left_ms.get(color) != Some(left_ms)
        };
        let changed_clocks = after.left_ms.iter().filter(|(color, left_ms)| has_changed(color, left_ms));
        Self {
            left_ms: changed_clocks.map(|(&color, &left_ms)| (color, left_ms)).collect(),
            running: Change::between(before.running.as_ref(), after.running.as_ref()),
            delay_left_ms: (before.running.is_some()
                || before.delay_left_ms != after.delay_left_ms
                || after.running.is_some())
            .then_some(after.delay_left_ms),
            first_move: Change::between(omit_if_false(before.first_move), omit_if_false(after.first_move)),
        }
    }

    fn full(after: &ClockView) -> Self {
        Self {
            left_ms: after.left_ms.clone(),
            running: Change::full(after.running),
            delay_left_ms: Some(after.delay_left_ms),
            first_move: Change::full(omit_if_false(after.first_move).copied()),
        }
    }

    fn merge_into(self, clock: &mut ClockView) {
        clock.left_ms.extend(self.left_ms);
        self.running.merge_into(&mut clock.running);
        replace_if_some(&mut clock.delay_left_ms, self.delay_left_ms);
        replace_if_some(&mut clock.first_move, flag_after(&self.first_move));
    }
}

impl SuspensionPatch {
    fn full(after: &SuspensionView) -> Self {
        Self { kind: after.kind, color: Change::full(after.color), left_ms: after.left_ms }
    }
}

fn replace_if_some<T>(member: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *member = value;
    }
}

fn changed_value<T: Clone + PartialEq>(before: &T, after: &T) -> Option<T> {
    (before != after).then(|| after.clone())
}

/// Returns the change of the reserves. A state without reserves does not have the member
/// `reserves`.
fn reserves(
    before: &BTreeMap<Color, ReserveView>,
    after: &BTreeMap<Color, ReserveView>,
) -> Change<BTreeMap<Color, Option<ReserveView>>> {
    if before == after {
        return Change::Unchanged;
    }
    if after.is_empty() {
        return Change::Removed;
    }
    let colors = Color::ALL.into_iter().filter(|color| before.get(color) != after.get(color));
    Change::Set(colors.map(|color| (color, after.get(&color).copied())).collect())
}

/// Returns the list as it is serialized: an empty list is absent.
fn omit_if_empty<T>(list: &Vec<T>) -> Option<&Vec<T>> {
    (!list.is_empty()).then_some(list)
}

fn list_after<T>(change: Change<Vec<T>>) -> Option<Vec<T>> {
    match change {
        Change::Unchanged => None,
        Change::Removed => Some(Vec::new()),
        Change::Set(list) => Some(list),
    }
}

/// Returns the flag as it is serialized: a flag that is false is absent.
fn omit_if_false(value: bool) -> Option<&'static bool> {
    value.then_some(&true)
}

fn flag_after(change: &Change<bool>) -> Option<bool> {
    match change {
        Change::Unchanged => None,
        Change::Removed => Some(false),
        Change::Set(value) => Some(*value),
    }
}
