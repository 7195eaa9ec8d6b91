// The question and the moves as buttons: by name, then value by value.
import { h } from '../dom'
import { colour } from '../colours'
import { isSaid, isSet, keyOf, left, nothing, pickOf, press, type Choice, type Move, type Picked } from './pick'
import type { MoveArgument, TableView } from '../model'

/** More moves of one name are offered value by value. */
const MOST_LISTED = 12
/** More buttons of what lies on the table would cover it. */
const MOST_BESIDE = 9

export interface Acting {
  act(move: Move): void
  choose(choice: Choice): void
}

/** `drawn` are the keys of what lies on the table: where there is little room, that is touched instead of a button. */
export function drawMoves(view: TableView, moves: Move[], choice: Choice, drawnKeys: Set<string>, acting: Acting): HTMLElement {
  const open = left(moves, choice)
  const groups = view.actions.filter(group => open.some(move => move.group === group))
  const begun = choice.group !== null || choice.picks.length > 0
  let number = 0
  const key = () => (++number <= 9 ? h('kbd', { 'aria-hidden': true }, String(number)) : null)
  const drawn = groups.map(group => {
    const own = open.filter(move => move.group === group)
    const notes = group.notes && h('small', { class: 'notes' }, group.notes)
    const all = moves.filter(move => move.group === group)
    const takesSet = group.parameters.some((_, at) => isSet(group, at))
    const isDrawn = group.parameters.length > 0 && (takesSet ? all : own).length > 3 && all.every(move => move.values.every(value => value.members.every(tag => drawnKeys.has(keyOf(tag)))) && move.values.some(value => value.members.length > 0))
    const kind = { class: `group ${notes ? 'noted' : ''}` }
    if (!takesSet && (group.parameters.length === 0 || (own.length === 1 && (begun || groups.length > 1)))) {
      return h('div', kind, ...own.map(move => button(move, group.parameters.length === 0 ? group.title : words(move), key(), acting)), notes)
    }
    // What all of them have in common is said once.
    const isShared = (at: number) => own.length > 1 && own.every(move => move.values[at].text === own[0].values[at].text)
    const shared = takesSet ? [] : own[0].values.filter((value, at) => isShared(at) && value.text !== 'none').map(title)
    const heading = h('span', { class: 'group-title' }, [group.title, ...shared].join(' '), isDrawn && h('span', { class: 'hint' }, ': touch it on the table'))
    const buttons = !takesSet && own.length <= MOST_LISTED ? own.map(move => button(move, values(move, at => !isShared(at)), key(), acting)) : steps(group.name, moves, own, choice, key, acting)
    return h('div', { class: `${kind.class} ${isDrawn ? 'drawn' : ''} ${isDrawn && buttons.length > MOST_BESIDE ? 'many' : ''}` }, heading, ...buttons, notes)
  })
  const back = begun && h('button', { class: 'quiet', 'data-cancel': true, onclick: () => acting.choose(nothing()) }, 'Choose again')
  return h('section', { class: 'moves', 'aria-label': 'Moves' },
    h('h2', { class: 'question', tabindex: -1 }, view.question ?? ''),
    begun && h('p', { class: 'begun' }, [choice.group?.replaceAll('_', ' '), ...choice.picks.map(pick => pick.title || pick.text)].filter(Boolean).join(' '), ' … ', back),
    h('div', { class: 'groups' }, ...drawn))
}

const title = (value: MoveArgument) => value.members.map(tag => `${tag.copies > 1 ? `${tag.copies} × ` : ''}${tag.title}`).join(', ') || value.text
/** A move without an optional part does not say so, unless nothing else is left to say. */
const values = (move: Move, keep = (_: number) => true) => {
  const said = move.values.filter((value, at) => value.text !== 'none' && keep(at))
  return (said.length > 0 ? said : move.values).map(title).join(' · ')
}
const words = (move: Move) => `${move.group.title} ${values(move)}`

const paints = (value: Pick<MoveArgument, 'members'>) => (value.members[0]?.colours ?? []).slice(0, 2).map(paint => h('i', { class: 'dot', style: `background: ${colour(paint)}`, 'aria-hidden': true }))

function button(move: Move, label: string, key: Node | null, acting: Acting, kind = ''): HTMLElement {
  const dots = move.values.length === 1 && !isSet(move.group, 0) ? paints(move.values[0]) : []
  return h('button', { class: `move ${kind}`, 'data-label': move.action.label, 'data-plain': move.values.length === 0, title: move.action.label, onclick: () => acting.act(move) }, key, ...dots, !label.startsWith(move.group.title) && h('span', { class: 'unseen' }, `${move.group.title} `), label)
}

/** The values that the next open parameter can have; the members of a set one by one, and what is whole by now. */
function steps(group: string, moves: Move[], own: Move[], choice: Choice, key: () => Node | null, acting: Acting): HTMLElement[] {
  const count = own[0].values.length
  const at = Array.from({ length: count }, (_, at) => at).find(at => new Set(own.map(move => move.values[at].text)).size > 1) ?? 0
  if (isSet(own[0].group, at) && at === count - 1) {
    const members = new Map(moves.filter(move => move.group.name === group).flatMap(move => move.values[at].members.map(tag => [keyOf(tag), tag])))
    const isPicked = (tag: string) => choice.picks.some(pick => keyOf(pick) === tag)
    const toggles = [...members].map(([tag, member]) => h('button', { class: `move step ${isPicked(tag) ? 'on' : ''}`, 'aria-pressed': String(isPicked(tag)), 'data-value': member.name, onclick: () => acting.choose(press(moves, { ...choice, group }, member)) }, key(), ...paints({ members: [member] }), member.title))
    return [...toggles, ...own.filter(move => isSaid(move, choice)).slice(0, 1).map(move => button(move, choice.picks.length > 0 ? move.group.title : `${move.group.title} ${values(move)}`, key(), acting, 'primary'))]
  }
  const seen = new Map(own.map(move => [move.values[at].text, move.values[at]]))
  const picked = Array.from({ length: at }, (_, before) => own[0].values[before])
  return [...seen.values()].map(value => {
    const picks: Picked[] = [...picked, value].map(it => (it.members.length === 1 ? { ...pickOf(it.members[0]), text: it.text } : { kind: '', name: '', title: title(it), text: it.text }))
    const rest = left(own, { group, picks })
    const act = () => (rest.length === 1 && at === count - 1 ? acting.act(rest[0]) : acting.choose({ group, picks }))
    return h('button', { class: 'move step', 'data-value': value.text, onclick: act }, key(), ...paints(value), title(value))
  })
}
