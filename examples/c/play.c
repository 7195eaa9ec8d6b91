// Plays a game at random from C: `play GAME [SEED]`.
//
//   cargo build --release --manifest-path bindings/c/Cargo.toml
//   gcc -Ibindings/c/include examples/c/play.c -Lbindings/c/target/release -lastragal -o play
//   LD_LIBRARY_PATH=bindings/c/target/release ./play connect-four
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "astragal.h"

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, astragal_error());
    return 1;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "tic-tac-toe";
    srand(argc > 2 ? (unsigned)atoi(argv[2]) : 1);
    AstragalGame *game = astragal_load(name, 0, true);
    if (!game) return fail(name);
    AstragalState *state = astragal_new_state(game);
    if (!state) return fail(name);
    size_t most = astragal_num_distinct_actions(game) + astragal_max_chance_outcomes(game);
    uint32_t *legal = malloc(most * sizeof *legal);
    for (int32_t player; (player = astragal_current_player(state)) != ASTRAGAL_TERMINAL;) {
        uint32_t outcomes = astragal_num_outcomes(state);
        size_t count = astragal_legal_actions(state, legal, most);
        uint32_t action = outcomes ? (uint32_t)rand() % outcomes : legal[(size_t)rand() % count];
        char words[256];
        astragal_action_to_string(state, action, words, sizeof words);
        if (player == ASTRAGAL_CHANCE) printf("* %s\n", words);
        else printf("P%d> %s\n", player + 1, words);
        if (astragal_apply(state, action) != ASTRAGAL_OK) return fail(words);
    }
    size_t players = astragal_num_players(game);
    int64_t *returns = malloc(players * sizeof *returns);
    astragal_returns(state, returns);
    for (size_t seat = 0; seat < players; seat++) printf("P%zu: %" PRId64 "\n", seat + 1, returns[seat]);
    free(returns);
    free(legal);
    astragal_free_state(state);
    astragal_free_game(game);
    return 0;
}
