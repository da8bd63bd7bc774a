//! The command line.

use crate::engine::Arguments;

#[test]
fn the_command_line_is_consistent() {
    use clap::CommandFactory;
    Arguments::command().debug_assert();
}
