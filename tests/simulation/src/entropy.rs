//! The random numbers that the standard library and other crates draw from the operating system.
//!
//! The order of a `HashMap` and the choices of `tokio::select!` depend on random numbers from the
//! function `getrandom` of the C library. The standard library calls it by a weak symbol, so that a
//! program can define its own one. Here a thread that runs a simulation gets the numbers of its
//! seed, and all other threads those of the operating system.

use std::cell::Cell;

use quadrex_runtime::simulation::split_mix;

thread_local! {
    /// The state of the generator, if this thread runs a simulation.
    static STATE: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Lets this thread draw the numbers of a seed from now on.
///
/// The standard library draws the keys of hash maps once in each thread. A simulation therefore
/// needs a thread that has not used a hash map yet.
pub(crate) fn seed_this_thread(seed: u64) {
    STATE.set(Some(seed));
}

/// Fills bytes with the numbers of this thread's seed. Returns false if the thread has no seed.
fn fill_seeded(bytes: &mut [u8]) -> bool {
    let Ok(Some(mut state)) = STATE.try_with(Cell::get) else { return false };
    for chunk in bytes.chunks_mut(8) {
        let number;
        (state, number) = split_mix(state);
        chunk.copy_from_slice(&number.to_ne_bytes()[..chunk.len()]);
    }
    STATE.set(Some(state));
    true
}

/// Replaces the function of the C library (getrandom(2)). Returns the number of bytes, or -1.
#[expect(unsafe_code, reason = "a function of the C library can be replaced only in this way")]
#[unsafe(no_mangle)]
extern "C" fn getrandom(buffer: *mut u8, length: usize, flags: u32) -> isize {
    if buffer.is_null() || length == 0 {
        return 0;
    }
    // SAFETY: by the contract of getrandom(2), the caller owns `length` bytes at `buffer`. They are
    // written before they are read.
    let bytes = unsafe {
        std::ptr::write_bytes(buffer, 0, length);
        std::slice::from_raw_parts_mut(buffer, length)
    };
    if fill_seeded(bytes) {
        return length.cast_signed();
    }
    let flags = rustix::rand::GetRandomFlags::from_bits_retain(flags);
    match rustix::rand::getrandom(bytes, flags) {
        Ok(filled) => filled.cast_signed(),
        Err(_) => -1,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Returns the order of a hash set in a new thread.
    fn order(seed: Option<u64>) -> Vec<u32> {
        let run = move || {
            if let Some(seed) = seed {
                seed_this_thread(seed);
            }
            (0..100).collect::<HashSet<u32>>().into_iter().collect::<Vec<u32>>()
        };
        std::thread::spawn(run).join().unwrap()
    }

    #[test]
    fn the_seed_determines_the_order_of_a_hash_set() {
        assert_eq!(order(Some(7)), order(Some(7)));
        assert_ne!(order(Some(7)), order(Some(8)));
        assert_ne!(order(None), order(None), "other threads draw from the operating system");
    }
}
