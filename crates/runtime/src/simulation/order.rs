//! The order of the tasks that are ready.

use std::cell::Cell;

/// The largest number of times that a woken task lets others pass.
const MAX_TURNS: u32 = 6;

thread_local! {
    /// The state of the generator, if this thread runs a simulation.
    static STATE: Cell<Option<u64>> = const { Cell::new(None) };
    /// The next unique number of this thread's simulation.
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

/// Begins a simulation in this thread. The seed determines the order of tasks.
pub fn activate(seed: u64) {
    STATE.set(Some(seed));
    NUMBER.set(0);
}

/// Returns whether this thread runs a simulation.
#[must_use]
pub fn is_active() -> bool {
    STATE.get().is_some()
}

/// Returns a number that is unique in this thread's simulation; `None` without a simulation.
pub(crate) fn next_number() -> Option<u64> {
    is_active().then(|| NUMBER.replace(NUMBER.get() + 1))
}

/// Returns the number of times that a task which has just been woken lets all others pass. Each
/// number is half as likely as the number before.
pub(super) fn draw_turns() -> u32 {
    let Some(state) = STATE.get() else { return 0 };
    let (state, number) = split_mix(state);
    STATE.set(Some(state));
    number.trailing_zeros().min(MAX_TURNS)
}

/// Returns the next state and the next number of SplitMix64 (Steele, Lea and Flood 2014).
#[must_use]
pub fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, mixed ^ (mixed >> 31))
}
