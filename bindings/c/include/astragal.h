// Games from rules, by numbers: made from bindings/c/src/lib.rs.

#ifndef ASTRAGAL_H
#define ASTRAGAL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// Chance draws next.
#define ASTRAGAL_CHANCE -1

// The game is over.
#define ASTRAGAL_TERMINAL -4

// It was done.
#define ASTRAGAL_OK 0

// The action is not legal; the state is as it was.
#define ASTRAGAL_ILLEGAL 1

// A mistake in the rules, after which the state is of no use; or moves without numbers.
#define ASTRAGAL_RULES 2

// The rules, loaded for a number of players and values of the options. It never changes.
typedef struct AstragalGame AstragalGame;

// A position of a game.
typedef struct AstragalState AstragalState;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// What went wrong in the last call of this thread that failed. The text is there until the next one fails.
const char *astragal_error(void);

// Loads a game by the path of its file or the name of a bundled one. With `players` 0 the number of players is the
// default of the file. With `native` machine code plays where this processor has it. Returns null if it fails.
//
// # Safety
// `word` is a text that ends with 0.
AstragalGame *astragal_load(const char *word,
                            uintptr_t players,
                            bool native);

// Loads a game from the text of its file. Returns null if it fails.
//
// # Safety
// `name` and `text` are texts that end with 0.
AstragalGame *astragal_load_text(const char *name,
                                 const char *text,
                                 uintptr_t players,
                                 bool native);

// Frees a game; its states stay as they are.
//
// # Safety
// The game comes from a function that loads one, and is freed once.
void astragal_free_game(AstragalGame *game);

// How many players there are.
uintptr_t astragal_num_players(const AstragalGame *game);

// How many numbers the actions have: all are below it, in every state.
uint32_t astragal_num_distinct_actions(const AstragalGame *game);

// How many outcomes a draw has at most; 0 where nothing is drawn or nothing bounds them.
uint32_t astragal_max_chance_outcomes(const AstragalGame *game);

// How many numbers an observation has.
uintptr_t astragal_observation_size(const AstragalGame *game);

// A new game, run up to its first decision or draw. Returns null if the rules fail.
AstragalState *astragal_new_state(const AstragalGame *game);

// A copy of a state.
AstragalState *astragal_clone(const AstragalState *state);

// Frees a state.
//
// # Safety
// The state comes from a function here that makes one, and is freed once.
void astragal_free_state(AstragalState *state);

// The seat that decides, from 0; `ASTRAGAL_CHANCE` while chance draws, `ASTRAGAL_TERMINAL` when the game is over.
int32_t astragal_current_player(const AstragalState *state);

// Writes the numbers of the legal actions, ascending; of a draw, its outcomes. Returns how many there are; no more
// than `room` are written.
//
// # Safety
// There is room for `room` numbers at `actions`.
uintptr_t astragal_legal_actions(const AstragalState *state,
                                 uint32_t *actions,
                                 uintptr_t room);

// Writes a 1 for each legal action, else 0: as many bytes as there are numbers of actions.
//
// # Safety
// There is room for [`astragal_num_distinct_actions`] bytes at `mask`.
void astragal_legal_mask(const AstragalState *state, uint8_t *mask);

// How many equally likely outcomes the draw that waits has; 0 where nobody draws. [`astragal_apply`] takes each number
// below it.
uint32_t astragal_num_outcomes(const AstragalState *state);

// Writes how many of the equally likely outcomes of the draw that waits each stands for, in the order of
// [`astragal_legal_actions`]. Returns how many there are; no more than `room` are written.
//
// # Safety
// There is room for `room` numbers at `weights`.
uintptr_t astragal_outcome_weights(const AstragalState *state,
                                   uint32_t *weights,
                                   uintptr_t room);

// Makes a move or answers a draw, by number, and runs to the next. Returns `ASTRAGAL_OK`, `ASTRAGAL_ILLEGAL` or
// `ASTRAGAL_RULES`.
int astragal_apply(AstragalState *state,
                   uint32_t action);

// Writes 1 for a win, -1 for a loss and 0 for a draw, by seat; 0 before the end. Partners have the same, and all
// together their score.
//
// # Safety
// There is room for a number for each player at `returns`.
void astragal_returns(const AstragalState *state,
                      int64_t *returns);

// Writes what a player sees, [`astragal_observation_size`] numbers. A player that there is not sees nothing.
//
// # Safety
// There is room for so many numbers at `observation`.
void astragal_observation(const AstragalState *state,
                          uint8_t player,
                          float *observation);

// Writes an action or an outcome in words, as UTF-8 that ends with 0, cut if there is no room. Returns how many
// bytes the whole text has; 0 if there is no such action.
//
// # Safety
// There is room for `room` bytes at `text`.
uintptr_t astragal_action_to_string(const AstragalState *state,
                                    uint32_t action,
                                    char *text,
                                    uintptr_t room);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ASTRAGAL_H */
