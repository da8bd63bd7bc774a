//! Patches: the change of a table's state by one event, as a JSON merge patch (RFC 7396) of the
//! state before.

use std::collections::BTreeMap;
use std::fmt::Debug;

use quadrex_rules::{AbortCause, Color};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use ts_rs::TS;

use crate::view::{
    ClockView, EliminatedView, OutcomeView, Phase, RematchView, RequestView, ReserveView, StateView,
    SuspensionKind, SuspensionView,
};
use crate::vocabulary::{AbortCauseText, ColorText};

/// The change of an optional member of the state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// Unchanged; absent from the patch.
    #[default]
    Same,
    /// Removed; `null` in the patch.
    Removed,
    /// Set to this value.
    To(T),
}

impl<T> Change<T> {
    fn is_same(&self) -> bool {
        matches!(self, Self::Same)
    }

    /// Returns the change that sets the member to `after`, or removes it.
    fn whole(after: Option<T>) -> Self {
        after.map_or(Self::Removed, Self::To)
    }

    fn merge_into(self, member: &mut Option<T>) {
        match self {
            Self::Same => {}
            Self::Removed => *member = None,
            Self::To(value) => *member = Some(value),
        }
    }
}

impl<T: Clone + PartialEq> Change<T> {
    fn between(before: Option<&T>, after: Option<&T>) -> Self {
        if before == after { Self::Same } else { Self::whole(after.cloned()) }
    }

    /// Returns the change of a member that also changes with time: part of the patch whenever the
    /// state has the member.
    fn timed(before: Option<&T>, after: Option<T>) -> Self {
        if before.is_none() && after.is_none() { Self::Same } else { Self::whole(after) }
    }
}

impl<T: Serialize> Serialize for Change<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::To(value) => value.serialize(serializer),
            Self::Same | Self::Removed => serializer.serialize_none(),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Change<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self::whole)
    }
}

/// A merge patch (RFC 7396) of a state: absent members stay unchanged, and `null` removes one.
/// Values that change with time (the running clock, limits) are in every patch, as of the moment of
/// the frame.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(default)]
pub struct StatePatch {
    /// See [`StateView::phase`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub phase: Option<Phase>,
    /// See [`StateView::turn`].
    #[serde(skip_serializing_if = "Change::is_same")]
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
    /// See [`StateView::reserves`]; `null` for an eliminated player.
    #[serde(skip_serializing_if = "Change::is_same")]
    #[ts(optional = nullable, as = "Option<BTreeMap<ColorText, Option<ReserveView>>>")]
    #[schemars(with = "Option<BTreeMap<ColorText, Option<ReserveView>>>")]
    pub reserves: Change<BTreeMap<Color, Option<ReserveView>>>,
    /// See [`StateView::clock`].
    #[serde(skip_serializing_if = "Change::is_same")]
    #[ts(optional = nullable, as = "Option<ClockPatch>")]
    #[schemars(with = "Option<ClockPatch>")]
    pub clock: Change<ClockPatch>,
    /// See [`StateView::requests`].
    #[serde(skip_serializing_if = "Change::is_same")]
    #[ts(optional = nullable, as = "Option<Vec<RequestView>>")]
    #[schemars(with = "Option<Vec<RequestView>>")]
    pub requests: Change<Vec<RequestView>>,
    /// See [`StateView::can_claim_draw`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub can_claim_draw: Option<bool>,
    /// See [`StateView::move_left_ms`].
    #[serde(skip_serializing_if = "Change::is_same")]
    #[ts(optional = nullable, as = "Option<u64>")]
    #[schemars(with = "Option<u64>")]
    pub move_left_ms: Change<u64>,
    /// See [`StateView::suspension`].
    #[serde(skip_serializing_if = "Change::is_same")]
    #[ts(optional = nullable, as = "Option<SuspensionPatch>")]
    #[schemars(with = "Option<SuspensionPatch>")]
    pub suspension: Change<SuspensionPatch>,
    /// See [`StateView::outcome`].
    #[serde(skip_serializing_if = "Change::is_same")]
    #[ts(optional = nullable, as = "Option<OutcomeView>")]
    #[schemars(with = "Option<OutcomeView>")]
    pub outcome: Change<OutcomeView>,
    /// See [`StateView::aborted`].
    #[serde(skip_serializing_if = "Change::is_same")]
    #[ts(optional = nullable, as = "Option<AbortCauseText>")]
    #[schemars(with = "Option<AbortCauseText>")]
    pub aborted: Change<AbortCause>,
    /// See [`StateView::rematch`].
    #[serde(skip_serializing_if = "Change::is_same")]
    #[ts(optional = nullable, as = "Option<RematchView>")]
    #[schemars(with = "Option<RematchView>")]
    pub rematch: Change<RematchView>,
    /// See [`StateView::closed`].
    #[serde(skip_serializing_if = "Change::is_same")]
    #[ts(optional = nullable, as = "Option<bool>")]
    #[schemars(with = "Option<bool>")]
    pub closed: Change<bool>,
}

/// A merge patch of the clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(default)]
pub struct ClockPatch {
    /// The clocks that differ, and those that ran before or run now.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<ColorText, u64>>")]
    #[schemars(with = "BTreeMap<ColorText, u64>")]
    pub left_ms: BTreeMap<Color, u64>,
    /// See [`ClockView::running`].
    #[serde(skip_serializing_if = "Change::is_same")]
    #[ts(optional = nullable, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub running: Change<Color>,
    /// See [`ClockView::delay_left_ms`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub delay_left_ms: Option<u64>,
    /// See [`ClockView::first_move`].
    #[serde(skip_serializing_if = "Change::is_same")]
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
    #[serde(default, skip_serializing_if = "Change::is_same")]
    #[ts(optional = nullable, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub color: Change<Color>,
    /// See [`SuspensionView::left_ms`].
    pub left_ms: u64,
}

impl StatePatch {
    /// Returns the patch that turns `before` into `after`, no matter when `before` was sent.
    #[must_use]
    pub fn between(before: &StateView, after: &StateView) -> Self {
        Self {
            phase: (before.phase != after.phase).then_some(after.phase),
            turn: Change::between(before.turn.as_ref(), after.turn.as_ref()),
            active_players: differing(&before.active_players, &after.active_players),
            eliminated: differing(&before.eliminated, &after.eliminated),
            checks: differing(&before.checks, &after.checks),
            reserves: reserves(&before.reserves, &after.reserves),
            clock: match (&before.clock, &after.clock) {
                (None, None) => Change::Same,
                (Some(before), Some(after)) => Change::To(ClockPatch::between(before, after)),
                (None, Some(after)) => Change::To(ClockPatch::whole(after)),
                (Some(_), None) => Change::Removed,
            },
            requests: Change::between(listed(&before.requests), listed(&after.requests)),
            // A flag fall ends the claim before any event reports it.
            can_claim_draw: (before.can_claim_draw || after.can_claim_draw).then_some(after.can_claim_draw),
            move_left_ms: Change::timed(before.move_left_ms.as_ref(), after.move_left_ms),
            suspension: match (&before.suspension, &after.suspension) {
                (None, None) => Change::Same,
                (_, suspension) => Change::whole(suspension.as_ref().map(SuspensionPatch::whole)),
            },
            outcome: Change::between(before.outcome.as_ref(), after.outcome.as_ref()),
            aborted: Change::between(before.aborted.as_ref(), after.aborted.as_ref()),
            rematch: Change::between(before.rematch.as_ref(), after.rematch.as_ref()),
            closed: Change::between(flag(before.closed), flag(after.closed)),
        }
    }

    /// Returns the patch that turns any state of the same match into `after`.
    #[must_use]
    pub fn whole(after: &StateView) -> Self {
        let reserve = |color| (color, after.reserves.get(&color).copied());
        Self {
            phase: Some(after.phase),
            turn: Change::whole(after.turn),
            active_players: Some(after.active_players.clone()),
            eliminated: Some(after.eliminated.clone()),
            checks: Some(after.checks.clone()),
            reserves: match after.reserves.is_empty() {
                true => Change::Removed,
                false => Change::To(Color::ALL.into_iter().map(reserve).collect()),
            },
            clock: Change::whole(after.clock.as_ref().map(ClockPatch::whole)),
            requests: Change::whole(listed(&after.requests).cloned()),
            can_claim_draw: Some(after.can_claim_draw),
            move_left_ms: Change::whole(after.move_left_ms),
            suspension: Change::whole(after.suspension.as_ref().map(SuspensionPatch::whole)),
            outcome: Change::whole(after.outcome.clone()),
            aborted: Change::whole(after.aborted),
            rematch: Change::whole(after.rematch.clone()),
            closed: Change::whole(flag(after.closed).copied()),
        }
    }
}

impl StateView {
    /// Applies the patch of an event.
    pub fn merge(&mut self, patch: StatePatch) {
        set(&mut self.phase, patch.phase);
        patch.turn.merge_into(&mut self.turn);
        set(&mut self.active_players, patch.active_players);
        set(&mut self.eliminated, patch.eliminated);
        set(&mut self.checks, patch.checks);
        match patch.reserves {
            Change::Same => {}
            Change::Removed => self.reserves.clear(),
            Change::To(changed) => {
                for (color, reserve) in changed {
                    match reserve {
                        Some(reserve) => self.reserves.insert(color, reserve),
                        None => self.reserves.remove(&color),
                    };
                }
            }
        }
        match patch.clock {
            Change::Same => {}
            Change::Removed => self.clock = None,
            Change::To(clock) => clock.merge_into(self.clock.get_or_insert_with(ClockView::default)),
        }
        set(&mut self.requests, listed_after(patch.requests));
        set(&mut self.can_claim_draw, patch.can_claim_draw);
        patch.move_left_ms.merge_into(&mut self.move_left_ms);
        match patch.suspension {
            Change::Same => {}
            Change::Removed => self.suspension = None,
            Change::To(SuspensionPatch { kind, color, left_ms }) => {
                let mut awaited = self.suspension.take().and_then(|suspension| suspension.color);
                color.merge_into(&mut awaited);
                self.suspension = Some(SuspensionView { kind, color: awaited, left_ms });
            }
        }
        patch.outcome.merge_into(&mut self.outcome);
        patch.aborted.merge_into(&mut self.aborted);
        patch.rematch.merge_into(&mut self.rematch);
        set(&mut self.closed, flag_after(&patch.closed));
    }
}

impl ClockPatch {
    /// Returns the patch between two states of the clocks. Running clocks always differ.
    fn between(before: &ClockView, after: &ClockView) -> Self {
        let is_included = |color: &Color, left_ms: &u64| {
            before.running == Some(*color)
                || after.running == Some(*color)
                || before.left_ms.get(color) != Some(left_ms)
        };
        let included = after.left_ms.iter().filter(|(color, left_ms)| is_included(color, left_ms));
        Self {
            left_ms: included.map(|(&color, &left_ms)| (color, left_ms)).collect(),
            running: Change::between(before.running.as_ref(), after.running.as_ref()),
            delay_left_ms: (before.running.is_some()
                || before.delay_left_ms != after.delay_left_ms
                || after.running.is_some())
            .then_some(after.delay_left_ms),
            first_move: Change::between(flag(before.first_move), flag(after.first_move)),
        }
    }

    fn whole(after: &ClockView) -> Self {
        Self {
            left_ms: after.left_ms.clone(),
            running: Change::whole(after.running),
            delay_left_ms: Some(after.delay_left_ms),
            first_move: Change::whole(flag(after.first_move).copied()),
        }
    }

    fn merge_into(self, clock: &mut ClockView) {
        clock.left_ms.extend(self.left_ms);
        self.running.merge_into(&mut clock.running);
        set(&mut clock.delay_left_ms, self.delay_left_ms);
        set(&mut clock.first_move, flag_after(&self.first_move));
    }
}

impl SuspensionPatch {
    fn whole(after: &SuspensionView) -> Self {
        Self { kind: after.kind, color: Change::whole(after.color), left_ms: after.left_ms }
    }
}

fn set<T>(member: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *member = value;
    }
}

fn differing<T: Clone + PartialEq>(before: &T, after: &T) -> Option<T> {
    (before != after).then(|| after.clone())
}

/// Returns the reserves that differ; a state without reserves lacks the member.
fn reserves(
    before: &BTreeMap<Color, ReserveView>,
    after: &BTreeMap<Color, ReserveView>,
) -> Change<BTreeMap<Color, Option<ReserveView>>> {
    if before == after {
        return Change::Same;
    }
    if after.is_empty() {
        return Change::Removed;
    }
    let colors = Color::ALL.into_iter().filter(|color| before.get(color) != after.get(color));
    Change::To(colors.map(|color| (color, after.get(&color).copied())).collect())
}

/// Returns the list as on the wire: absent if empty.
fn listed<T>(list: &Vec<T>) -> Option<&Vec<T>> {
    (!list.is_empty()).then_some(list)
}

fn listed_after<T>(change: Change<Vec<T>>) -> Option<Vec<T>> {
    match change {
        Change::Same => None,
        Change::Removed => Some(Vec::new()),
        Change::To(list) => Some(list),
    }
}

/// Returns the flag as on the wire: absent if false.
fn flag(value: bool) -> Option<&'static bool> {
    value.then_some(&true)
}

fn flag_after(change: &Change<bool>) -> Option<bool> {
    match change {
        Change::Same => None,
        Change::Removed => Some(false),
        Change::To(value) => Some(*value),
    }
}
