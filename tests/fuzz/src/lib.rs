//! Properties that hold for every input, shared by the fuzz targets.
//!
//! Each check takes any bytes. Input that is refused ends it; input that is accepted must keep the promises of the
//! library that took it, or the check panics, which the fuzzing engine reports with the input.

pub mod frames;
pub mod games;
pub mod positions;
pub mod sessions;
