//! Eliminations, stalemate, and the compact cross.

use quadrex_rules::Color::{Blue, Green, Red, Yellow};
use quadrex_rules::{Variant, Verdict};

use crate::special::Fact::{After, Check, Illegal, In, Judged, KingOnly, Legal, NothingPending, Pending};
use crate::special::Special;

pub(super) const POSITIONS: &[Special] = &[
    Special {
        holds: "D8: Red is about to be mated on its turn, unless Yellow's knight or Green helps",
        variant: Variant::Dilkel,
        fen4: "B-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/14/14/14/14/3,rP,10/bK,11,gP,1/13,gK/14/1,bP,12/10,bR,3/9,yN,4/3,bR,10/6,rK,7",
        facts: &[
            After("k4k1", &[Check(Red, &[Blue])]),
            After("k4k1 j3k1", &[Check(Red, &[])]),
            After("k4k1 h14h13 n7n8", &[In(&[Blue, Yellow, Green])]),
        ],
        counts: [48, 543, 2_970, 11_901],
    },
    Special {
        holds: "D8: Red is mated as it is to move, and Blue with it: the line goes on with Yellow",
        variant: Variant::Dilkel,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/4,yP,9/14/1,gR,12/14/14/bK,11,gP,1/13,gK/rN,13/14/gR,13/14/3,bR,10/6,rK,3,bR,3",
        facts: &[Judged(Verdict::Mated), Check(Red, &[Blue])],
        counts: [7, 313, 2_411, 109_587],
    },
    Special {
        holds: "D8, D10: Blue's check mates Red at once, two being left: a line ends with the last player",
        variant: Variant::Dilkel,
        fen4: "B-0,0,1,1-0,0,0,0-0,0,0,0-0,0,0,0-0-14/14/14/14/14/3,rP,10/bK,13/14/14/1,bP,12/10,bR,3/14/3,bR,10/6,rK,7",
        facts: &[In(&[Red, Blue]), After("k4k1", &[In(&[Blue])])],
        counts: [48, 158, 7_499, 32_658],
    },
    Special {
        holds: "D9: Green's queen stalemates Red if Blue lets it: a line ends there",
        variant: Variant::Dilkel,
        fen4: "G-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/10,yP,3/14/14/14/14/bK,13/13,gK/14/1,bP,12/5,gQ,8/14/14/3,rK,10",
        facts: &[After("f4f2", &[Judged(Verdict::Stalemated), Check(Red, &[])])],
        counts: [48, 108, 596, 3_632],
    },
    Special {
        holds: "D8, G6: a check that only the third player between can end by taking the checker",
        variant: Variant::Dilkel,
        fen4: "B-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/14/4,rR,9/14/14/13,gR/bK,13/13,gK/8,yB,5/14/3,bQ,10/14/5,rP,rP,rP,6/6,rK,7",
        facts: &[After("d4d1", &[Check(Red, &[Blue])]), After("d4d1 i6d1", &[Check(Red, &[])])],
        counts: [41, 778, 13_076, 323_637],
    },
    Special {
        holds: "S5, G8, D7: on the compact cross every side may castle short and long",
        variant: Variant::DilkelCompact,
        fen4: "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-2,yR,3,yK,2,yR,2/4,yP,2,yP,4/bR,10,gR/12/1,bP,8,gP,1/bK,11/11,gK/1,bP,8,gP,1/12/bR,10,gR/4,rP,2,rP,4/2,rR,2,rK,3,rR,2",
        facts: &[
            Legal("f1d1 f1h1"),
            After("f1d1", &[Legal("a7a9 a7a5")]),
            After("f1d1 a7a9", &[Legal("g12i12 g12e12")]),
            After("f1d1 a7a9 g12i12", &[Legal("l6l4 l6l8")]),
        ],
        counts: [37, 1_260, 35_111, 912_850],
    },
    Special {
        holds: "S5, D3: on the compact cross two double steps are pending, each with a pawn ready",
        variant: Variant::DilkelCompact,
        fen4: "Y-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'enPassant':('d3:d4','c5:d5','','')}-6,yK,5/12/12/10,gP,1/12/bK,11/3,gP,7,gK/3,bP,8/3,rP,yP,7/12/9,rP,2/5,rK,6",
        facts: &[
            Pending(Red, "d3:d4"),
            Pending(Blue, "c5:d5"),
            Legal("e4d3"),
            After("e4d3", &[Pending(Blue, "c5:d5"), Legal("d6c5")]),
            After("g12g11", &[NothingPending(Red), Legal("d6c5")]),
        ],
        counts: [7, 63, 435, 2_725],
    },
    Special {
        holds: "S5, D4, D5: on the compact cross pawns are promoted with and without a reserve",
        variant: Variant::DilkelCompact,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'reserve':('N','','BR','BNR')}-3,yR,2,yK,5/2,rP,9/12/1,gP,10/bN,11/bK,rP,10/11,gK/10,bP,1/12/12/9,yP,2/5,rK,6",
        facts: &[
            Legal("c11c12q c11c12n c11d12q b7a8n b7a8q"),
            Illegal("c11c12r b7a8 b7a7 b7a7q"),
            After("f1g1", &[Legal("k5l5q"), Illegal("k5l5b")]),
        ],
        counts: [12, 96, 1_697, 7_786],
    },
    Special {
        holds: "S5, G6: on the compact cross Red's pieces are pinned and Green and Blue check it at once",
        variant: Variant::DilkelCompact,
        fen4: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,5/12/5,yR,6/9,gB,2/12/bK,6,rB,4/11,gK/1,bR,1,rN,1,rK,6/7,bN,2,gP,1/12/2,rP,9/12",
        facts: &[Check(Red, &[Blue, Yellow]), KingOnly],
        counts: [5, 110, 550, 7_498],
    },
    Special {
        holds: "S5, D8: on the compact cross one mate brings about another",
        variant: Variant::DilkelCompact,
        fen4: "G-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,5/4,yP,7/1,gR,10/12/12/bK,9,gP,1/11,gK/rN,11/12/gR,11/2,bR,9/5,rK,3,bR,2",
        facts: &[After("l6l7", &[In(&[Yellow, Green])])],
        counts: [37, 520, 5_963, 123_184],
    },
];
