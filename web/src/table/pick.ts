// From pointing to moves: what was picked leaves the moves that name it.
import type { ActionGroup, ActionView, Means, MoveArgument, TableView, Tag } from '../model'

export interface Move { group: ActionGroup; action: ActionView; values: MoveArgument[] }
export interface Picked { means: Means; kind: string; name: string; text: string }

const key = (tag: { kind: string; name: string }) => `${tag.kind} ${tag.name}`

export function movesOf(view: TableView): Move[] {
  return view.actions.flatMap(group => group.actions.map(action => ({
    group, action, values: action.arguments.map((value, at) => group.parameters[at].values[value]),
  })))
}

const points = (value: MoveArgument) => value.means === 'cell' || value.means === 'card' || value.means === 'seat' || value.means === 'member'

/** Whether a value is, or names, what was picked. */
function fits(value: MoveArgument, pick: Picked): boolean {
  if (pick.text) return value.text === pick.text
  return value.members.length === 1 && key(value.members[0]) === key(pick)
}

/** The moves that a choice of names and values leaves: picks in the order of a move first, then any. */
export function left(moves: Move[], group: string | null, picks: Picked[]): Move[] {
  const named = group === null ? moves : moves.filter(move => move.group.name === group)
  if (picks.length === 0) return named
  const values = (move: Move, pick: Picked) => (pick.text ? move.values : move.values.filter(points))
  const begins = named.filter(move => picks.every((pick, at) => {
    const value = values(move, pick)[at]
    return value !== undefined && fits(value, pick)
  }))
  if (begins.length > 0) return begins
  return named.filter(move => {
    const free = [...move.values]
    return picks.every(pick => {
      const at = free.findIndex(value => fits(value, pick))
      if (at >= 0) free.splice(at, 1)
      return at >= 0
    })
  })
}

/** Whether a move names nothing on the table beyond what was picked. */
export function isPicked(move: Move, picks: Picked[]): boolean {
  return move.values.every(value => !points(value) || picks.some(pick => fits(value, pick)))
}

/** What can be pointed at next: the keys of members that some move names and nobody picked. */
export function open(moves: Move[], picks: Picked[]): Map<string, Tag> {
  const found = new Map<string, Tag>()
  for (const move of moves) {
    const rest = move.values.filter(value => points(value) && !picks.some(pick => fits(value, pick)))
    // In the order of the move, so that a piece comes before its destination.
    const next = rest.slice(0, picks.length === 0 || rest.length > 1 ? 1 : rest.length)
    const every = rest.some(value => value.means === 'cell') ? [...next, ...rest.filter(value => value.means === 'cell').slice(0, 1)] : next
    for (const value of every) if (value.members.length === 1) found.set(key(value.members[0]), value.members[0])
  }
  return found
}

export const keyOf = key
