// The question and the moves as buttons: by name, then value by value.
import { h } from '../dom'
import { colour } from '../colours'
import { left, type Move, type Picked } from './pick'
import type { MoveArgument, TableView } from '../model'

/** More moves of one name are offered value by value. */
const MOST_LISTED = 12

export interface Choice { group: string | null; picks: Picked[] }

export interface Acting {
  act(move: Move): void
  choose(choice: Choice): void
}

export function drawMoves(view: TableView, moves: Move[], choice: Choice, acting: Acting): HTMLElement {
  const open = left(moves, choice.group, choice.picks)
  const groups = view.actions.filter(group => open.some(move => move.group === group))
  const begun = choice.group !== null || choice.picks.length > 0
  let number = 0
  const key = () => (++number <= 9 ? h('kbd', { 'aria-hidden': true }, String(number)) : null)
  const drawn = groups.map(group => {
    const own = open.filter(move => move.group === group)
    const notes = group.notes && h('small', { class: 'notes' }, group.notes)
    const kind = { class: notes ? 'group noted' : 'group' }
    if (group.parameters.length === 0 || (own.length === 1 && (begun || groups.length > 1))) {
      return h('div', kind, ...own.map(move => button(move, group.parameters.length === 0 ? group.title : words(move), key(), acting)), notes)
    }
    const title = h('span', { class: 'group-title' }, group.title)
    if (own.length <= MOST_LISTED) {
      return h('div', kind, title, ...own.map(move => button(move, values(move), key(), acting)), notes)
    }
    return h('div', kind, title, ...steps(group.name, own, key, acting), notes)
  })
  const back = begun && h('button', { class: 'quiet', 'data-cancel': true, onclick: () => acting.choose({ group: null, picks: [] }) }, 'Choose again')
  return h('section', { class: 'moves', 'aria-label': 'Moves' },
    h('h2', { class: 'question', tabindex: -1 }, view.question ?? ''),
    begun && h('p', { class: 'begun' }, [choice.group?.replaceAll('_', ' '), ...choice.picks.map(pick => pick.text || pick.name)].filter(Boolean).join(' '), ' … ', back),
    h('div', { class: 'groups' }, ...drawn))
}

const title = (value: MoveArgument) => value.members.map(tag => tag.title).join(', ') || value.text
/** A move without an optional part does not say so, unless nothing else is left to say. */
const values = (move: Move) => {
  const said = move.values.filter(value => value.text !== 'none')
  return (said.length > 0 ? said : move.values).map(title).join(' · ')
}
const words = (move: Move) => `${move.group.title} ${values(move)}`

const paints = (value: MoveArgument) => (value.members[0]?.colours ?? []).slice(0, 2).map(paint => h('i', { class: 'dot', style: `background: ${colour(paint)}`, 'aria-hidden': true }))

function button(move: Move, label: string, key: Node | null, acting: Acting): HTMLElement {
  const dots = move.values.length === 1 ? paints(move.values[0]) : []
  return h('button', { class: 'move', 'data-label': move.action.label, title: move.action.label, onclick: () => acting.act(move) }, key, ...dots, !label.startsWith(move.group.title) && h('span', { class: 'unseen' }, `${move.group.title} `), label)
}

/** The values that the next open parameter can have. */
function steps(group: string, own: Move[], key: () => Node | null, acting: Acting): HTMLElement[] {
  const count = own[0].values.length
  const at = Array.from({ length: count }, (_, at) => at).find(at => new Set(own.map(move => move.values[at].text)).size > 1) ?? 0
  const seen = new Map(own.map(move => [move.values[at].text, move.values[at]]))
  const picked = Array.from({ length: at }, (_, before) => own[0].values[before])
  return [...seen.values()].map(value => {
    const picks: Picked[] = [...picked, value].map(it => ({ means: it.means, kind: it.members[0]?.kind ?? '', name: title(it), text: it.text }))
    const rest = left(own, group, picks)
    const only = rest.length === 1 ? rest[0] : null
    const act = () => (only && at === count - 1 ? acting.act(only) : acting.choose({ group, picks }))
    return h('button', { class: 'move step', 'data-value': value.text, onclick: act }, key(), ...paints(value), title(value))
  })
}
