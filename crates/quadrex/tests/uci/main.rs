//! Conversations with `quadrex uci`.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod python_chess;
mod search;

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;

use quadrex_rules::Variant;

/// Returns everything that the program answers to these bytes until its input ends. It must
/// succeed.
fn answers_to_bytes(input: Vec<u8>) -> Vec<String> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_quadrex"))
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = program.stdin.take().unwrap();
    // After `quit` the program does not read the rest.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let mut output = String::new();
    program.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    writer.join().unwrap();
    let end = program.wait_with_output().unwrap();
    assert!(end.status.success(), "{}", String::from_utf8_lossy(&end.stderr));
    assert_eq!(String::from_utf8_lossy(&end.stderr), "");
    output.lines().map(str::to_owned).collect()
}

/// Returns everything that the program answers to these lines.
fn answers(lines: &[&str]) -> Vec<String> {
    answers_to_bytes((lines.join("\n") + "\n").into_bytes())
}

/// Returns the output of `d` after these lines, of the form `Key: value`. There must be no errors.
fn described(lines: &[&str]) -> Vec<String> {
    let mut all = lines.to_vec();
    all.push("d");
    let answers = answers(&all);
    assert!(!answers.iter().any(|line| line.starts_with("info")), "{answers:?}");
    answers.into_iter().filter(|line| line.contains(": ")).collect()
}

/// Asserts the output of `d` after these lines.
fn assert_described(lines: &[&str], expected: [&str; 10]) {
    const KEYS: [&str; 10] =
        ["Fen", "Turn", "In", "Out", "Check", "Reserve", "Clock", "Repeat", "Result", "Reason"];
    let expected: Vec<String> =
        KEYS.iter().zip(expected).map(|(key, value)| format!("{key}: {value}")).collect();
    assert_eq!(described(lines), expected, "after {lines:?}");
}

const DILKEL: &str = "setoption name UCI_Variant value dilkel";
const COMPACT: &str = "setoption name UCI_Variant value dilkel-compact";

const DILKEL_START: &str = "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-3,yR,yN,yB,yQ,yK,yB,yN,yR,3/3,yP,yP,yP,yP,yP,yP,yP,yP,3/14/\
    bR,bP,10,gP,gR/bN,bP,10,gP,gN/bB,bP,10,gP,gB/bK,bP,10,gP,gQ/bQ,bP,10,gP,gK/bB,bP,10,gP,gB/bN,bP,10,gP,gN/bR,bP,10,gP,gR/\
    14/3,rP,rP,rP,rP,rP,rP,rP,rP,3/3,rR,rN,rB,rK,rQ,rB,rN,rR,3";

#[test]
fn the_engine_answers_uci_with_its_name_and_options() {
    let variants: String = Variant::ALL.iter().map(|variant| format!(" var {variant}")).collect();
    let answers = answers(&["uci", "isready"]);
    assert_eq!(answers[0], format!("id name Quadrex {}", env!("CARGO_PKG_VERSION")));
    assert!(answers[1].starts_with("id author "));
    assert_eq!(
        answers[2..],
        [
            &*format!("option name UCI_Variant type combo default classic{variants}"),
            &*format!("option name UCI_Variant type combo default classic{variants} var chess"),
            "option name Draws type combo default claim var claim var automatic",
            "option name Hash type spin default 16 min 1 max 4096",
            "option name Clear Hash type button",
            "option name Threads type spin default 1 min 1 max 64",
            "option name MultiPV type spin default 1 min 1 max 256",
            "option name Ponder type check default false",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name Skill Level type spin default 8 min 1 max 8",
            "option name UCI_LimitStrength type check default false",
            "option name UCI_Elo type spin default 2190 min 480 max 2190",
            "uciok",
            "readyok",
        ]
    );
}

#[test]
fn quit_and_the_end_of_input_end_the_program() {
    assert_eq!(answers(&["quit", "isready"]), [""; 0]);
    assert_eq!(answers_to_bytes(Vec::new()), [""; 0]);
    assert_eq!(answers_to_bytes(b"isready".to_vec()), ["readyok"]);
    assert_eq!(answers_to_bytes(b"  isready \r\n\r\nisready\r\n".to_vec()), ["readyok"; 2]);
}

#[test]
fn classic_is_described() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let unmoved = [start, "white", "white black", "-", "-", "-", "0", "1", "*", "-"];
    assert_described(&[], unmoved);
    assert_described(&["position startpos"], unmoved);
    assert_described(&["position startpos moves"], unmoved);
    assert_described(
        &["position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5"],
        [
            "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
            "black",
            "white black",
            "-",
            "-",
            "-",
            "3",
            "1",
            "*",
            "-",
        ],
    );
    assert_described(
        &["position startpos moves f2f3 e7e5 g2g4 d8h4"],
        [
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "-",
            "white black",
            "-",
            "white",
            "-",
            "1",
            "1",
            "0-1",
            "mate",
        ],
    );
    assert_described(
        &["position startpos moves g1f3 g8f6 f3g1 f6g8"],
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3",
            "white",
            "white black",
            "-",
            "-",
            "-",
            "4",
            "2",
            "*",
            "-",
        ],
    );
    assert_described(
        &["position startpos moves e2e4 white-resigns"],
        [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "-",
            "black",
            "white=resign",
            "-",
            "-",
            "0",
            "1",
            "0-1",
            "resign",
        ],
    );
    assert_described(
        &["position startpos moves e2e4 black-flags"],
        [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "-",
            "white",
            "black=time",
            "-",
            "-",
            "0",
            "1",
            "1-0",
            "time",
        ],
    );
    assert_described(
        &["position startpos moves draw-agreed"],
        [start, "-", "white black", "-", "-", "-", "0", "1", "1/2-1/2", "agreement"],
    );
    // C6: a bare king cannot win on time, and no player is eliminated.
    assert_described(
        &["position fen 4k3/8/8/8/8/8/8/Q3K3 w - - 0 1 moves white-flags"],
        ["4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "-", "white black", "-", "-", "-", "0", "1", "1/2-1/2", "time"],
    );
    // S1: a position that is over when it is loaded.
    assert_described(
        &["position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"],
        [
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "-",
            "white black",
            "-",
            "-",
            "-",
            "0",
            "1",
            "1/2-1/2",
            "stalemate",
        ],
    );
    assert_described(
        &["position fen 4k3/8/8/8/8/8/8/4K3 w - - 7 30"],
        [
            "4k3/8/8/8/8/8/8/4K3 w - - 7 30",
            "-",
            "white black",
            "-",
            "-",
            "-",
            "7",
            "1",
            "1/2-1/2",
            "material",
        ],
    );
}

#[test]
fn dilkel_is_described() {
    let all = "red blue yellow green";
    let none = "red=- blue=- yellow=- green=-";
    assert_described(&[DILKEL], [DILKEL_START, "red", all, "-", "-", none, "0", "1", "*", "-"]);
    let from_blue = DILKEL_START.replacen('R', "B", 1);
    let position = format!("position fen {from_blue}");
    assert_described(&[DILKEL, &position], [&from_blue, "blue", all, "-", "-", none, "0", "1", "*", "-"]);

    let facts = described(&[DILKEL, "position startpos moves h2h4 blue-resigns green-flags i13i11"]);
    let expected = [
        "Turn: red",
        "In: red yellow",
        "Out: blue=resign green=time",
        "Check: -",
        "Reserve: red=- blue=- yellow=- green=-",
        "Clock: 0",
        "Repeat: 1",
        "Result: *",
        "Reason: -",
    ];
    assert_eq!(facts[1..], expected);
    assert!(facts[0].starts_with("Fen: R-0,1,0,1-1,0,1,0-1,0,1,0-0,0,0,0-0-{"), "{}", facts[0]);
    assert!(facts[0].contains("'out':('blue:resign','green:time')"), "{}", facts[0]);
    assert!(facts[0].contains("'enPassant':('','','i12:i11','')"), "{}", facts[0]);

    let facts = described(&[DILKEL, "position startpos moves red-resigns green-resigns blue-flags"]);
    let expected = [
        "Turn: -",
        "In: yellow",
        "Out: red=resign green=resign blue=time",
        "Check: -",
        "Reserve: red=- blue=- yellow=- green=-",
        "Clock: 0",
        "Repeat: 1",
        "Result: red=4 blue=2 yellow=1 green=3",
        "Reason: time",
    ];
    assert_eq!(facts[1..], expected);

    let facts = described(&[DILKEL, "position startpos moves red-resigns draw-agreed"]);
    assert_eq!(facts[2..4], ["In: blue yellow green", "Out: red=resign"]);
    assert_eq!(facts[8..], ["Result: red=4 blue=1 yellow=1 green=1", "Reason: agreement"]);
}

/// Blue's knight is captured and Blue's king attacked: the reserve has the knight, `Check` has
/// Blue.
#[test]
fn reserves_and_checks_are_described() {
    let fen = "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'reserve':('BNR','','N','RR')}-\
               7,yK,6/14/14/14/14/14/bK,6,bN,6/14/14/13,gK/14/14/14/6,rK,rR,6";
    let position = format!("position fen {fen}");
    let facts = described(&[DILKEL, &format!("{position} moves h1h8")]);
    assert_eq!(facts[4..6], ["Check: blue yellow", "Reserve: red=BNR blue=N yellow=N green=RR"]);
}

#[test]
fn dilkel_compact_is_described() {
    let facts = described(&[COMPACT, "position startpos moves e2e4"]);
    let expected = [
        "Turn: blue",
        "In: red blue yellow green",
        "Out: -",
        "Check: -",
        "Reserve: red=- blue=- yellow=- green=-",
        "Clock: 0",
        "Repeat: 1",
        "Result: *",
        "Reason: -",
    ];
    assert_eq!(facts[1..], expected);
}

/// G11: `automatic` draws at the third occurrence, and counts from the next `position` on.
#[test]
fn draws_follow_the_option() {
    let shuffle = ["g1f3 g8f6 f3g1 f6g8"; 4];
    let twice = format!("position startpos moves {}", shuffle[..2].join(" "));
    let four_times = format!("position startpos moves {}", shuffle.join(" "));
    let result = |lines: &[&str]| described(lines)[7..].to_vec();
    assert_eq!(result(&[&twice]), ["Repeat: 3", "Result: *", "Reason: -"]);
    assert_eq!(result(&[&four_times]), ["Repeat: 5", "Result: 1/2-1/2", "Reason: repetition"]);
    let automatic = "setoption name Draws value automatic";
    assert_eq!(result(&[automatic, &twice]), ["Repeat: 3", "Result: 1/2-1/2", "Reason: repetition"]);
    assert_eq!(result(&[&twice, automatic]), ["Repeat: 3", "Result: *", "Reason: -"]);
}

#[test]
fn an_error_is_reported_and_changes_nothing() {
    let before = "position startpos moves h2h4 b7d7";
    let unchanged = described(&[DILKEL, before]);
    let wrong = [
        ("hello", "unknown command \"hello\""),
        ("UCI", "unknown command \"UCI\""),
        ("isready now", "isready: unexpected \"now\""),
        ("setoption", "setoption: expected name"),
        ("setoption name Contempt value 16", "setoption: no option named \"Contempt\""),
        ("setoption name Hash value 0", "setoption: Hash: \"0\" is not a number from 1 to 4096"),
        ("setoption name hash value much", "setoption: Hash: \"much\" is not a number from 1 to 4096"),
        ("setoption name Ponder value yes", "setoption: Ponder: \"yes\" is not true or false"),
        ("setoption name Clear Hash value now", "setoption: Clear Hash: takes no value"),
        ("setoption name UCI_Variant", "setoption: UCI_Variant: \"\" is not one of classic, dilkel, "),
        ("setoption name UCI_Variant value chess960", "setoption: UCI_Variant: \"chess960\" is not one of"),
        ("setoption name Draws value never", "setoption: Draws: \"never\" is not one of claim, automatic"),
        ("position", "position: expected startpos or fen"),
        ("position fen", "position: fen: nothing follows"),
        ("position fen moves h2h4", "position: fen: nothing follows"),
        ("position startpos h2h4", "position: expected moves, not \"h2h4\""),
        ("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "position: "),
        ("position startpos moves h2h4 h2h4x", "position: \"h2h4x\" is neither a move nor a token"),
        ("position startpos moves h2-h4", "position: \"h2-h4\" is neither a move nor a token"),
        (
            "position startpos moves h2h4 h2h4",
            "position: h2h4 (number 2 after moves): h2h4 is not legal here",
        ),
        ("position startpos moves h2h5", "position: h2h5 (number 1 after moves): h2h5 is not legal here"),
        (
            "position startpos moves white-resigns",
            "position: white-resigns (number 1 after moves): white does not play",
        ),
        (
            "position startpos moves red-resigns red-flags",
            "position: red-flags (number 2 after moves): red is eliminated",
        ),
        (
            "position startpos moves draw-agreed draw-agreed",
            "position: draw-agreed (number 2 after moves): the match is over",
        ),
        (
            "position startpos moves draw-agreed h2h4",
            "position: h2h4 (number 2 after moves): the match is over",
        ),
        ("go perft", "go: perft: expected one number"),
        ("go perft -1", "go: perft: \"-1\" is not a number it can be"),
        ("go perft 1 2", "go: perft: expected one number"),
        ("go depth", "go: depth: expected a number"),
        ("go depth deep", "go: depth: \"deep\" is not a number it can be"),
        ("go somewhere", "go: unexpected \"somewhere\""),
        ("go searchmoves h9h10", "go: searchmoves: h9h10 is not legal here"),
        ("go searchmoves infinite", "go: searchmoves: expected moves"),
        ("go movestogo", "go: movestogo: expected a number"),
        ("go xtime 5", "go: unexpected \"xtime\""),
        ("go wtime 1000 btime 1000", "go: no clock for yellow, who is to move"),
        ("debug", "debug: expected on or off"),
    ];
    for (line, message) in wrong {
        let answers = answers(&[DILKEL, before, line, "d"]);
        let error = &answers[0];
        assert!(error.starts_with(&format!("info string error: {message}")), "{line}: {error}");
        let is_fact = |line: &&String| line.contains(": ") && !line.starts_with("info ");
        let facts: Vec<String> = answers[1..].iter().filter(is_fact).cloned().collect();
        assert_eq!(facts, unchanged, "after {line}");
        let begins_search = line.starts_with("go") && !line.starts_with("go perft");
        let moves = answers.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(moves, usize::from(begins_search), "after {line}: {answers:?}");
    }
}

/// Asserts these totals of `go perft` from depth 1 on, and that the counts of the moves add up to
/// them.
fn assert_perft(lines: &[&str], totals: &[u64]) {
    for (depth, &total) in (1..).zip(totals) {
        let go = format!("go perft {depth}");
        let mut all = lines.to_vec();
        all.push(&go);
        let answers = answers(&all);
        let [moves @ .., empty, last] = answers.as_slice() else { panic!("{answers:?}") };
        assert_eq!(
            (empty.as_str(), last.as_str()),
            ("", format!("Nodes searched: {total}").as_str()),
            "{all:?}"
        );
        let count = |line: &String| line.split_once(": ").unwrap().1.parse::<u64>().unwrap();
        assert_eq!(moves.iter().map(count).sum::<u64>(), total);
        assert_eq!(moves.len() as u64, totals[0]);
    }
}

/// Published counts of chess; depth 5 is 4865609.
#[test]
fn perft_of_classic_is_correct() {
    assert_perft(&[], &[20, 400, 8902, 197_281, 4_865_609]);
}

/// Published counts of the position known as kiwipete.
#[test]
fn perft_of_kiwipete_is_correct() {
    let position = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    assert_perft(&[position], &[48, 2039, 97_862, 4_085_603]);
}

/// Counted by generators that share nothing; with en passant between neighbors depth 5 would be
/// 3452310.
#[test]
fn perft_of_dilkel_is_correct() {
    assert_perft(&[DILKEL], &[20, 395, 7800, 152_050, 3_450_730]);
}

/// RULES S5.
#[test]
fn perft_of_dilkel_compact_is_correct() {
    assert_perft(&[COMPACT], &[22, 472, 10_120, 211_312]);
}

#[test]
fn perft_of_depth_zero_is_one_and_of_a_finished_game_zero() {
    assert_eq!(answers(&["go perft 0"]), ["", "Nodes searched: 1"]);
    let over = "position startpos moves e2e4 black-resigns";
    assert_eq!(answers(&[over, "go perft 3"]), ["", "Nodes searched: 0"]);
}

#[test]
fn commands_without_effect_are_accepted() {
    assert_eq!(answers(&["debug on", "debug off", "register later", "", "   "]), [""; 0]);
}

#[test]
fn a_new_game_begins_at_the_start_of_the_variant() {
    let facts = described(&[DILKEL, "position startpos moves h2h4 blue-resigns", "ucinewgame"]);
    assert_eq!(facts, described(&[DILKEL]));
}

/// The program answers after any malformed input.
#[test]
fn malformed_input_is_ignored() {
    let words = [
        "position",
        "startpos",
        "fen",
        "moves",
        "go nodes 9",
        "perft",
        "depth",
        "1",
        "-7",
        "99999999999999999999",
        "setoption",
        "name",
        "value",
        "UCI_Variant",
        "dilkel",
        "classic",
        "Draws",
        "h2h4",
        "e2e4",
        "a1a1",
        "n14n14q",
        "red-resigns",
        "-flags",
        "draw-agreed",
        "stop",
        "d",
        "R-0,0,0,0",
        "{'enPassant':('','",
        "8/8/8/8",
        "w",
        "KQkq",
        "\u{0}",
        "é",
        "-",
    ];
    let mut seed = 1_u64;
    let mut next = |count: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % count
    };
    let mut input = Vec::new();
    for _ in 0..5000 {
        if next(4) == 0 {
            input.extend((0..next(200)).map(|_| u8::try_from(next(256)).unwrap()));
        } else {
            let line: Vec<&str> = (0..next(9)).map(|_| words[next(words.len())]).collect();
            input.extend(line.join(" ").bytes());
        }
        input.push(b'\n');
    }
    input.extend(vec![b'x'; 3 << 20]);
    input.extend(b"\nstop\nisready\n");
    let answers = answers_to_bytes(input);
    assert_eq!(answers.last().unwrap(), "readyok");
    assert!(answers.iter().any(|line| line == "info string error: line longer than 1048576 bytes"));
    assert!(answers.iter().any(|line| line == "info string error: line is not UTF-8 text"));
}
