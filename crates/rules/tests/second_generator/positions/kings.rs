//! Kings: checks by one and by several, pins, castling, and the distance between kings.

use quadrex_rules::Color::{Blue, Green, Red, Yellow};
use quadrex_rules::Variant;

use crate::special::Fact::{After, Check, Illegal, KingOnly, Legal};
use crate::special::Special;

pub(super) const POSITIONS: &[Special] = &[
    Special {
        holds: "G6, G7: Blue and Green check Red at once: only the king can move",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/3,yP,10/14/14/14/14/bK,5,bR,5,gP,1/1,bP,11,gK/14/10,gB,3/3,rQ,10/4,rN,9/3,rP,10/6,rK,7",
        facts: &[Check(Red, &[Blue, Green]), KingOnly, Illegal("d4g4"), Legal("g1f2")],
        counts: [3, 87, 477, 9_507],
    },
    Special {
        holds: "G6, G7: Green's knight alone checks Red: taken, or walked away from",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/4,yP,9/14/14/14/3,bQ,10/bK,6,rR,6/13,gK/14/5,rB,8/12,gP,1/7,gN,6/6,rP,7/6,rK,7",
        facts: &[Check(Red, &[Green]), Legal("g2h3 f5h3 h8h3 g1f1"), Illegal("f5g4 h8h4")],
        counts: [6, 77, 248, 2_002],
    },
    Special {
        holds: "G6, G7: Yellow's rook alone checks Red: taken, shut off, or walked away from",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/14/14/14/14/4,rR,1,yR,7/bK,11,gP,1/13,gK/4,rN,rB,8/1,bP,12/14/14/5,rP,8/6,rK,7",
        facts: &[
            Check(Red, &[Yellow]),
            Legal("e9g9 e6g5 e6g7 f6g5 f6g7 g1f1 g1h1 g1h2"),
            Illegal("f2f3 f6e5 g1g2"),
        ],
        counts: [8, 40, 860, 4_900],
    },
    Special {
        holds: "G6, G7: a knight of Blue's can uncover its rook: a double check by one player",
        variant: Variant::Dilkel,
        fen4: "B-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/4,yP,9/14/14/14/14/bK,13/13,gK/6,bR,7/6,bN,7/12,gR,1/3,rQ,10/3,rP,10/6,rK,7",
        facts: &[
            Check(Red, &[]),
            After("g5h3", &[Check(Red, &[Blue])]),
            After("g5h3 h14h13 m4m5", &[Check(Red, &[Blue]), KingOnly, Illegal("d3h3")]),
        ],
        counts: [34, 188, 4_056, 107_197],
    },
    Special {
        holds: "G6: Red's pieces are pinned by all three others, on lines and diagonals",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/14/6,yR,7/14/10,gB,3/14/bK,5,rN,1,rB,5/13,gK/1,bQ,2,rR,1,rK,7/14/8,rQ,5/14/3,rP,6,bB,3/14",
        facts: &[
            Check(Red, &[]),
            Illegal("g8h10 g8f6 e6e7 i8h9 i4i5"),
            Legal("e6b6 e6f6 i8j9 i8k10 i8h7 i4k2 i4h5"),
        ],
        counts: [20, 643, 8_206, 86_290],
    },
    Special {
        holds: "G6: a rook and a bishop pinned across their lines cannot move at all",
        variant: Variant::Dilkel,
        fen4: "B-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/4,yP,9/7,gB,6/14/14/4,bR,9/13,gK/2,bK,2,bB,4,rR,3/14/14/14/14/14/6,rK,7",
        facts: &[Check(Blue, &[]), Illegal("e9e8 e9d9 f7e6 f7g8"), Legal("c7d6 c7b8")],
        counts: [8, 40, 560, 13_560],
    },
    Special {
        holds: "G4, G6: a pawn of each side is pinned on a diagonal: it may take the piece that pins it and nothing else",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/6,yP,7/5,rB,8/14/2,yB,11/1,bP,12/bK,13/13,gK/12,gP,1/11,bB,2/8,gB,5/7,rP,6/6,rK,7/14",
        facts: &[
            Legal("h3i4"),
            Illegal("h3h4"),
            After("g2f1", &[Legal("b9c10"), Illegal("b9c9 b9d9")]),
            After("g2f1 a8a9", &[Legal("g13f12"), Illegal("g13g12 g13g11")]),
            After("g2f1 a8a9 h14i14", &[Legal("m6l5"), Illegal("m6l6 m6k6")]),
        ],
        counts: [23, 411, 6_475, 99_204],
    },
    Special {
        holds: "G4, G6: a pawn of each side is pinned on its own file or row: it may step, but not take",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/7,yP,6/8,gB,5/14/14/6,yR,7/bK,bP,8,gR,yB,2/2,rB,2,bR,6,gP,gK/7,rQ,6/14/14/5,bB,8/6,rP,7/6,rK,7",
        facts: &[
            Legal("g2g3 g2g4"),
            Illegal("g2f3"),
            After("g1f1", &[Legal("b8c8 b8d8"), Illegal("b8c7")]),
            After("g1f1 a8a7", &[Legal("h13h12 h13h11"), Illegal("h13i12")]),
            After("g1f1 a8a7 h14g14", &[Legal("m7l7 m7k7"), Illegal("m7l8")]),
        ],
        counts: [63, 2_236, 91_840, 3_413_660],
    },
    Special {
        holds: "G4, G6: a pawn of each side is pinned across its way: it cannot move",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-14/14/7,yK,1,yP,rR,3/12,rQ,1/14/12,gP,1/1,bK,12/12,gK,1/1,bP,12/14/1,yR,12/3,bR,rP,1,rK,7/14/14",
        facts: &[
            Illegal("e3e4 e3d4"),
            After("g3g2", &[Illegal("b6c6 b6d6")]),
            After("g3g2 b8c8", &[Illegal("j12j11")]),
            After("g3g2 b8c8 h12g13", &[Illegal("m9l9 m9k9")]),
        ],
        counts: [42, 816, 13_635, 96_855],
    },
    Special {
        holds: "G8, D7: every side may castle short and long",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-3,yR,3,yK,2,yR,3/3,yP,1,yP,2,yP,1,yP,3/14/bR,bP,10,gP,gR/14/1,bP,10,gP,1/bK,13/13,gK/1,bP,10,gP,1/14/bR,bP,10,gP,gR/14/3,rP,1,rP,2,rP,1,rP,3/3,rR,2,rK,3,rR,3",
        facts: &[
            Legal("g1e1 g1i1"),
            After("g1e1", &[Legal("a8a10 a8a6")]),
            After("g1i1 a8a6", &[Check(Yellow, &[Red]), Illegal("h14j14 h14f14")]),
            After("g1e1 a8a10 h14f14", &[Legal("n7n5 n7n9")]),
            After("g1e1 a8a10 h14j14 n7n5", &[Illegal("e1g1")]),
            After("d1e1 a8a10 h14j14 n7n5", &[Illegal("g1e1"), Legal("g1i1")]),
        ],
        counts: [19, 360, 6_196, 106_290],
    },
    Special {
        holds: "G8, D7: a square that the king would cross is attacked, and another player's piece stands between: Red castles neither way, Blue and Yellow one way",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-1,1,1,0-1,1,1,0-0,0,0,0-0-3,yR,3,yK,2,yR,3/14/5,gN,8/bR,13/14/14/bK,11,gP,1/13,gK/5,rR,4,gB,3/14/bR,13/14/3,rP,6,rP,3/3,rR,2,rK,2,yN,rR,3",
        facts: &[
            Check(Red, &[]),
            Illegal("g1e1 g1i1"),
            After("d2d3", &[Legal("a8a10"), Illegal("a8a6")]),
            After("d2d3 a8b8", &[Legal("h14j14"), Illegal("h14f14")]),
        ],
        counts: [30, 1_015, 28_794, 659_455],
    },
    Special {
        holds: "G8, D7: kings in check, or whose rook alone is attacked: Red may not castle, Blue may",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-1,1,0,0-1,1,0,0-0,0,0,0-0-7,yK,6/14/14/bR,5,yQ,3,gR,1,gP,1/14/14/bK,13/13,gK/14/14/bR,9,gR,3/14/5,rP,1,rP,6/3,rR,2,rK,3,rR,3",
        facts: &[
            Check(Red, &[Yellow]),
            Illegal("g1e1 g1i1"),
            After("g1f1", &[Check(Blue, &[]), Legal("a8a10 a8a6")]),
        ],
        counts: [2, 56, 2_424, 84_988],
    },
    Special {
        holds: "D7: the set-up of the sites: kings castle short to the other hand",
        variant: Variant::Dilkel,
        fen4: "B-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-3,yR,2,yK,3,yR,3/5,yP,yP,7/14/bR,12,gR/14/1,bP,12/bK,bP,12/12,gP,gK/14/14/bR,bP,11,gR/14/3,rP,3,rP,6/3,rR,3,rK,2,rR,3",
        facts: &[
            Legal("a8a10 a8a6"),
            After("a8a10", &[Legal("g14e14 g14i14")]),
            After("a8a10 g14e14", &[Legal("n7n5 n7n9")]),
            After("a8a10 g14e14 n7n9", &[Legal("h1j1 h1f1")]),
        ],
        counts: [29, 1_090, 35_655, 851_918],
    },
    Special {
        holds: "G7: Blue, Yellow and Green are in check at once, and Blue is to move",
        variant: Variant::Dilkel,
        fen4: "B-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/14/14/14/5,yP,8/14/bK,6,rQ,6/13,gK/11,rN,2/2,bP,11/14/14/3,rP,10/6,rK,7",
        facts: &[
            Check(Blue, &[Red]),
            Check(Yellow, &[Red]),
            Check(Green, &[Red]),
            After("a8a9", &[Check(Yellow, &[Red]), Check(Green, &[Red])]),
        ],
        counts: [4, 16, 48, 2_592],
    },
    Special {
        holds: "G5: Blue's and Yellow's kings stand where Red could take them, which no move does",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/14/9,rB,4/14/14/14/bK,3,rR,6,rN,2/1,rP,11,gK/14/1,bP,12/12,gP,1/14/14/6,rK,7",
        facts: &[
            Check(Blue, &[Red]),
            Check(Yellow, &[Red]),
            Check(Green, &[Red]),
            Illegal("e8a8 b7a8 b7a8q j12h14 l8n7"),
            Legal("e8b8"),
        ],
        counts: [49, 204, 814, 2_768],
    },
    Special {
        holds: "G3: kings that face each other keep apart, whoever owns them",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-14/10,yP,3/14/14/14/14/6,yK,5,gP,1/14/4,bK,1,rK,1,gK,5/1,bP,12/3,rR,10/14/14/14",
        facts: &[Illegal("g6f6 g6g7 g6h6 g6f7 g6h5"), Legal("g6g5"), After("g6g5", &[Illegal("e6f6 e6f7")])],
        counts: [27, 142, 920, 5_931],
    },
    Special {
        holds: "G3, G6: a king in line with sliders of two players does not hide behind itself",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/3,yP,10/14/14/14/9,gB,4/bK,13/13,gK/3,bR,2,rK,7/5,rN,1,rP,6/14/14/14/14",
        facts: &[Check(Red, &[Blue, Green]), KingOnly, Illegal("g6h6 g6f5 g6f6"), Legal("g6g5 g6g7 g6f7")],
        counts: [3, 90, 587, 10_508],
    },
    Special {
        holds: "G1, G2: sliders and knights at the cut-out corners",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/5,yP,8/10,rQ,3/11,yN,2/12,gB,1/14/bK,13/13,gK/1,bP,12/2,rN,11/2,rR,11/3,rB,6,gN,3/14/6,rK,7",
        facts: &[Illegal("c4c3 d3c2 k12l12 k12l13"), Legal("c4a4 c5a4 d3e2 k12l11")],
        counts: [62, 399, 4_197, 79_076],
    },
];
