/* A yardstick: one random hand of Euchre as somebody would write it by hand who wants it fast.
 *
 * The rules are those of src/upcard/games/euchre/rules.rcy; the rows are those of the engine, and the benchmark
 * checks that before it believes any time. Cards are numbered suit by suit (spades, hearts, clubs, diamonds),
 * nine to ace.
 */
#define SUIT_OF(card) ((card) / 6)
#define RANK_OF(card) ((card) % 6)
#define TWIN(suit) ((suit) ^ 2)
#include "table.h"

static void play(table *t, int upcard, int64_t *row)
{
    counts c = {0, 0, 0};
    int up = SUIT_OF(upcard), maker = NOBODY, alone = 0, trump = up;
    for (int seat = 0; seat < SEATS && maker == NOBODY; seat++) {
        unsigned pick = choose(t, &c, seat, 3);
        if (pick)
            maker = seat, alone = pick == 2;
    }
    if (maker != NOBODY)
        take_up(t, &c, upcard);
    for (int seat = 0; maker == NOBODY; seat++) {
        unsigned may_pass = seat != DEALER;
        unsigned pick = choose(t, &c, seat, 6 + may_pass);
        if (may_pass && pick-- == 0)
            continue;
        maker = seat, alone = pick & 1;
        trump = (int)(pick >> 1);
        trump += trump >= up;
    }
    score(&c, maker, alone, tricks(t, &c, trump, maker, alone ? maker ^ 2 : NOBODY, 0), row);
}
