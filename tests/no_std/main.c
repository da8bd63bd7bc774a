/* Calls the rules from C: perft counts must be right, and invalid input must be refused. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

int64_t quadrex_perft(const char *variant, const char *setup, uint32_t depth);

struct expectation {
    const char *variant;
    const char *setup;
    uint32_t depth;
    int64_t count;
};

static const char CLASSIC[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static const char DILKEL[] =
    "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-3,yR,yN,yB,yQ,yK,yB,yN,yR,3/"
    "3,yP,yP,yP,yP,yP,yP,yP,yP,3/"
    "14/"
    "bR,bP,10,gP,gR/"
    "bN,bP,10,gP,gN/"
    "bB,bP,10,gP,gB/"
    "bK,bP,10,gP,gQ/"
    "bQ,bP,10,gP,gK/"
    "bB,bP,10,gP,gB/"
    "bN,bP,10,gP,gN/"
    "bR,bP,10,gP,gR/"
    "14/"
    "3,rP,rP,rP,rP,rP,rP,rP,rP,3/"
    "3,rR,rN,rB,rK,rQ,rB,rN,rR,3";

int main(void)
{
    const struct expectation expectations[] = {
        {"classic", CLASSIC, 4, 197281},
        {"dilkel", DILKEL, 3, 7800},
        {"chess", CLASSIC, 4, -1},
        {"dilkel", CLASSIC, 4, -2},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        const struct expectation *wanted = &expectations[i];
        int64_t count = quadrex_perft(wanted->variant, wanted->setup, wanted->depth);
        printf("%s, depth %" PRIu32 ": %" PRId64 "\n", wanted->variant, wanted->depth, count);
        if (count != wanted->count) {
            printf("  expected %" PRId64 "\n", wanted->count);
            wrong = 1;
        }
    }
    return wrong;
}
