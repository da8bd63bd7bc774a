//! Properties of every input, shared by the fuzz targets.
//!
//! Each check accepts any bytes. It ends if the library refuses the input. If the library accepts
//! it, a broken promise of the library is a panic, which the fuzzing engine reports with the input.

pub mod frames;
pub mod games;
pub mod positions;
pub mod sessions;
