//! The transposition table: results of searches by position. The table outlives a search.
//!
//! Threads share the table without locks. An entry is two words: the data, and the key XOR the
//! data. If two threads write an entry at the same time, the words do not match and the entry fits
//! no key (Hyatt and Mann, "A lockless transposition-table implementation for parallel search",
//! 2002).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use quadrex_rules::Role;
use quadrex_rules::movegen::{InternalMove, MoveKind};

/// A move in 19 bits, which distinguish the legal moves of a position. Zero stands for no move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MoveKey(u32);

impl MoveKey {
    pub(crate) const NONE: Self = Self(0);
    const BITS: u32 = 19;
}

impl From<InternalMove> for MoveKey {
    fn from(mv: InternalMove) -> Self {
        let promotion = match mv.kind {
            MoveKind::Promotion(Role::Queen) => 1,
            MoveKind::Promotion(Role::Rook) => 2,
            MoveKind::Promotion(Role::Bishop) => 3,
            MoveKind::Promotion(_) => 4,
            _ => 0,
        };
        Self(u32::from(mv.from) | u32::from(mv.to) << 8 | promotion << 16)
    }
}

/// The relation of a score to the exact score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The exact score is at most this score.
    Upper,
    /// The exact score is at least this score.
    Lower,
    /// The score is exact.
    Exact,
}

/// The result of a search from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The best move, if one was found.
    pub(crate) mv: MoveKey,
    /// The score, in the range of `i16`.
    pub(crate) score: i32,
    /// The depth of the search in plies, 0 to 255.
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

/// The number of slots for one key. These slots fill one cache line.
const BUCKET_SLOTS: usize = 4;
/// The number of generations. After the last one the numbers begin again.
const GENERATION_COUNT: u64 = 64;

#[derive(Debug)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// A table of fixed size.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    slots: Box<[Slot]>,
    generation: u64,
}

impl TranspositionTable {
    /// Creates a table of this size in MiB, at least 1.
    pub(crate) fn new(mib: usize) -> Self {
        let buckets = mib.max(1) * (1 << 20) / (BUCKET_SLOTS * size_of::<Slot>());
        let slot = || Slot { check: AtomicU64::new(0), data: AtomicU64::new(0) };
        Self { slots: (0..buckets * BUCKET_SLOTS).map(|_| slot()).collect(), generation: 0 }
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        for slot in &mut self.slots {
            *slot.check.get_mut() = 0;
            *slot.data.get_mut() = 0;
        }
        self.generation = 0;
    }

    /// Starts a new generation: entries of earlier searches are replaced first.
    pub(crate) fn start_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATION_COUNT;
    }

    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.check.load(Relaxed) ^ data == key && data != 0).then(|| unpack(data))
        })
    }

    /// Stores an entry in place of an entry with the same key. If there is no such entry, the new
    /// entry replaces the least valuable entry of the bucket by depth and age.
    pub(crate) fn put(&self, key: u64, entry: Entry) {
        let mut entry = entry;
        let mut chosen_slot = None;
        let mut lowest = i64::MAX;
        for slot in self.bucket(key) {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key && data != 0 {
                let before = unpack(data);
                if entry.mv == MoveKey::NONE {
                    entry.mv = before.mv;
                }
                let is_fresh = data >> 45 & (GENERATION_COUNT - 1) == self.generation;
                if is_fresh && entry.bound != Bound::Exact && before.depth > entry.depth + 3 {
                    return;
                }
                chosen_slot = Some(slot);
                break;
            }
            let age = (GENERATION_COUNT + self.generation - (data >> 45 & (GENERATION_COUNT - 1)))
                % GENERATION_COUNT;
            let value = if data == 0 { i64::MIN } else { i64::from(unpack(data).depth) - 8 * age as i64 };
            if value < lowest {
                (lowest, chosen_slot) = (value, Some(slot));
            }
        }
        if let Some(slot) = chosen_slot {
            let data = self.pack(entry);
            slot.check.store(key ^ data, Relaxed);
            slot.data.store(data, Relaxed);
        }
    }

    /// Returns the share of slots that this generation has filled, per mille. It is estimated from
    /// the first thousand slots.
    pub(crate) fn fill_per_mille(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1_000)];
        let used = |slot: &&Slot| {
            let data = slot.data.load(Relaxed);
            data != 0 && data >> 45 & (GENERATION_COUNT - 1) == self.generation
        };
        let used = sample.iter().filter(used).count();
        (used * 1_000 / sample.len().max(1)) as u32
    }

    fn bucket(&self, key: u64) -> &[Slot] {
        let buckets = self.slots.len() / BUCKET_SLOTS;
        let index = ((u128::from(key) * buckets as u128) >> 64) as usize;
        &self.slots[index * BUCKET_SLOTS..][..BUCKET_SLOTS]
    }

    /// Packs an entry: move 19 bits, score 16, depth 8, bound 2, generation 6. The highest bit
    /// marks a used slot.
    fn pack(&self, entry: Entry) -> u64 {
        let score = u64::from(entry.score as i16 as u16);
        let depth = entry.depth.clamp(0, 255) as u64;
        u64::from(entry.mv.0)
            | score << 19
            | depth << 35
            | (entry.bound as u64) << 43
            | self.generation << 45
            | 1 << 63
    }
}

fn unpack(data: u64) -> Entry {
    let bound = match data >> 43 & 3 {
        0 => Bound::Upper,
        1 => Bound::Lower,
        _ => Bound::Exact,
    };
    Entry {
        mv: MoveKey((data & ((1 << MoveKey::BITS) - 1)) as u32),
        score: i32::from((data >> 19) as u16 as i16),
        depth: (data >> 35 & 0xff) as i32,
        bound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: i32, depth: i32) -> Entry {
        Entry { mv: MoveKey(0x4_1234), score, depth, bound: Bound::Lower }
    }

    #[test]
    fn an_entry_is_found_by_its_key_only() {
        let table = TranspositionTable::new(1);
        for (key, score) in [(1, -31_000), (u64::MAX, 31_000), (1 << 40, 0)] {
            table.put(key, entry(score, 17));
            assert_eq!(table.get(key), Some(entry(score, 17)));
            assert_eq!(table.get(key ^ 2), None);
        }
    }

    #[test]
    fn shallow_and_old_entries_are_replaced_first() {
        let mut table = TranspositionTable::new(1);
        for low in 1..=4 {
            table.put(low, entry(0, 10 + low as i32));
        }
        table.put(5, entry(0, 1));
        assert_eq!(table.get(1), None, "the shallowest is replaced");
        assert!(table.get(2).is_some() && table.get(5).is_some());
        table.start_generation();
        table.start_generation();
        table.put(6, entry(0, 1));
        table.put(7, entry(0, 1));
        assert!(table.get(5).is_none() && table.get(2).is_none() && table.get(6).is_some());
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_move_known_before() {
        let table = TranspositionTable::new(1);
        table.put(9, entry(5, 3));
        table.put(9, Entry { mv: MoveKey::NONE, ..entry(6, 4) });
        assert_eq!(table.get(9), Some(entry(6, 4)));
    }
}
