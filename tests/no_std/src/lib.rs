//! The rules for a program that has no Rust standard library. See `main.c` for how it is used.
#![no_std]

use core::alloc::{GlobalAlloc, Layout};
use core::ffi::{CStr, c_char, c_void};
use core::panic::PanicInfo;

use quadrex_rules::{AnyPosition, Setup, Variant};

unsafe extern "C" {
    fn abort() -> !;
    fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: C's `abort` may be called at any time.
    unsafe { abort() }
}

/// Rust's `core` and `alloc` come built for unwinding and name the function that would take part in it. Here a panic
/// ends the program, so nothing ever calls this.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() -> ! {
    // SAFETY: C's `abort` may be called at any time.
    unsafe { abort() }
}

/// The memory of the C program that this is linked into.
struct Memory;

// SAFETY: C11's `aligned_alloc` gives null or memory of its own, which stays until `free` and does not unwind. Rust's
// alignments are powers of two; they are made at least a pointer's, and sizes multiples of them, as POSIX and C11 ask.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Ok(layout) = layout.align_to(align_of::<*mut c_void>()) else {
            return core::ptr::null_mut();
        };
        let layout = layout.pad_to_align();
        // SAFETY: see above.
        unsafe { aligned_alloc(layout.align(), layout.size()).cast() }
    }

    unsafe fn dealloc(&self, memory: *mut u8, _: Layout) {
        // SAFETY: the caller gives back what `alloc` gave it, once.
        unsafe { free(memory.cast()) }
    }
}

#[global_allocator]
static MEMORY: Memory = Memory;

/// Reads a position and counts its legal move sequences of `depth` moves. Returns -1 when `variant` names none, -2 when
/// `setup` is no FEN (`classic`) or FEN4 of a position.
///
/// # Safety
/// Both are texts that end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrex_perft(variant: *const c_char, setup: *const c_char, depth: u32) -> i64 {
    // SAFETY: as the caller promises.
    let (variant, setup) = unsafe { (CStr::from_ptr(variant), CStr::from_ptr(setup)) };
    let Some(variant) = variant.to_str().ok().and_then(|name| name.parse::<Variant>().ok()) else {
        return -1;
    };
    let Some(position) = setup.to_str().ok().and_then(|text| position(variant, text)) else {
        return -2;
    };
    position.perft(depth).cast_signed()
}

fn position(variant: Variant, text: &str) -> Option<AnyPosition> {
    AnyPosition::new(&Setup::parse(variant, text).ok()?).ok()
}
