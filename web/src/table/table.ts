// The table of one seat: head, seats, boards, what lies around, what happened, what can be done.
import { folded, h } from '../dom'
import { colour } from '../colours'
import { drawBoards } from './board'
import { drawMoves } from './moves'
import { drawThing } from './things'
import { drawnOf, facesOf, keyOf, keysOf, left, mineOf, movesOf, namesAll, nothing, only, open, press, shownOf, tagsIn, type Choice, type Move } from './pick'
import type { LogEntry, Looked, SeatView, Status, TableView, Tag, Thing } from '../model'

/** What can be pressed, on boards and beside them. */
export interface Pointing {
  /** What a press on the first of these that can be pressed does, if any; or on all that can be, one after the other. */
  press(tags: Tag[], all?: boolean): (() => void) | null
  /** Whether one of these is what is asked for next. */
  isOpen(tags: Tag[]): boolean
  isPicked(tags: Tag[]): boolean
  /** Those of the headings of a drawing that are pressed there: of others none that lie nearer, too. */
  places(tags: Tag[]): Tag[]
  /** Whether a move names all of these, as far as it names any of their kinds. */
  fits?(tags: Tag[]): boolean
  /** Nothing is ever pressed: it is a picture. */
  isStill?: boolean
}

export interface Table {
  /** Makes a move. */
  act(label: string): unknown
  draw(): void
  /** Whether moves can be made: not while looking back. */
  live(): boolean
  everything: boolean
  /** Who sits at a seat, if that is to be said: a bot, or nobody. */
  note?(seat: number): string | null
  /** What stands where moves would, while others decide. */
  pause?(): HTMLElement | null
  /** Begins the next game. */
  again?(): void
}

/** So many lines of what happened are always in sight. */
const LAST = 4

export class DrawnTable {
  private choice: Choice = nothing()
  /** What was drawn last, by key: what is other than that has just happened. */
  private before = new Map<string, string>()

  constructor(private table: Table) {}

  /** Forgets what was picked: there is another position. */
  forget = () => { this.choice = nothing() }

  private asks = (looked: Pick<Looked, 'view' | 'needs_person'>) => this.table.live() && looked.needs_person && looked.view.actions.length > 0

  /** The question and the moves, for a bar in reach of a thumb. */
  bar(looked: Pick<Looked, 'view' | 'needs_person'>): HTMLElement | null {
    if (!this.asks(looked)) return this.table.pause?.() ?? null
    return drawMoves(looked.view, movesOf(looked.view), this.choice, drawnOf(looked.view, shownOf(looked.view, this.table.everything)), { act: move => this.act(move), choose: choice => this.choose(choice) })
  }

  draw(looked: Pick<Looked, 'view' | 'needs_person'>): HTMLElement {
    const { view } = looked
    const moves = this.asks(looked) ? movesOf(view) : []
    const shown = shownOf(view, this.table.everything)
    const drawn = drawnOf(view, shown)
    const pointing = this.pointing(moves, drawn)
    // What a move takes from the own seat is pressed there and nowhere else.
    const mine = mineOf(view, shown)
    const not = (keys: Set<string>, reach: Pointing): Pointing => {
      const rest = (tags: Tag[]) => tags.filter(tag => !keys.has(keyOf(tag)))
      return { ...reach, press: (tags, all) => reach.press(rest(tags), all), isOpen: tags => reach.isOpen(rest(tags)), isPicked: tags => reach.isPicked(rest(tags)) }
    }
    const middling = not(mine, pointing)
    const faces = new Map(moves.length === 0 ? [] : facesOf(view, shown).map(({ thing, names }) => [thing, names]))
    const things = (list: Thing[], reach = middling) => list.filter(shown).map(thing => drawThing(thing, view.cards, this.calling(moves, drawn, faces.get(thing), reach)))
    // The own seat is nearest; the others follow in the order of play, each in a strip.
    const viewer = view.head.viewer
    const near = keysOf([...view.table, ...viewer === null ? [] : view.players[viewer] ?? []].filter(shown))
    const boards = drawBoards(view.boards.filter(board => board.owner === null), view.seats, middling)
    const middle = things(view.table)
    const seat = (at: number) => {
      const own = drawBoards(view.boards.filter(board => board.owner === at), view.seats, pointing)
      const reach = viewer === null || viewer === at ? pointing : { ...middling, places: (tags: Tag[]) => tags.filter(tag => !near.has(keyOf(tag))) }
      return drawSeat(view.seats[at], at, view, [...own, ...things(view.players[at] ?? [], reach)], pointing, this.table.note?.(at) ?? null)
    }
    const order = view.seats.map((_, at) => (viewer === null ? at : (viewer + 1 + at) % view.seats.length))
    const own = viewer === null ? [] : [order.pop()!]
    const body = h('div', { class: `table ${boards.length > 0 ? 'with-board' : ''} ${boards.some(it => it.matches('.broad')) ? 'broad' : ''}` },
      drawHead(view, this.table.again),
      this.drawLog(view),
      order.length > 0 && h('div', { class: viewer === null ? 'seats' : 'seats others' }, ...order.map(seat)),
      boards.length > 0 && h('div', { class: 'boards' }, ...boards),
      middle.length > 0 && h('div', { class: 'things' }, ...middle),
      ...own.map(at => h('div', { class: 'seats own' }, seat(at))))
    this.markNew(body)
    this.body = body
    if (moves.length > 0 && this.choice.picks.length === 0) this.reveal()
    else requestAnimationFrame(() => this.turnBoards())
    return body
  }

  private body: HTMLElement | null = null
  /** How far a board is moved that is wider than the table, by its name. */
  private moved = new Map<string, number>()

  /** Brings into sight what can be pressed: on a board, or else in the own hand, above the bar. */
  reveal(): void {
    requestAnimationFrame(() => {
      this.turnBoards()
      const { body } = this
      // An invitation is read first.
      if (document.querySelector('.invite')) return
      const own = body?.querySelector<HTMLElement>('.own')
      const board = body?.querySelector('.boards .open')?.closest<HTMLElement>('.wide')
      const beside = own?.querySelector('.open') ? null : body?.querySelector('.things .open')?.closest<HTMLElement>('.thing')
      // The bar below lies above it.
      const bar = (document.querySelector<HTMLElement>('.foot')?.offsetHeight ?? 0) + 8
      const show = (part: HTMLElement, block: ScrollLogicalPosition) => {
        part.style.scrollMarginBottom = `${bar}px`
        part.scrollIntoView({ block })
      }
      if (board) return show(board, 'nearest')
      if (own) show(own, 'end')
      if (beside) show(beside, 'nearest')
    })
  }

  /** A board that is drawn anew stays where people moved it; at first what can be pressed lies in its middle. */
  private turnBoards(): void {
    for (const board of this.body?.querySelectorAll<HTMLElement>('.wide') ?? []) {
      const name = board.getAttribute('aria-label') ?? ''
      const first = board.querySelector('.open')?.getBoundingClientRect()
      const middle = first && first.left - board.getBoundingClientRect().left + first.width / 2 - board.clientWidth / 2
      board.scrollLeft = this.moved.get(name) ?? middle ?? 0
      const laid = board.scrollLeft
      // An edge with more behind it fades.
      const hides = { before: () => board.scrollLeft > 4, after: () => board.scrollLeft + board.clientWidth < board.scrollWidth - 4 }
      const fade = () => Object.entries(hides).forEach(([edge, isHidden]) => board.classList.toggle(edge, isHidden()))
      fade()
      board.addEventListener('scroll', () => { if (board.scrollLeft !== laid) this.moved.set(name, board.scrollLeft); fade() }, { passive: true })
    }
  }

  /** What happened last; what happened before that is folded. */
  private drawLog(view: TableView): HTMLElement {
    const lines = drawLog(view, view.log)
    const before = lines.splice(0, Math.max(0, lines.length - LAST))
    const earlier = before.length > 0 && folded('log', '', `${before.length} more before`, h('ol', {}, ...before))
    return h('section', { class: 'log', 'aria-label': 'What happened', 'aria-live': 'polite' },
      ...lines.length > 0 ? [earlier, h('ol', {}, ...lines)] : [h('p', { class: 'nothing' }, 'Nothing happened yet.')])
  }

  private pointing(moves: Move[], drawn: Set<string>): Pointing {
    const { choice } = this
    const next = open(moves, choice, drawn)
    // Another beginning may be pressed, too.
    const others = choice.picks.length > 0 ? open(moves, nothing(), drawn) : next
    const picked = new Set(choice.picks.map(keyOf))
    const isOpen = (tags: Tag[]) => tags.some(tag => next.has(keyOf(tag)))
    return {
      isOpen,
      places: tags => tags,
      fits: tags => tags.length < 2 || (choice.picks.length > 0 ? moves : left(moves, choice)).some(move => namesAll(move, tags)),
      isPicked: tags => tags.some(tag => picked.has(keyOf(tag))),
      press: (tags, all) => {
        const found = [next, picked, others].map(keys => tags.find(tag => keys.has(keyOf(tag)))).find(Boolean)
        return found ? () => this.point(moves, [found, ...all ? tags.filter(tag => tag !== found) : []], drawn) : null
      },
    }
  }

  /** A card that is called as a move is pressed for that move, as its button is. */
  private calling(moves: Move[], drawn: Set<string>, names: Set<string> | undefined, reach: Pointing): Pointing {
    if (!names?.size) return reach
    const { choice } = this
    const isBegun = choice.group !== null || choice.picks.length > 0
    const called = (tags: Tag[]) => tags.find(tag => names.has(tag.name))?.name
    const call = (group: string, move = only(moves, { group, picks: [] }, drawn)) => (move ? this.act(move) : this.choose({ group, picks: [] }))
    return {
      ...reach,
      isOpen: tags => reach.isOpen(tags) || !isBegun && called(tags) !== undefined,
      isPicked: tags => reach.isPicked(tags) || choice.group !== null && called(tags) === choice.group,
      press: (tags, all) => {
        const name = called(tags)
        return name === undefined || isBegun && reach.isOpen(tags) ? reach.press(tags, all) : () => call(name)
      },
    }
  }

  /** Marks what is drawn otherwise than before: it has just moved, or was rolled or drawn. */
  private markNew(body: HTMLElement): void {
    const now = new Map<string, string>()
    for (const element of body.querySelectorAll<HTMLElement>('[data-spot]')) {
      const [spot, words] = [element.dataset.spot!, element.getAttribute('aria-label') ?? element.textContent ?? '']
      now.set(spot, words)
      if (this.before.size > 0 && this.before.get(spot) !== words) element.classList.add('fresh')
    }
    this.before = now
  }

  private act(move: Move): void {
    this.forget()
    this.table.act(move.action.label)
  }

  private choose(choice: Choice): void {
    this.choice = choice
    this.table.draw()
  }

  private point(moves: Move[], tags: Tag[], drawn: Set<string>): void {
    const choice = tags.reduce((choice, tag, at) => (at === 0 || open(moves, choice, drawn).has(keyOf(tag)) ? press(moves, choice, tag) : choice), this.choice)
    const move = only(moves, choice, drawn)
    if (move) return this.act(move)
    const groups = new Set(left(moves, choice).map(it => it.group.name))
    this.choose({ ...choice, group: choice.group ?? (groups.size === 1 && choice.picks.length > 0 ? [...groups][0] : null) })
  }
}

export function drawLog(view: TableView, log: LogEntry[]): HTMLElement[] {
  const titles = titlesOf(view)
  const name = (seat: SeatView) => h('b', { style: `--seat: ${colour(seat.colour)}` }, seat.name)
  return log.map(entry => h('li', { class: entry.what }, entry.seat !== null && name(view.seats[entry.seat]), entry.seat !== null && ' ', inWords(entry, titles)))
}

/** What moves and draws name by names of the rules, as the table calls it. */
function inWords({ what, text }: LogEntry, titles: Map<string, string>): string {
  const called = (name: string) => titles.get(name.replaceAll('_', ' ')) ?? name.replaceAll('_', ' ')
  const words = what === 'draw' ? text.replace(/: (.+)$/, (_, names) => `: ${names.split(', ').map(called).join(', ')}`) : what === 'move' || what === 'forced' ? text.split(' ').map(called).join(' ') : text
  return words.charAt(0).toUpperCase() + words.slice(1).replaceAll('_', ' ')
}

/** The titles of what is seen on a table. */
function titlesOf(view: TableView): Map<string, string> {
  const tags = [...view.table, ...view.players.flat()].flatMap(tagsIn)
  const named = [...view.actions.flatMap(group => [group, ...group.parameters.flatMap(it => it.values.flatMap(value => value.members))]), ...view.cards, ...tags]
  return new Map(named.filter(it => it.title).map(({ name, title }) => [name.replaceAll('_', ' '), title]))
}

function drawHead(view: TableView, again?: () => void): HTMLElement {
  const { head } = view
  const facts = [...head.turn !== null ? [`turn ${head.turn}`] : [], ...head.options.map(option => `${option.title || option.name.replaceAll('_', ' ')}: ${option.value}`)]
  return h('header', { class: 'head' },
    h('h1', {}, head.title), facts.length > 0 && h('span', { class: 'facts' }, facts.join(' · ')),
    head.result !== null && drawEnd(view, head.result, again))
}

/** Who won and how all came in, and the next game. */
function drawEnd(view: TableView, result: string, again?: () => void): HTMLElement {
  const rank = ({ place, status }: SeatView) => place ?? (status === 'won' ? 0 : 99)
  const seats = [...view.seats].sort((a, b) => rank(a) - rank(b))
  const row = (seat: SeatView) => h('li', { style: `--seat: ${colour(seat.colour)}` }, seat.place !== null && `${seat.place}. `, h('b', {}, seat.name), ' ', STATUS[seat.status], ...seat.standing.map(it => h('span', {}, ` · ${it.value} ${it.title}`)))
  return h('section', { class: 'end', 'aria-label': 'The end' }, h('p', { class: 'result', role: 'status' }, result), h('ol', {}, ...seats.map(row)), again && h('button', { class: 'primary', id: 'again', onclick: again }, 'Play again'))
}

const STATUS: Record<Status, string> = { decides: 'to decide', waits: '', out: 'out', won: 'won', lost: 'lost', drew: 'drew' }

function drawSeat(seat: SeatView, at: number, view: TableView, things: (HTMLElement | SVGElement)[], pointing: Pointing, note: string | null): HTMLElement {
  const tags = [{ kind: 'Player', name: seat.name, title: seat.name, short: '', colours: [], copies: 1 }]
  const press = pointing.press(tags)
  const shown = new Set(seat.standing.map(standing => standing.title))
  const standing = seat.standing.map(it => h('span', { class: 'standing' }, h('b', {}, String(it.value)), ' ', it.title))
  const name = `${seat.name}${seat.title ? ` (${seat.title})` : ''}`
  const heading = press
    ? h('button', { class: `seat-name ${pointing.isOpen(tags) ? 'open' : ''} ${pointing.isPicked(tags) ? 'picked' : ''}`, onclick: press, 'data-key': `Player ${seat.name}` }, name)
    : h('span', { class: 'seat-name' }, name)
  const rest = things.filter(thing => !(thing.matches('.coin, .number') && shown.has(thing.querySelector('.title')?.textContent ?? '')))
  return h('section', { class: `seat ${seat.status}`, style: `--seat: ${colour(seat.colour)}`, 'aria-label': name },
    h('h2', {}, heading, at === view.head.viewer && h('span', { class: 'tag' }, 'you'), note && h('span', { class: 'tag' }, note), seat.place !== null && h('span', { class: 'status' }, `${seat.place}.`), STATUS[seat.status] && h('span', { class: `status ${seat.status}` }, STATUS[seat.status]), ...standing),
    rest.length > 0 && h('div', { class: 'rest' }, ...rest))
}
