/* A yardstick for the document's Euchre, by the same hand as the one for ours.
 *
 * The rules are those of the program in the seeds: every player is asked whether to bury, and whoever sits
 * out is asked in every trick. Cards are numbered rank by rank, nine to ace, in each hearts, diamonds, clubs, spades.
 */
#define SUIT_OF(card) ((card) % 4)
#define RANK_OF(card) ((card) / 4)
#define TWIN(suit) ((suit) ^ 1)
#include "table.h"

static const uint8_t named[4] = {0, 1, 3, 2}; /* suits in the order in which they can be named */

static void play(table *t, int upcard, int64_t *row)
{
    counts c = {0, 0, 0};
    int up = SUIT_OF(upcard), maker = NOBODY, alone = 0, trump = up;
    for (int seat = 0; seat < SEATS && maker == NOBODY; seat++) {
        unsigned pick = choose(t, &c, seat, 3);
        if (pick)
            maker = seat, alone = pick == 2;
    }
    if (maker != NOBODY) {
        count_forced(&c, 3);
        take_up(t, &c, upcard);
    }
    for (int seat = 0; maker == NOBODY; seat++) {
        unsigned may_pass = seat != DEALER;
        unsigned pick = choose(t, &c, seat, 6 + may_pass);
        if (may_pass && pick-- == 0)
            continue;
        maker = seat, alone = pick < 3;
        pick -= alone ? 0 : 3;
        trump = named[pick + (pick >= named[up])];
    }
    score(&c, maker, alone, tricks(t, &c, trump, maker, alone ? maker ^ 2 : NOBODY, 1), row);
}
