// Plays many games at random from C++ and counts who wins: `batch GAME [GAMES]`.
//
//   cargo build --release --manifest-path bindings/c/Cargo.toml
//   g++ -std=c++17 -Ibindings/c/include examples/c/batch.cpp -Lbindings/c/target/release -lastragal -o batch
//   LD_LIBRARY_PATH=bindings/c/target/release ./batch tice 1000
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <vector>

#include "astragal.h"

int main(int argc, char **argv) {
    using Game = std::unique_ptr<AstragalGame, decltype(&astragal_free_game)>;
    using State = std::unique_ptr<AstragalState, decltype(&astragal_free_state)>;
    Game game(astragal_load(argc > 1 ? argv[1] : "tic-tac-toe", 0, true), astragal_free_game);
    if (!game) {
        std::cerr << astragal_error() << '\n';
        return 1;
    }
    const int games = argc > 2 ? std::atoi(argv[2]) : 100;
    std::mt19937 random(1);
    std::vector<uint32_t> legal(astragal_num_distinct_actions(game.get()));
    std::vector<int> wins(astragal_num_players(game.get()));
    std::vector<int64_t> returns(wins.size());
    State start(astragal_new_state(game.get()), astragal_free_state);
    for (int number = 0; number < games; number++) {
        State state(astragal_clone(start.get()), astragal_free_state);
        while (astragal_current_player(state.get()) != ASTRAGAL_TERMINAL) {
            const uint32_t outcomes = astragal_num_outcomes(state.get());
            const size_t count = outcomes ? outcomes : astragal_legal_actions(state.get(), legal.data(), legal.size());
            const uint32_t at = random() % count;
            if (astragal_apply(state.get(), outcomes ? at : legal[at]) != ASTRAGAL_OK) {
                std::cerr << astragal_error() << '\n';
                return 1;
            }
        }
        astragal_returns(state.get(), returns.data());
        for (size_t seat = 0; seat < wins.size(); seat++) wins[seat] += returns[seat] == 1;
    }
    for (size_t seat = 0; seat < wins.size(); seat++)
        std::cout << 'P' << seat + 1 << " wins " << wins[seat] << " of " << games << '\n';
}
