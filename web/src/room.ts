// The room around a table elsewhere: who sits where, who may come in, and what all have to agree on.
import { h, keep, kept, s } from './dom'

export interface RoomSeat { name: string; /** `person`, `free`, or the word of a bot. */ who: string; here: boolean }

export interface RoomNews {
  /** What is played. */
  title?: string
  seats: RoomSeat[]
  proposal: { what: 'undo' | 'rematch'; by: number; agreed: number[] } | null
  note: string | null
  /** A person has decided something: the names stay. */
  named?: boolean
}

export interface Invitation { address: string; watch: string; picture: string[] | null }

/** What a page says in the room. */
export type RoomAsk =
  | { ask: 'invite' } | { ask: 'claim'; seat: number; name?: string } | { ask: 'stand_up' } | { ask: 'resign' } | { ask: 'bot'; seat: number; bot: string }
  | { ask: 'propose'; what: 'undo' | 'rematch' } | { ask: 'answer'; agrees: boolean }

/** Bots that know every game, in plain words first. */
const BOTS = [['random', 'easy'], ['greedy', 'middle'], ['mcts:200', 'stronger']].map(([bot, plain]) => [bot, `${plain}: ${bot}`])

const PLANS = { undo: 'take the last move back', rematch: 'play again' }
export const ASKED = { undo: 'take back?', rematch: 'play again?' }

const NAME = 'astragal name'
const seatOf = (word: string) => `astragal seat ${word}`

export const isBotAt = ({ who }: RoomSeat) => who !== 'person' && who !== 'free'

function state({ who, here }: RoomSeat): string {
  if (who === 'free') return 'free'
  if (who !== 'person') return `a bot (${BOTS.find(([bot]) => bot === who)?.[1] ?? who})`
  return here ? 'here' : 'away'
}

/** The picture of an address, for a phone. */
function picture(rows: string[]): SVGElement {
  const dark = rows.flatMap((row, y) => [...row].flatMap((point, x) => (point === '1' ? [`M${x} ${y}h1v1h-1z`] : [])))
  return s('svg', { viewBox: `0 0 ${rows.length} ${rows.length}`, class: 'invitation', role: 'img', 'aria-label': 'The address of this table' }, s('rect', { width: '100%', height: '100%', fill: '#fff' }), s('path', { d: dark.join(''), fill: '#000' }))
}

export function drawInvitation({ address, watch, picture: rows }: Invitation, close: () => void): HTMLElement {
  return h('section', { class: 'invite', 'aria-label': 'Invitation' }, rows && picture(rows), h('div', {},
    h('p', {}, 'Others come in at ', h('a', { href: address }, address)), h('p', {}, 'The word of this table: ', h('b', { class: 'word' }, address.split('#table=')[1])),
    h('p', {}, 'To watch, also on a screen in the middle of the table: ', h('a', { href: watch }, watch)), h('button', { onclick: close }, 'Hide')))
}

export interface SeatedRoom {
  own: number | null
  bot(seat: number, bot: string): void
  propose(what: 'undo' | 'rematch'): void
  answer(agrees: boolean): void
  standUp(): void
  rename(name: string): void
  /** Asks whether the person gives up; nothing where the game is over. */
  resign: (() => void) | null
  /** Another seat on this device. */
  more(): void
  invite(): void
}

/** The room as somebody at a seat sees it. */
export function drawRoom(room: RoomNews, seated: SeatedRoom): HTMLElement {
  const seat = (it: RoomSeat, at: number) => {
    const isOwn = at === seated.own
    const isOpen = isOwn || it.who !== 'person' || !it.here
    const isBot = isBotAt(it)
    const change = (event: Event) => { const { value } = event.target as HTMLSelectElement; if (value) seated.bot(at, value) }
    const who = isOpen && h('select', { 'aria-label': `Who plays for ${it.name}`, onchange: change }, h('option', { value: '' }, isBot ? 'change …' : it.who === 'free' ? 'Let a bot play' : 'Let a bot play on'), isBot && h('option', { value: 'human' }, 'a person'), ...BOTS.map(([bot, words]) => h('option', { value: bot }, words)))
    const ask = () => { const name = prompt('Your name:', it.name)?.trim(); if (name) seated.rename(name) }
    return h('li', {}, h('b', {}, it.name), ' ', isOwn ? `you${isBot ? `, ${state(it)} plays on` : ''}` : state(it), ' ', isOwn && !room.named && h('button', { id: 'rename', onclick: ask }, 'My name …'), ' ', who)
  }
  return h('div', { class: 'room' }, h('ul', {}, ...room.seats.map(seat)),
    h('div', { class: 'bar' },
      h('button', { id: 'invite', onclick: () => seated.invite() }, 'Invite others'),
      h('button', { id: 'propose-undo', onclick: () => seated.propose('undo') }, 'Take back'),
      h('button', { id: 'propose-rematch', onclick: () => seated.propose('rematch') }, 'Play again'),
      seated.resign && h('button', { id: 'resign', onclick: seated.resign }, 'Resign'),
      h('button', { id: 'more', onclick: () => seated.more() }, 'Another seat here'),
      h('button', { id: 'stand-up', onclick: () => seated.standUp() }, 'Stand up')))
}

/** What somebody proposed, with the own voice. */
export function drawProposal(room: RoomNews, seated: SeatedRoom): HTMLElement | null {
  const { proposal, note } = room
  if (!proposal) return note === null ? null : h('p', {}, seated.own !== null && note === `${room.seats[seated.own].name} does not agree.` ? 'You do not agree.' : note)
  const name = (at: number) => room.seats[at].name
  const missing = room.seats.flatMap((it, at) => (it.who === 'person' && it.here && !proposal.agreed.includes(at) ? [it.name] : []))
  if (seated.own === null || proposal.agreed.includes(seated.own)) return h('p', {}, `${proposal.by === seated.own ? 'You' : name(proposal.by)} would like to ${PLANS[proposal.what]}. Waiting for ${missing.join(' and ')}.`)
  return h('p', {}, `${name(proposal.by)} would like to ${PLANS[proposal.what]}. `, h('button', { id: 'agree', class: 'primary', onclick: () => seated.answer(true) }, 'Agree'), ' ', h('button', { id: 'disagree', onclick: () => seated.answer(false) }, 'No'))
}

/** The room as somebody sees it who has no seat yet, or takes one beside the `own` of this device. */
export function drawDoor(room: RoomNews, word: string, own: string, problem: string, claim: (seat: number, name: string) => void): HTMLElement {
  const field = h('input', { type: 'text', 'data-key': 'name', maxlength: 20, value: own ? '' : kept(NAME), 'aria-label': 'Your name', placeholder: 'Your name', autocomplete: 'nickname', oninput: () => own || keep(NAME, field.value) })
  const sit = (seat: number) => claim(seat, room.named ? '' : field.value)
  const before = own || kept(seatOf(word))
  const isFull = room.seats.every(it => it.who === 'person')
  const seat = (it: RoomSeat, at: number) => h('li', {}, h('b', {}, it.name), ` ${state(it)} `, it.who !== 'person' && h('button', { class: 'primary', 'aria-label': `Sit at the seat of ${it.name}`, onclick: () => sit(at) }, 'Sit here'))
  return h('div', { class: 'door' }, h('h1', {}, isFull ? 'All seats are taken' : 'Choose a seat'), room.title && h('p', {}, 'This table plays ', h('b', {}, room.title), '.'),
    before && h('p', {}, h('a', { href: `#seat=${before}` }, 'Back to the seat that you had')),
    problem && h('p', { class: 'notice', role: 'alert' }, problem),
    isFull ? h('p', {}, 'No seat is free. Whoever opened the table can lay it for more players (', h('code', {}, '--players'), '), or somebody stands up.')
      : room.named ? h('p', {}, 'The game is under way: its names stay.') : h('label', {}, 'Your name ', field),
    h('ul', {}, ...room.seats.map(seat)),
    h('p', {}, h('a', { href: `#watch=${encodeURIComponent(word)}` }, 'Only watch')))
}

/** Goes to a seat that was taken, and this device finds it again; or to the door, with no seat. */
export function goToSeat(word: string, token: string | null): void {
  keep(seatOf(word), token)
  location.hash = token ? `#seat=${token}` : `#table=${word}`
}

/** Asks for the word of the table. */
export function askWord(): HTMLElement {
  const field = h('input', { type: 'text', 'data-key': 'word', 'aria-label': 'Word of the table', autocapitalize: 'off', spellcheck: 'false' })
  const enter = (event: Event) => { event.preventDefault(); if (field.value.trim()) location.hash = `#table=${encodeURIComponent(field.value.trim())}` }
  return h('form', { class: 'door', onsubmit: enter }, h('h1', {}, 'Come in'), h('label', {}, 'The word of the table ', field), ' ', h('button', { class: 'primary' }, 'Come in'), h('p', {}, 'If you have a link to a seat, open that: it ends with #seat= and a long word.'))
}
