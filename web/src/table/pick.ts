// From pointing to moves: what was pressed on the table leaves the moves that name it.
import type { ActionGroup, ActionView, BoardCell, MoveArgument, TableView, Tag, Thing } from '../model'

export interface Move { group: ActionGroup; action: ActionView; values: MoveArgument[] }
/** A member that was pressed; or, by its text, a whole value that was chosen from a list. */
export interface Picked { kind: string; name: string; title: string; text: string }
export interface Choice { group: string | null; picks: Picked[] }

type Named = { kind: string; within?: string | null; name: string }

/** A member of a part of a kind is the same as that of the whole. */
const kindOf = (tag: Named) => tag.within ?? tag.kind
export const keyOf = (tag: Named) => `${kindOf(tag)} ${tag.name}`
export const nothing = (): Choice => ({ group: null, picks: [] })
export const pickOf = (tag: Tag): Picked => ({ kind: kindOf(tag), name: tag.name, title: tag.title, text: '' })

export function movesOf(view: TableView): Move[] {
  return view.actions.flatMap(group => group.actions.map(action => ({
    group, action, values: action.arguments.map((value, at) => group.parameters[at].values[value]),
  })))
}

const size = (value: MoveArgument) => value.members.reduce((sum, tag) => sum + tag.copies, 0)

/** Whether a parameter takes several members: they are pressed one by one, and then a button. */
export const isSet = (group: ActionGroup, at: number) => group.parameters[at].values.some(value => size(value) > 1)
const hasSet = (move: Move) => move.values.some((_, at) => isSet(move.group, at))

/** What of a value nobody picked yet, by keys. */
type Rest = Map<string, number>
const whole = (value: MoveArgument): Rest => new Map(value.members.map(tag => [keyOf(tag), tag.copies]))

/** What is left of the values of a move after some picks; nothing where a pick fits none of them. */
function rest(move: Move, picks: Picked[], inOrder: boolean): Rest[] | null {
  const left = move.values.map(whole)
  const used = move.values.map(() => false)
  let from = 0
  for (const pick of picks) {
    const key = keyOf(pick)
    const takes = (at: number) => (pick.text ? !used[at] && move.values[at].text === pick.text : (left[at].get(key) ?? 0) > 0)
    // In order, a value is begun when those before it that are on the table are picked.
    const ats = left.map((_, at) => at).filter(at => !inOrder || at >= from)
    const at = inOrder && !pick.text ? ats.find(at => left[at].size > 0) ?? -1 : ats.find(takes) ?? -1
    if (at < 0 || !takes(at)) return null
    used[at] = true
    if (pick.text) left[at].clear()
    else {
      const count = left[at].get(key)! - 1
      count > 0 ? left[at].set(key, count) : left[at].delete(key)
    }
    if (inOrder) from = at
  }
  return left
}

/** The moves that a choice leaves: picks in the order of a move first, then any. */
export function left(moves: Move[], { group, picks }: Choice): Move[] {
  const named = group === null ? moves : moves.filter(move => move.group.name === group)
  if (picks.length === 0) return named
  const begins = named.filter(move => rest(move, picks, true))
  return begins.length > 0 ? begins : named.filter(move => rest(move, picks, false))
}

const restOf = (move: Move, picks: Picked[]) => rest(move, picks, true) ?? rest(move, picks, false) ?? []

/** Whether a move names nothing on the table beyond what was picked. */
export const isWhole = (move: Move, { picks }: Choice, drawn: Set<string>) => restOf(move, picks).every(it => ![...it.keys()].some(key => drawn.has(key)))

/** Whether everything that a move names was picked, drawn or not. */
export const isSaid = (move: Move, { picks }: Choice) => restOf(move, picks).every((it, at) => it.size === 0 && (picks.some(pick => pick.text === move.values[at].text) || move.values[at].members.length > 0 || move.values[at].means === 'nothing' || isSet(move.group, at)))

/** Whether a move names all of these, as far as it names any of their kinds. */
export function namesAll(move: Move, tags: Tag[]): boolean {
  const named = move.values.flatMap(value => value.members)
  const among = tags.filter(tag => named.some(it => kindOf(it) === kindOf(tag)))
  return among.length > 0 && among.every(tag => named.some(it => keyOf(it) === keyOf(tag)))
}

/** What can be pressed next, by key: the first thing that a move names and nobody picked, and the first cell. */
export function open(moves: Move[], choice: Choice, drawn: Set<string>): Map<string, Tag> {
  const found = new Map<string, Tag>()
  const { picks } = choice
  for (const move of left(moves, choice)) {
    const ats = restOf(move, picks).map((it, at) => [it, at] as const).filter(([it]) => [...it.keys()].some(key => drawn.has(key)))
    const cell = ats.find(([, at]) => move.values[at].means === 'cell')
    for (const [it, at] of new Set([ats[0], cell].filter(it => it !== undefined))) {
      for (const tag of move.values[at].members) if (it.has(keyOf(tag))) found.set(keyOf(tag), tag)
    }
  }
  return found
}

/** The choice after a press: one more, or one fewer where it was picked already. */
export function press(moves: Move[], choice: Choice, tag: Tag): Choice {
  const more = { group: choice.group, picks: [...choice.picks, pickOf(tag)] }
  if (left(moves, more).length > 0) return more
  if (choice.picks.some(it => keyOf(it) === keyOf(tag))) {
    const picks = choice.picks.filter(it => keyOf(it) !== keyOf(tag))
    return { group: picks.length > 0 ? choice.group : null, picks }
  }
  const anew = { group: null, picks: [pickOf(tag)] }
  return left(moves, choice).some(hasSet) || left(moves, anew).length === 0 ? choice : anew
}

/** The only move that a choice leaves, if there is nothing else to say; a set is closed by a button. */
export function only(moves: Move[], choice: Choice, drawn: Set<string>): Move | null {
  const rest = left(moves, choice)
  return rest.length === 1 && isWhole(rest[0], choice, drawn) && !hasSet(rest[0]) ? rest[0] : null
}

export const tagsIn = (thing: Thing): Tag[] => [...thing.elements.flatMap(({ index, value }) => [...index, ...value.members ?? []]), ...thing.grid.flat().flatMap(cell => cell.tag ?? [])]

/** The keys of all that some drawings show. */
export const keysOf = (things: Thing[]) => new Set(things.flatMap(tagsIn).map(keyOf))

/** The keys of all that is drawn on a table. */
export function drawnOf(view: TableView, shown: (thing: Thing) => boolean): Set<string> {
  const things = [...view.table, ...view.players.flat()].filter(shown).flatMap(tagsIn)
  const cells = view.boards.flatMap(board => board.cells.flatMap(cell => tagsOn(board, cell)))
  return new Set([...view.seats.map(seat => ({ kind: 'Player', name: seat.name })), ...things, ...cells].map(keyOf))
}

const inPile = (thing: Thing) => (thing.form === 'pile' ? thing.elements.flatMap(({ value }) => value.members ?? []) : [])

/** The keys that only what lies before the viewer is pressed for: all that a parameter can be lies there, so a move takes from there. */
export function mineOf(view: TableView, shown: (thing: Thing) => boolean): Set<string> {
  const { viewer } = view.head
  const own = new Set(viewer === null ? [] : view.players[viewer].filter(shown).flatMap(inPile).map(keyOf))
  const parameters = view.actions.flatMap(group => group.parameters).map(it => it.values.flatMap(value => value.members.map(keyOf)))
  const others = new Set(parameters.filter(keys => !keys.every(key => own.has(key))).flat())
  return new Set(parameters.flat().filter(key => own.has(key) && !others.has(key)))
}

/** The cards of the viewer that are called as a move is: those in hand, where others hide theirs; else all before the viewer. */
export function facesOf(view: TableView, shown: (thing: Thing) => boolean): { thing: Thing; names: Set<string> }[] {
  const { viewer } = view.head
  if (viewer === null) return []
  const isHidden = (thing: Thing) => view.players.some((things, at) => at !== viewer && things.some(it => it.title === thing.title && it.elements.some(({ value }) => (value.count ?? 0) > (value.members?.length ?? 0))))
  const named = view.players[viewer].filter(shown).map(thing => ({ thing, names: new Set(inPile(thing).map(tag => tag.name).filter(name => view.actions.some(group => group.name === name))) }))
  const inHand = new Set(named.filter(({ thing }) => isHidden(thing)).flatMap(({ names }) => [...names]))
  return named.map(({ thing, names }) => ({ thing, names: isHidden(thing) ? names : new Set([...names].filter(name => !inHand.has(name))) }))
}

/** What is shown: what the view draws, and what a move names that would lie nowhere. */
export function shownOf(view: TableView, everything: boolean): (thing: Thing) => boolean {
  const onBoard = (thing: Thing) => view.boards.some(board => board.name === thing.board)
  const base = (thing: Thing) => everything || (thing.drawn && !onBoard(thing))
  const drawn = drawnOf(view, base)
  const named = view.actions.flatMap(group => group.parameters.flatMap(it => it.values.flatMap(value => value.members.map(keyOf))))
  const wanted = new Set(named.filter(key => !drawn.has(key)))
  return thing => base(thing) || (wanted.size > 0 && !onBoard(thing) && tagsIn(thing).some(tag => wanted.has(keyOf(tag))))
}

/** What a cell of a board stands for: itself, and what lies on it. */
export function tagsOn(board: { name: string }, cell: BoardCell): Tag[] {
  const own: Tag = { kind: board.name, name: cell.name, title: cell.title, short: cell.name, colours: [], copies: 1 }
  return [own, ...cell.pieces.flatMap(piece => piece.value.members ?? [])]
}
