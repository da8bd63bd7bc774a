//! A C interface to the rules for programs without the Rust standard library. `main.c` shows its
//! use.
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

/// The personality function of unwinding, which the prebuilt `core` and `alloc` name. A panic ends
/// this program, so the function is never called.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() -> ! {
    // SAFETY: C's `abort` may be called at any time.
    unsafe { abort() }
}

/// The allocator of the C program that links this library.
struct Memory;

// SAFETY: C11's `aligned_alloc` returns null, or memory that is valid until `free`, and it does not
// unwind. Rust's alignments are powers of two. They are raised to at least a pointer's alignment,
// and sizes are rounded up to multiples of them, as POSIX and C11 require.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Ok(layout) = layout.align_to(align_of::<*mut c_void>()) else {
            return core::ptr::null_mut();
        };
        let layout = layout.pad_to_align();
        // SAFETY: as in `alloc`.
        unsafe { aligned_alloc(layout.align(), layout.size()).cast() }
    }

    unsafe fn dealloc(&self, memory: *mut u8, _: Layout) {
        // SAFETY: the caller passes memory from `alloc`, and passes it once.
        unsafe { free(memory.cast()) }
    }
}

#[global_allocator]
static MEMORY: Memory = Memory;

/// Parses a position and returns the number of its legal move sequences of `depth` moves. Returns
/// -1 if `variant` is unknown, and -2 if `setup` is not the FEN (`classic`) or FEN4 of a position.
///
/// # Safety
/// Both pointers must point to text that ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrex_perft(variant: *const c_char, setup: *const c_char, depth: u32) -> i64 {
    // SAFETY: the caller guarantees it.
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
