// The table of one seat: head, seats, boards, what lies around, what happened, what can be done.
import { h } from '../dom'
import { colour } from '../colours'
import { drawBoards } from './board'
import { drawMoves, type Choice } from './moves'
import { drawThing } from './things'
import { isPicked, keyOf, left, movesOf, open, type Move, type Picked } from './pick'
import type { LogEntry, Looked, Means, SeatView, Status, TableView, Tag, Thing } from '../model'

export interface Table {
  /** Makes a move. */
  act(label: string): void
  redraw(): void
  /** Whether moves can be made: not while looking back. */
  live: boolean
  everything: boolean
  /** Whether nobody sits at a seat just now. */
  isAway?(seat: number): boolean
  /** What stands where moves would, while others decide. */
  pause?(): HTMLElement | null
}

export class DrawnTable {
  private choice: Choice = { group: null, picks: [] }

  constructor(private table: Table) {}

  /** Forgets what was picked: there is another position. */
  forget(): void {
    this.choice = { group: null, picks: [] }
  }

  draw(looked: Pick<Looked, 'view' | 'needs_person'>): HTMLElement {
    const { view } = looked
    const asks = this.table.live && looked.needs_person && view.actions.length > 0
    const moves = asks ? movesOf(view) : []
    const rest = left(moves, this.choice.group, this.choice.picks)
    const pointable = open(rest, this.choice.picks)
    const picked = (tag: { kind: string; name: string }) => this.choice.picks.some(pick => keyOf(pick) === keyOf(tag))
    const pick = (tag: Tag, means: Means) => (pointable.has(keyOf(tag)) ? () => this.point(moves, { means, kind: tag.kind, name: tag.name, text: '' }) : null)
    const tags = { tag: (tag: Tag) => pick(tag, 'member'), isPicked: picked }
    const cells = {
      cell: (board: { name: string }, cell: { name: string }) => {
        const tag = pointable.get(`${board.name} ${cell.name}`)
        return tag ? pick(tag, 'cell') : null
      },
      isPicked: (board: { name: string }, cell: { name: string }) => picked({ kind: board.name, name: cell.name }),
    }
    const shown = (thing: Thing) => this.table.everything || (thing.drawn && !view.boards.some(board => board.name === thing.board))
    const things = (list: Thing[]) => list.filter(shown).map(thing => drawThing(thing, view.cards, tags))
    const boards = drawBoards(view.boards.filter(board => board.owner === null), view.seats, cells)
    const middle = things(view.table)
    const seats = view.seats.map((seat, at) => {
      const own = drawBoards(view.boards.filter(board => board.owner === at), view.seats, cells)
      const tag = [...pointable.values()].find(it => it.kind === 'Player' && it.name === seat.name)
      const press = tag ? pick(tag, 'seat') : null
      const isAway = this.table.isAway?.(at) ?? false
      return drawSeat(seat, at, view, [...own, ...things(view.players[at] ?? [])], press, isAway)
    })
    const body = h('div', { class: 'table' },
      drawHead(view),
      asks ? drawMoves(view, moves, this.choice, { act: move => this.act(move), choose: choice => this.choose(choice) }) : this.table.pause?.(),
      drawLog(view),
      (boards.length > 0 || middle.length > 0) && h('div', { class: `middle ${boards.length > 0 ? 'with-board' : ''}` },
        boards.length > 0 && h('div', { class: 'boards' }, ...boards), middle.length > 0 && h('div', { class: 'things' }, ...middle)),
      h('div', { class: 'seats' }, ...seats))
    return body
  }

  private act(move: Move): void {
    this.forget()
    this.table.act(move.action.label)
  }

  private choose(choice: Choice): void {
    this.choice = choice
    this.table.redraw()
  }

  private point(moves: Move[], pick: Picked): void {
    const again = this.choice.picks.some(it => keyOf(it) === keyOf(pick))
    const picks = again ? [] : [...this.choice.picks, pick]
    const rest = left(moves, this.choice.group, picks)
    if (rest.length === 1 && isPicked(rest[0], picks)) return this.act(rest[0])
    this.choose(rest.length > 0 ? { group: this.choice.group, picks } : { group: null, picks: [pick] })
  }
}

function drawHead(view: TableView): HTMLElement {
  const { head } = view
  const facts = [
    head.turn !== null && `turn ${head.turn}`,
    ...head.options.map(option => `${option.title || option.name.replaceAll('_', ' ')}: ${option.value}`),
  ].filter(Boolean)
  return h('header', { class: 'head' },
    h('h1', {}, head.title), facts.length > 0 && h('span', { class: 'facts' }, facts.join(' · ')),
    head.result && h('p', { class: 'result', role: 'status' }, head.result))
}

const STATUS: Record<Status, string> = { decides: 'to decide', waits: '', out: 'out', won: 'won', lost: 'lost', drew: 'drew' }

function drawSeat(seat: SeatView, at: number, view: TableView, things: (HTMLElement | SVGElement)[], press: (() => void) | null, isAway: boolean): HTMLElement {
  const shown = new Set(seat.standing.map(standing => standing.title))
  const standing = seat.standing.map(it => h('span', { class: 'standing' }, h('b', {}, String(it.value)), ' ', it.title))
  const name = `${seat.name}${seat.title ? ` (${seat.title})` : ''}`
  const heading = press
    ? h('button', { class: 'seat-name open', onclick: press, 'data-key': `Player ${seat.name}` }, name)
    : h('span', { class: 'seat-name' }, name)
  const rest = things.filter(thing => !(thing.matches('.coin, .number') && shown.has(thing.querySelector('.title')?.textContent ?? '')))
  return h('section', { class: `seat ${seat.status}`, style: `--seat: ${colour(seat.colour)}`, 'aria-label': name },
    h('h2', {}, heading, at === view.head.viewer && h('span', { class: 'tag' }, 'you'), isAway && h('span', { class: 'tag' }, 'away'), seat.place !== null && h('span', { class: 'status' }, `${seat.place}.`), STATUS[seat.status] && h('span', { class: `status ${seat.status}` }, STATUS[seat.status]), ...standing),
    rest.length > 0 && h('div', { class: 'rest' }, ...rest))
}

function drawLog(view: TableView): HTMLElement {
  const line = (entry: LogEntry) => {
    const seat = entry.seat === null ? null : view.seats[entry.seat]
    return h('li', { class: entry.what }, seat && h('b', { style: `--seat: ${colour(seat.colour)}` }, seat.name), seat && ' ', entry.text.replaceAll('_', ' '))
  }
  return h('section', { class: 'log', 'aria-label': 'What happened', 'aria-live': 'polite' },
    view.log.length > 0 ? h('ol', {}, ...view.log.map(line)) : h('p', { class: 'nothing' }, 'Nothing happened yet.'))
}
