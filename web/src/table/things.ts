// What lies on the table beside boards: dice, cards, coins, numbers, sheets.
import { folded, h, pressable, s } from '../dom'
import { colour, ink } from '../colours'
import { tagsIn } from './pick'
import type { Pointing } from './table'
import type { Card, Element, Tag, Thing, ViewCell } from '../model'

/** Piles with more cards are shown as a line of names. */
const MOST_CARDS = 14

/** More names of cards in a line are folded, unless one of them can be pressed. */
const MOST_NAMES = 6

/** Longer words in a sheet give way to signs, if there are some. */
const LONGEST = 12

const PIPS: [number, number][][] = [
  [[2, 2]], [[1, 1], [3, 3]], [[1, 1], [2, 2], [3, 3]], [[1, 1], [1, 3], [3, 1], [3, 3]],
  [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]], [[1, 1], [1, 3], [2, 1], [2, 3], [3, 1], [3, 3]],
]

export function drawThing(thing: Thing, cards: Card[], pointing: Pointing): HTMLElement {
  if (isUnseen(thing) && !pointing.press(pointing.places(tagsIn(thing)))) return row(thing, h('span', { class: 'legend' }, 'hidden'))
  if (thing.form === 'die' && thing.elements.length > 0) return row(thing, drawDice(thing, pointing))
  if (thing.form === 'pile' && thing.elements.length > 0) return drawPile(thing, cards, pointing)
  if (thing.grid.length > 0) return drawSheet(thing, pointing)
  if (thing.form === 'coin' || thing.form === 'number') return drawNumbers(thing, pointing)
  return row(thing, ...thing.elements.length > 0 ? [drawValues(thing, pointing)] : [h('span', {}, thing.value)])
}

/** Whether the viewer sees nothing of all that it holds. */
function isUnseen({ grid, elements, value }: Thing): boolean {
  const texts = grid.length > 0 ? grid.slice(1).flatMap(row => row.slice(1).map(it => it.text)) : elements.map(it => (it.value.count ? '' : it.value.text))
  return texts.length > 0 ? texts.every(text => text === '?') : value === '?'
}

const row = (thing: Thing, ...children: (Node | string)[]) =>
  h('div', { class: `thing ${thing.form}` }, h('span', { class: 'title' }, thing.title), ...children)

const indexOf = (element: Element) => element.index.map(tag => tag.title).join(' ')

function drawDice(thing: Thing, pointing: Pointing): HTMLElement {
  const dice = thing.elements.map(element => {
    const member = element.value.members?.[0]
    const base = colour(member?.colours[0] ?? element.index[0]?.colours[0] ?? 'white')
    const words = element.value.text
    const title = `${indexOf(element) || thing.title}: ${words}`
    const die = drawDie(title, words, element.value.number, base, thing.range?.[1] ?? 0)
    const name = indexOf(element)
    const holder = h('span', { class: 'die-holder' }, die, name && h('small', {}, name))
    holder.dataset.spot = `${thing.variables[0]} ${name}`
    return target(holder, [...pointing.places(element.index), ...element.value.members ?? []], title, pointing)
  })
  return h('div', { class: 'dice' }, ...dice)
}

const drawDie = (title: string, words: string, number: number | undefined, base: string, highest: number) =>
  s('svg', { class: 'die-face', viewBox: '0 0 40 40', role: 'img', 'aria-label': title }, s('rect', { x: 2, y: 2, width: 36, height: 36, rx: 8, style: `fill: ${base}` }), ...face(words, number, base, highest), s('title', {}, title))

function face(words: string, number: number | undefined, base: string, highest: number): SVGElement[] {
  const fill = `fill: ${ink(base)}`
  if (number !== undefined && number >= 1 && number <= 6 && highest <= 6) {
    return PIPS[number - 1].map(([row, column]) => s('circle', { cx: column * 10, cy: row * 10, r: 3.4, style: fill }))
  }
  const length = [...words].length
  const short = length > 8 ? `${[...words].slice(0, 7).join('')}…` : words
  const size = length > 5 ? 8 : length > 4 ? 9.5 : length > 3 ? 11 : length > 2 ? 14 : 18
  return [s('text', { x: 20, y: 20 + size * 0.36, style: `${fill}; font-size: ${size}px`, class: 'face' }, short)]
}

/** Makes something pressable if one of its members is a value of a move. */
function target<T extends HTMLElement>(element: T, tags: Tag[], label: string, pointing: Pointing): T {
  if (tags.length === 0) return element
  element.dataset.key = tags.map(tag => `${tag.kind} ${tag.name}`).join(' ')
  if (pointing.isPicked(tags)) element.classList.add('picked')
  const press = pointing.press(tags)
  if (!press) return element
  element.classList.add('touch')
  if (pointing.isOpen(tags)) element.classList.add('open')
  return pressable(element, label, press)
}

function drawNumbers(thing: Thing, pointing: Pointing): HTMLElement {
  const parts = thing.elements.map(element => {
    const name = indexOf(element)
    const paint = element.index[0]?.colours[0]
    const number = element.value.number
    const high = thing.range?.[1]
    const value = h('b', {}, element.value.text === 'none' ? '–' : element.value.text)
    const bar = number !== undefined && high && high <= 10 && thing.range?.[0] === 0 && thing.form === 'coin'
      ? h('span', { class: 'pips', 'aria-hidden': true }, ...Array.from({ length: high }, (_, at) => h('i', { class: at < number ? 'full' : '' })))
      : null
    const field = h('span', { class: 'number' }, name && h('span', { class: 'name' }, paint && dot(paint), name), bar, value)
    return target(field, pointing.places(element.index), `${name} ${element.value.text}`, pointing)
  })
  return row(thing, ...(parts.length > 0 ? [h('span', { class: 'numbers' }, ...parts)] : [h('b', {}, thing.value)]))
}

const dot = (paint: string) => h('i', { class: 'dot', style: `background: ${colour(paint)}`, 'aria-hidden': true })

function drawValues(thing: Thing, pointing: Pointing): HTMLElement {
  return h('span', { class: 'values' }, ...thing.elements.map(element => {
    const name = indexOf(element)
    const members = element.value.members ?? []
    const words = members.length > 0 ? members.map(tag => chip(tag, pointing)) : [h('span', {}, element.value.text)]
    return h('span', { class: 'value' }, name && target(h('span', { class: 'name' }, name), pointing.places(element.index), name, pointing), ...words)
  }))
}

function chip(tag: Tag, pointing: Pointing, places: Tag[] = []): HTMLElement {
  const copies = tag.copies > 1 ? `${tag.copies} × ` : ''
  const element = h('span', { class: 'chip' }, ...tag.colours.slice(0, 2).map(dot), `${copies}${tag.title}`)
  return target(element, [tag, ...places], tag.title, pointing)
}

function drawPile(thing: Thing, cards: Card[], pointing: Pointing): HTMLElement {
  const piles = thing.elements.map(element => {
    const members = element.value.members ?? []
    const total = members.reduce((sum, tag) => sum + tag.copies, 0)
    const count = element.value.count ?? total
    const hidden = count - total
    const name = indexOf(element)
    // Equal cards under their own name are as good as a number.
    const isStack = count > 1 && members.length === 1 && members[0].title === name
    const wide = total > 0 && !isStack && members.length <= MOST_CARDS && !/discard|removed|box/i.test(thing.title)
    return { members, total, count, hidden, wide, isStack, name, index: pointing.places(element.index) }
  })
  // Where all lie face down the backs stand in a row, and say how many they are.
  const flat = piles.every(pile => !pile.wide)
  const alone = piles.length === 1 && !piles[0].name
  const counted = (pile: typeof piles[number]) => (pile.total > 1 || pile.hidden === 0 && pile.count !== 1) && h('span', { class: 'count' }, ` ${pile.count}`)
  const drawn = piles.map(pile => {
    const isFan = pile.wide && pile.members.length >= LEAST_IN_FAN && pile.members.every(tag => isBrief(cardOf(tag, cards)))
    const unseen = (places: Tag[]) => pile.hidden > 0 && target(back(pile.hidden), places, `${pile.name}: ${pile.hidden} unseen`, pointing)
    // Cards stand for the place where they lie; where none can, its name does.
    const places = isFan || pile.total > 0 && !pile.wide && !pile.isStack ? [] : pile.index
    const name = !alone && !pile.isStack && target(h('span', { class: 'pile-name' }, pile.name, counted(pile)), pile.count > 0 && places.length > 0 ? [] : pile.index, pile.name, pointing)
    const cardsIn = () => pile.members.map(tag => (pile.wide ? drawCard(tag, cards, pointing, places) : chip(tag, pointing, places)))
    const line = h('div', { class: pile.wide ? 'cards' : 'chips' }, ...isFan ? [] : cardsIn(), !isFan && unseen(places))
    const isFolded = !pile.wide && pile.members.length > MOST_NAMES && !pile.members.some(tag => pointing.press([tag]))
    const titles = pile.members.map(tag => tag.title).join(', ')
    return h('div', { class: 'pile' }, name, ...isFan ? [...fans(pile.members, cards, pointing), unseen([])] : [isFolded ? folded(`${thing.variables.join()} ${pile.name}`, 'names', titles, line) : line])
  })
  return h('div', { class: `thing pile-thing ${flat ? 'flat' : alone ? '' : 'several'}` }, h('span', { class: 'title' }, thing.title, alone && counted(piles[0])), ...drawn)
}

const back = (count: number) => h('span', { class: 'card back', role: 'img', 'aria-label': `${count} unseen` }, String(count))

const cardOf = (tag: Tag, cards: Card[]) => cards.find(card => card.title === tag.title || card.name === tag.name)
  ?? cards.find(card => tag.title.startsWith(`${card.title} `))

/** Whether a corner of a card says all. */
const isBrief = (card: Card | undefined) => !card?.notes && !card?.columns.some(column => column.is_text && column.value)

/** So many cards with little on them lie over each other, in rows of at most so many. */
const LEAST_IN_FAN = 5
const MOST_IN_FAN = 7

function fans(members: Tag[], cards: Card[], pointing: Pointing): HTMLElement[] {
  const rows = Math.ceil(members.length / MOST_IN_FAN)
  const length = Math.ceil(members.length / rows)
  return Array.from({ length: rows }, (_, row) => members.slice(row * length, (row + 1) * length)).map(row =>
    h('div', { class: 'fan' }, ...row.map((tag, at) => h('span', { style: `--at: ${at - (row.length - 1) / 2}` }, drawCard(tag, cards, pointing)))))
}

/** A card; it stands also for the place where it lies. */
function drawCard(tag: Tag, cards: Card[], pointing: Pointing, places: Tag[] = []): HTMLElement {
  const known = cardOf(tag, cards)
  const columns = known?.columns ?? []
  const text = columns.filter(column => column.is_text && column.value).map(column => column.value)
  const price = columns.find(column => /^(cost|price|value|points)$/i.test(column.title) && !column.is_text)
  const facts = columns.filter(column => !column.is_text && column !== price && !/^(no|none|nothing|yes)$/.test(column.value) && !tag.title.split(' ').includes(column.value))
  const base = tag.colours[0] && colour(tag.colours[0])
  const card = h('div', { class: 'card', style: base && `--paint: ${base}` },
    h('strong', { class: /\S{12}/.test(tag.title) ? 'long' : '' }, h('span', {}, tag.title), tag.copies > 1 && h('span', { class: 'copies' }, `${tag.copies}×`), price && h('span', { class: 'price', title: price.title }, price.value)),
    ...text.map(line => h('p', {}, line)),
    known?.notes && h('p', {}, known.notes),
    text.length === 0 && !known?.notes && h('span', { class: 'glyph', style: base && `color: ${base}`, 'aria-hidden': true }, tag.short),
    text.length === 0 && !known?.notes && facts.length > 0 && h('p', { class: 'facts' }, facts.slice(0, 3).map(column => `${column.title} ${column.value}`).join(' · ')))
  return target(card, [tag, ...places], [tag.title, price && `${price.title} ${price.value}`, ...text].filter(Boolean).join(', '), pointing)
}

function drawSheet(thing: Thing, pointing: Pointing): HTMLElement {
  const [head, ...rows] = thing.grid
  const both: Pointing = { ...pointing, press: tags => pointing.press(tags, true) }
  const cell = (cell: ViewCell, of: ViewCell[], form: string | null | undefined) => {
    const isApart = pointing.fits?.(of.flatMap(it => it.tag ?? [])) === false
    const tags = isApart ? [] : pointing.places([...of, cell].flatMap(it => it.tag ?? []))
    const label = [...of.map(it => it.tag?.title ?? it.text), cell.text].filter(Boolean).join(' ')
    if (form === 'die' && /^\d+$/.test(cell.text)) {
      const die = drawDie(label, cell.text, Number(cell.text), colour(tags[0]?.colours[0] ?? 'white'), 6)
      return h('td', { class: 'bare' }, target(h('span', { class: 'die-holder', 'data-spot': `${thing.variables.join()} ${label.replace(/\d+$/, '')}` }, die), tags, label, pointing))
    }
    const paint = cell.inks?.[0]
    const dim = cell.text === '.' || cell.text === ''
    const mark = cell.text === 'x'
    const words = dim ? '·' : mark ? '✕' : cell.glyph && cell.text.length > LONGEST ? cell.glyph : cell.text
    const style = paint && !dim ? `--paint: ${colour(paint)}` : undefined
    const field = h('span', { class: 'field' }, words)
    return h('td', { class: dim ? 'dim' : mark ? 'marked' : paint ? 'painted' : '', style }, target(field, tags, label, both))
  }
  const heading = (it: ViewCell) => target(h('span', { class: 'field' }, it.text.trim()), pointing.places(it.tag ? [it.tag] : []), it.text, pointing)
  const body = rows.map(([name, ...cells]) => h('tr', {}, h('th', { scope: 'row' }, heading(name)), ...cells.map((it, at) => cell(it, [name, head[at + 1]], name.form))))
  const top = h('tr', {}, ...head.map((it, at) => (at === 0 && !it.text ? h('td', {}) : h('th', { scope: 'col' }, heading(it)))))
  const legend = thing.value && h('p', { class: 'legend' }, thing.value)
  return h('div', { class: 'thing sheet' }, h('span', { class: 'title' }, thing.title),
    h('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': thing.title }, h('table', {}, h('thead', {}, top), h('tbody', {}, ...body))), legend)
}
