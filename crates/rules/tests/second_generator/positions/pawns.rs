//! Pawns: captures en passant with one, two or three others nearby, and promotions.

use quadrex_rules::Color::{Blue, Green, Red, Yellow};
use quadrex_rules::Variant;

use crate::special::Fact::{After, Check, Illegal, In, Legal, NothingPending, Pending};
use crate::special::Special;

pub(super) const POSITIONS: &[Special] = &[
    Special {
        holds: "D3: Yellow may take Red's pawn in passing now",
        variant: Variant::Dilkel,
        fen4: "Y-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'enPassant':('e3:e4','','','')}-7,yK,6/14/14/14/14/14/bK,10,gP,2/2,bP,10,gK/14/14/3,yP,rP,yP,8/14/14/6,rK,7",
        facts: &[
            Pending(Red, "e3:e4"),
            Legal("f4e3 d4e3"),
            After("f4e3", &[NothingPending(Red)]),
            After("h14h13", &[NothingPending(Red)]),
        ],
        counts: [9, 54, 294, 1_764],
    },
    Special {
        holds: "D3: Red's double step is pending while Blue is to move, who may take the pawn or step on the passed square",
        variant: Variant::Dilkel,
        fen4: "B-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'enPassant':('e3:e4','','','')}-7,yK,6/14/14/14/14/2,bP,11/bK,10,gP,2/13,gK/14/3,bN,10/bR,3,rP,yP,8/14/14/6,rK,7",
        facts: &[
            Pending(Red, "e3:e4"),
            Illegal("d5e4"),
            After("a8a9", &[Pending(Red, "e3:e4"), Legal("f4e3")]),
            After("a4e4", &[NothingPending(Red), Illegal("f4e3")]),
            After("d5e3", &[NothingPending(Red), Legal("f4e3")]),
        ],
        counts: [20, 137, 794, 4_728],
    },
    Special {
        holds: "D3: Red's and Blue's double steps are both pending; Green may take Blue's pawn where it stands",
        variant: Variant::Dilkel,
        fen4: "Y-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'enPassant':('e3:e4','c9:d9','','')}-7,yK,6/14/14/14/12,gP,1/3,bP,10/bK,3,gP,9/13,gK/14/1,bP,12/4,rP,yP,8/14/3,rP,10/6,rK,7",
        facts: &[
            Pending(Red, "e3:e4"),
            Pending(Blue, "c9:d9"),
            Legal("f4e3"),
            After(
                "f4e3",
                &[NothingPending(Red), Pending(Blue, "c9:d9"), Legal("e8d9 e8d8"), Illegal("e8c9")],
            ),
            After("h14h13 e8d9", &[NothingPending(Red), NothingPending(Blue)]),
        ],
        counts: [7, 63, 486, 4_212],
    },
    Special {
        holds: "D3: Red's and Blue's double steps are both pending, each with a pawn ready",
        variant: Variant::Dilkel,
        fen4: "Y-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'enPassant':('e3:e4','c6:d6','','')}-7,yK,6/14/14/14/12,gP,1/14/bK,13/3,gP,9,gK/3,bP,10/14/4,rP,yP,8/14/3,rP,10/6,rK,7",
        facts: &[
            Pending(Red, "e3:e4"),
            Pending(Blue, "c6:d6"),
            Legal("f4e3"),
            After("f4e3", &[Pending(Blue, "c6:d6"), Legal("d7c6")]),
            After("h14h13", &[NothingPending(Red), Legal("d7c6")]),
            After("h14h13 n7n8", &[NothingPending(Blue)]),
        ],
        counts: [7, 63, 486, 2_802],
    },
    Special {
        holds: "D3: Yellow's and Green's double steps are both pending, each with a pawn ready",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'enPassant':('','','e12:e11','l9:k9')}-7,yK,6/9,yP,4/14/3,rP,yP,rP,8/10,bP,3/10,gP,3/bK,9,rP,3/13,gK/14/14/14/14/14/6,rK,7",
        facts: &[
            Pending(Yellow, "e12:e11"),
            Pending(Green, "l9:k9"),
            Legal("d11e12 f11e12"),
            After("d11e12", &[NothingPending(Yellow), Pending(Green, "l9:k9"), Legal("k10l9")]),
            After("g1g2", &[Legal("k10l9")]),
            After("g1g2 a8a9", &[NothingPending(Green)]),
        ],
        counts: [9, 63, 483, 2_760],
    },
    Special {
        holds: "D3: a double step is about to be made that two pawns could answer",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/14/14/14/14/14/bK,12,gK/14/14/12,gP,1/2,bN,yP,1,yP,2,yP,5/14/4,rP,2,rP,6/6,rK,7",
        facts: &[
            After("e2e4", &[Pending(Red, "e3:e4")]),
            After("e2e4 a8a9", &[Legal("d4e3 f4e3")]),
            After("e2e4 c4d2", &[Legal("d4e3")]),
            After("e2e4 c4e3", &[NothingPending(Red)]),
            After("e2e3", &[NothingPending(Red)]),
        ],
        counts: [8, 88, 782, 5_474],
    },
    Special {
        holds: "D3, G6: taking in passing would lay Yellow's king open to Blue along the row both pawns leave",
        variant: Variant::Dilkel,
        fen4: "Y-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'enPassant':('e3:e4','','','')}-14/14/14/14/14/14/bK,13/1,bP,11,gK/14/14/bR,3,rP,yP,3,yK,4/14/3,rP,10/6,rK,7",
        facts: &[Pending(Red, "e3:e4"), Check(Yellow, &[]), Illegal("f4e3"), Legal("f4f3")],
        counts: [9, 45, 350, 4_565],
    },
    Special {
        holds: "D3, G6: taking in passing would lay Yellow's king open on the diagonal of the pawn that is taken",
        variant: Variant::Dilkel,
        fen4: "Y-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'enPassant':('e3:e4','','','')}-14/14/14/14/14/14/bK,13/1,bB,11,gK/14/14/4,rP,yP,8/14/14/3,rK,3,yK,6",
        facts: &[Pending(Red, "e3:e4"), Check(Yellow, &[]), Illegal("f4e3"), Legal("f4f3")],
        counts: [6, 30, 115, 1_795],
    },
    Special {
        holds: "D3, G7: taking in passing opens Green's rook a row to Blue's king: a check by a third",
        variant: Variant::Dilkel,
        fen4: "Y-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'enPassant':('e3:e4','','','')}-7,yK,6/14/14/14/14/14/1,bP,12/13,gK/14/14/bK,3,rP,yP,7,gR/14/14/6,rK,7",
        facts: &[Check(Blue, &[]), Legal("f4e3"), After("f4e3", &[Check(Blue, &[Green])])],
        counts: [7, 110, 568, 2_519],
    },
    Special {
        holds: "D3, G6: Red's pawn has stepped twice into a check of Yellow's king, which taking it in passing ends",
        variant: Variant::Dilkel,
        fen4: "Y-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'enPassant':('e3:e4','','','')}-14/3,yP,10/14/14/14/2,rR,11/bK,13/13,gK/14/3,yK,10/4,rP,yP,8/14/14/6,rK,7",
        facts: &[Check(Yellow, &[Red]), Legal("f4e3 d5e4"), Illegal("f4f3 d5c5")],
        counts: [6, 30, 760, 2_580],
    },
    Special {
        holds: "D4, D5: a pawn of each side is promoted next; nothing, a bishop, a knight and a rook are in reserve",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'reserve':('','B','N','R')}-7,yK,6/3,rP,10/14/14/1,gP,12/14/bK,13/13,gK/14/12,bP,1/14/14/10,yP,3/6,rK,7",
        facts: &[
            Legal("d13d14q"),
            Illegal("d13d14 d13d14r d13d14b d13d14n"),
            After("g1f1", &[Legal("m5n5q m5n5b"), Illegal("m5n5n m5n5r")]),
            After("g1f1 a8a7", &[Legal("k2k1q k2k1n"), Illegal("k2k1b k2k1r")]),
            After("g1f1 a8a7 h14i14", &[Legal("b10a10q b10a10r"), Illegal("b10a10b b10a10n b10a10")]),
        ],
        counts: [6, 36, 228, 1_216],
    },
    Special {
        holds: "D4, D5: a pawn of each side is promoted next; two kinds are in reserve, or all three",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'reserve':('BN','BR','NR','BNRR')}-7,yK,6/3,rP,10/14/14/1,gP,12/14/bK,13/13,gK/14/12,bP,1/14/14/10,yP,3/6,rK,7",
        facts: &[
            Legal("d13d14q d13d14b d13d14n"),
            Illegal("d13d14r"),
            After("g1f1", &[Legal("m5n5b m5n5r"), Illegal("m5n5n")]),
            After("g1f1 a8a7", &[Legal("k2k1n k2k1r"), Illegal("k2k1b")]),
            After("g1f1 a8a7 h14i14", &[Legal("b10a10b b10a10n b10a10r b10a10q")]),
        ],
        counts: [8, 56, 413, 2_655],
    },
    Special {
        holds: "D5: a reserve of one knight and two pawns to promote; captures fill the others' reserves",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'reserve':('N','','','')}-4,yR,2,yK,1,gN,4/3,rP,6,rP,3/14/14/14/14/bK,11,gP,1/13,gK/14/2,bP,11/bB,13/14/14/6,rK,7",
        facts: &[
            Legal("d13d14n k13k14n d13e14n k13j14n"),
            After("d13e14n a8a9 h14g14 n7n8", &[Legal("k13k14q k13j14q"), Illegal("k13k14n")]),
        ],
        counts: [13, 208, 3_003, 24_408],
    },
    Special {
        holds: "D4: Red's pawns are promoted on all three other baselines, by steps and captures",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-4,yN,2,yK,6/3,rP,10/14/14/14/bN,13/bK,rP,12/13,gK/14/13,gN/12,rP,1/14/14/6,rK,7",
        facts: &[Legal("d13d14q d13e14q b8a9q b8b9 m4n5q m4m5"), Illegal("b8a9 d13d14 b8b9q m4n5")],
        counts: [11, 82, 592, 4_264],
    },
    Special {
        holds: "D4: baselines of Blue and Green, who are out, still promote",
        variant: Variant::Dilkel,
        fen4: "Y-0,1,0,1-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/14/14/14/1,yP,12/rN,13/14/14/12,yP,1/13,rR/14/14/4,yP,3,rP,5/3,rB,2,rK,7",
        facts: &[In(&[Red, Yellow]), Legal("e2e1q e2d1q b10a9q m6n5q b10b9"), Illegal("e2e1 b10a9 m6n5")],
        counts: [11, 247, 3_902, 93_180],
    },
    Special {
        holds: "D6: pawns at the ends of arms without a baseline: one takes across the corner, one stands",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/14/3,yN,6,bP,3/2,rP,8,rP,2/1,rP,12/14/bK,13/13,gK/14/14/14/3,gP,10/14/6,rK,7",
        facts: &[Legal("c11d12 b10b11"), After("b10b11 a8a9 h14i14 n7n8", &[Illegal("b11b12 b11b12q")])],
        counts: [8, 47, 481, 2_405],
    },
    Special {
        holds: "D2, D3: Blue is out: Yellow follows Red and takes in passing at once",
        variant: Variant::Dilkel,
        fen4: "R-0,1,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/14/14/14/7,yN,2,gB,3/14/12,gP,1/13,gK/14/3,rR,10/5,yP,4,yP,3/14/4,rP,4,rP,4/6,rK,7",
        facts: &[
            In(&[Red, Yellow, Green]),
            After("e2e4", &[Pending(Red, "e3:e4"), Legal("f4e3")]),
            After("e2e4 h14i14 n7n8", &[NothingPending(Red)]),
        ],
        counts: [35, 435, 7_266, 225_462],
    },
    Special {
        holds: "D2, D3: Red and Yellow are left: en passant on the very next turn",
        variant: Variant::Dilkel,
        fen4: "R-0,1,0,1-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/3,yP,10/14/14/10,yB,3/14/14/14/14/3,rR,10/5,yP,4,yP,3/14/4,rP,4,rP,4/6,rK,7",
        facts: &[
            In(&[Red, Yellow]),
            After("j2j4", &[Legal("k4j3")]),
            After("j2j4 h14i14", &[NothingPending(Red)]),
        ],
        counts: [34, 787, 24_129, 549_242],
    },
    Special {
        holds: "D2, D3: Red and Blue, neighbors, are left: a double step gives no right",
        variant: Variant::Dilkel,
        fen4: "R-0,0,1,1-0,0,0,0-0,0,0,0-0,0,0,0-0-14/14/14/14/bR,13/2,bP,11/bK,13/14/14/1,bP,6,rN,5/3,bP,10/10,rB,3/3,rP,rP,9/6,rK,7",
        facts: &[In(&[Red, Blue]), After("e2e4", &[NothingPending(Red), Illegal("d4e3")])],
        counts: [22, 526, 13_301, 365_904],
    },
];
