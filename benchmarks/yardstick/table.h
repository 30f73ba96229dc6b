/* What both yardsticks share: chance, the pack and the deal, and the tricks of a hand of Euchre.
 *
 * Streams, the order of alternatives and what a row holds are the engines' own (one stream for the pack, one
 * for each seat; nothing is drawn for a forced move), so that rows are the same, number by number.
 *
 * A hand is a set of bits. What depends on trump and the suit led lies in tables. Whoever includes this says how
 * cards are numbered: SUIT_OF(card), RANK_OF(card), and TWIN(suit), the other suit of the same colour.
 * Build: cc -O2 (or -O3) -march=native -shared -fPIC
 */
#include <stdint.h>
#include <string.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint64_t word;
typedef struct { word s0, s1, s2, s3; } stream;

enum { NINE, TEN, JACK, QUEEN, KING, ACE, RANKS };
enum { SEATS = 4, SUITS = 4, CARDS = 24, DEALER = 3, NOBODY = 4 };
enum { ROW = 9 };

static word of_suit[SUITS][SUITS];             /* by trump, then suit: the cards of it, bowers where they belong */
static uint8_t height[SUITS][SUITS][CARDS];    /* by trump, then suit led */
static uint8_t suit_of[SUITS][CARDS];          /* by trump */

void yardstick_prepare(void)
{
    memset(of_suit, 0, sizeof of_suit);
    for (int trump = 0; trump < SUITS; trump++)
        for (int card = 0; card < CARDS; card++) {
            int own = SUIT_OF(card), rank = RANK_OF(card);
            int left = rank == JACK && own == TWIN(trump);
            int suit = left ? trump : own;
            suit_of[trump][card] = (uint8_t)suit;
            of_suit[trump][suit] |= (word)1 << card;
            for (int led = 0; led < SUITS; led++) {
                int h = suit == trump ? 20 + rank : suit == led ? 10 + rank : 0;
                if (suit == trump && rank == JACK)
                    h = left ? 30 : 31;
                height[trump][led][card] = (uint8_t)h;
            }
        }
}

static inline word mix(word x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static inline word name(word h, word w) { return mix((h ^ w) + 0x9E3779B97F4A7C15u); }

static inline stream seeded(word h)
{
    stream s;
    s.s0 = mix(h += 0x9E3779B97F4A7C15u);
    s.s1 = mix(h += 0x9E3779B97F4A7C15u);
    s.s2 = mix(h += 0x9E3779B97F4A7C15u);
    s.s3 = mix(h += 0x9E3779B97F4A7C15u);
    return s;
}

static inline word next(stream *s)
{
    word total = s->s0 + s->s3, result = (total << 23 | total >> 41) + s->s0, t = s->s1 << 17;
    s->s2 ^= s->s0;
    s->s3 ^= s->s1;
    s->s1 ^= s->s2;
    s->s0 ^= s->s3;
    s->s2 ^= t;
    s->s3 = s->s3 << 45 | s->s3 >> 19;
    return result;
}

static inline unsigned below(stream *s, unsigned n)
{
    if (n == 1)
        return 0;
    unsigned __int128 product = (unsigned __int128)next(s) * n;
    if ((word)product < n) {
        word floor = -(word)n % n;
        while ((word)product < floor)
            product = (unsigned __int128)next(s) * n;
    }
    return (unsigned)(product >> 64);
}

static inline int kth(word set, unsigned k)
{
#ifdef __BMI2__
    return (int)_tzcnt_u64(_pdep_u64((word)1 << k, set));
#else
    while (k--)
        set &= set - 1;
    return __builtin_ctzll(set);
#endif
}

typedef struct { word hand[SEATS]; stream seat[SEATS]; } table;
typedef struct { int decisions, choices, forced; } counts; /* apart from the table, so that registers hold them */

/* The pack is shuffled from the top, so a card can be dealt as soon as it is drawn: gives the card turned up. */
static inline int deal(table *t, word seed, word number)
{
    word named = name(name(0, seed), number);
    stream pack_stream = seeded(name(named, 0));
    word players = name(named, 1);
    for (int seat = 0; seat < SEATS; seat++)
        t->seat[seat] = seeded(name(players, (word)seat));
    uint8_t pack[CARDS];
    for (int i = 0; i < CARDS; i++)
        pack[i] = (uint8_t)i;
    int top = CARDS - 1;
    for (int seat = 0; seat < SEATS; seat++) {
        t->hand[seat] = 0;
        for (int n = 0; n < 5; n++, top--) {
            unsigned j = below(&pack_stream, (unsigned)top + 1);
            t->hand[seat] |= (word)1 << pack[j];
            pack[j] = pack[top];
        }
    }
    return pack[below(&pack_stream, (unsigned)top + 1)];
}

static inline unsigned choose(table *t, counts *c, int seat, unsigned among)
{
    c->decisions++, c->choices += (int)among;
    return below(&t->seat[seat], among);
}

static inline void count_forced(counts *c, int n) { c->decisions += n, c->choices += n, c->forced += n; }

/* The dealer takes the card that was turned up, and buries one. */
static inline void take_up(table *t, counts *c, int upcard)
{
    t->hand[DEALER] |= (word)1 << upcard;
    t->hand[DEALER] ^= (word)1 << kth(t->hand[DEALER], choose(t, c, DEALER, 6));
}

/* Five tricks without the one who sits out: how many the makers take. ASKED: whoever sits out is asked, and
 * can only pass, when the turn comes before the trick is over. */
static inline int tricks(table *t, counts *c, int trump, int maker, int out, int asked)
{
    int at_table = out == NOBODY ? SEATS : SEATS - 1, leader = out == 0 ? 1 : 0, won = 0;
    count_forced(c, asked & leader);
    for (int trick = 0; trick < 5; trick++) {
        int seat = leader, led = 0, best = -1;
        for (int played = 0; played < at_table; played++) {
            word may = t->hand[seat];
            if (played) {
                word follow = may & of_suit[trump][led];
                may = follow ? follow : may;
            }
            unsigned count = (unsigned)__builtin_popcountll(may);
            c->forced += count == 1;
            int card = kth(may, choose(t, c, seat, count));
            t->hand[seat] ^= (word)1 << card;
            if (!played)
                led = suit_of[trump][card];
            int h = height[trump][led][card];
            if (h > best)
                best = h, leader = seat;
            seat = (seat + 1) & 3;
            if (seat == out) {
                seat = (seat + 1) & 3;
                count_forced(c, asked & (played + 1 < at_table));
            }
        }
        won += (leader ^ maker) & 1 ? 0 : 1;
    }
    return won;
}

static inline void score(const counts *c, int maker, int alone, int won, int64_t *row)
{
    int makers = won < 3 ? 0 : won < 5 ? 1 : alone ? 4 : 2, defenders = won < 3 ? 2 : 0;
    row[0] = 1, row[1] = c->decisions, row[2] = c->choices, row[3] = c->forced;
    for (int seat = 0; seat < SEATS; seat++)
        row[5 + seat] = (seat ^ maker) & 1 ? defenders : makers;
    row[4] = 0;
}

static void play(table *t, int upcard, int64_t *row);

void yardstick_games(int64_t seed, int64_t first, int64_t count, int64_t *rows)
{
    for (int64_t i = 0; i < count; i++) {
        table t;
        int upcard = deal(&t, (word)seed, (word)(first + i));
        play(&t, upcard, rows + i * ROW);
    }
}
