// Boards as drawings: cells of a grid, hexagons, a ring or a map, with what lies on them.
import { h, pressable, s } from '../dom'
import { colour, ink } from '../colours'
import { tagsOn } from './pick'
import type { Pointing } from './table'
import type { Board, BoardCell, Piece, SeatView } from '../model'

const UNIT = 48

type Point = { x: number; y: number }
/** Where a cell lies; a link of a map also has its line, words of its own, and room for things beside them. */
type Spot = Point & { outline: SVGElement; size: number; line?: string; words?: string; room?: number }

/** Boards of one owner, each with its edges and corners in one drawing. */
export function drawBoards(boards: Board[], seats: SeatView[], pointing: Pointing): HTMLElement[] {
  const whole = (board: Board) => board.of?.name ?? board.name
  const firsts = boards.filter((board, at) => boards.findIndex(other => whole(other) === whole(board)) === at)
  return firsts.map(first => {
    const parts = boards.filter(board => whole(board) === whole(first))
    return drawParts(isLinks(first) ? [placesOf(first), ...parts] : parts.length > 1 ? parts : [cropped(first, pointing)], seats, pointing)
  })
}

/** Whether the cells of a board are the links of a map. */
const isLinks = (board: Board) => board.of?.layout === 'map'

/** A link has the names of its two places, and a number where it is not the first between them. */
const endsOf = (link: BoardCell) => link.name.split('-')

/** The places of a map of which only the links are in sight. */
function placesOf(links: Board): Board {
  const names = [...new Set(links.cells.flatMap(link => endsOf(link).slice(0, 2)))]
  const cells = names.map((name, at) => ({ name, title: name.replaceAll('_', ' '), x: 2 * at, y: 0, ground: null, pieces: [] }))
  return { ...links, name: links.of!.name, of: null, cells, columns: [], layers: [], grounds: [] }
}

/** What people can read and touch takes so many pixels: a cell, a cell with several things on it, a cell with edges or corners. */
const CELL = 24
const FULL_CELL = 32
const JOINED_CELL = 84
/** What a finger presses takes so many; a mouse is finer. */
const TOUCH = 40
/** A wider board moves sideways where there is little room. */
const NARROW = 340
/** A board that is wider than this has the width of the table to itself. */
const BROAD = 480

/** An edge or a corner is touched within this part of a cell around it, and no further than half of the way to the next. */
const REACH = 0.25

/** Boards of more cells are cropped, with so many empty cells around what lies there or can be pressed. */
const LARGE = 400
const MARGIN = 2

/** A large board where little lies, without what is empty around it. */
function cropped(board: Board, pointing: Pointing): Board {
  if (board.cells.length <= LARGE || (board.layout !== 'grid' && board.layout !== 'hex')) return board
  const used = board.cells.filter(cell => cell.pieces.length > 0 || pointing.press(tagsOn(board, cell)))
  if (used.length === 0) return board
  const within = (of: (cell: BoardCell) => number, margin: number) => {
    const places = used.map(of)
    const [low, high] = [Math.min(...places) - margin, Math.max(...places) + margin]
    return (at: number) => at >= low && at <= high
  }
  const [x, y] = [within(cell => cell.x, 2 * MARGIN), within(cell => cell.y, MARGIN)]
  const kept = (words: string[], of: (cell: BoardCell) => number, fits: (at: number) => boolean) => {
    const places = [...new Set(board.cells.map(of))].sort((a, b) => a - b)
    return words.filter((_, at) => fits(places[at]))
  }
  return { ...board, cells: board.cells.filter(cell => x(cell.x) && y(cell.y)), columns: kept(board.columns, cell => cell.x, x), rows: kept(board.rows, cell => cell.y, y) }
}

/** How many pixels a cell of some boards in one drawing takes at least, where the nearest are pressed so far around them. */
function leastCell(parts: Board[], reach: number, pointing: Pointing): number {
  const touched = !pointing.isStill && matchMedia('(pointer: coarse)').matches ? TOUCH : 0
  if (parts.some(part => part.of)) return Math.max(parts.some(isLinks) ? TOUCH : JOINED_CELL, (touched * UNIT) / (2 * reach))
  // The outline of a cell is a little smaller than the cell.
  if (touched) return (TOUCH * UNIT) / (UNIT - (parts[0].layout === 'ring' || parts[0].layout === 'map' ? 4 : 2))
  const isFull = (cell: BoardCell) => cell.pieces.length > 1
  return parts.some(part => part.cells.some(isFull)) ? FULL_CELL : CELL
}

function drawParts(parts: Board[], seats: SeatView[], pointing: Pointing): HTMLElement {
  const [board] = parts
  const spotsOf = (part: Board) => part.cells.map(layouts[part.layout](part, parts.some(isLinks)))
  const homes = new Map(spotsOf(board).map((spot, at) => [board.cells[at].name, spot]))
  const placed = parts.map(part => (isLinks(part) ? along(part, homes) : spotsOf(part)))
  const spots = placed.flat()
  const joints = parts.flatMap((part, number) => (part.of ? placed[number].filter((_, at) => pointing.press(tagsOn(part, part.cells[at]))) : []))
  const widest = UNIT * (parts.some(isLinks) ? 0.4 : REACH)
  const reach = (spot: Spot) => Math.min(widest, ...joints.filter(it => it !== spot).map(it => Math.hypot(it.x - spot.x, it.y - spot.y) / 2))
  const pad = board.layout === 'grid' ? 22 : board.layout === 'map' ? Math.max(28, ...board.cells.flatMap(linesOf).map(line => line.length * LETTER - INWARD - UNIT / 2)) : 8
  const low = (of: (spot: Spot) => number) => Math.min(...spots.map(spot => of(spot) - spot.size / 2))
  const high = (of: (spot: Spot) => number) => Math.max(...spots.map(spot => of(spot) + spot.size / 2))
  const [left, top] = [low(it => it.x) - pad, low(it => it.y) - pad]
  const [width, height] = [high(it => it.x) + (board.layout === 'grid' ? 4 : pad) - left, high(it => it.y) + (board.layout === 'grid' ? 4 : pad) - top]
  const least = Math.round((width * leastCell(parts, Math.min(widest, ...joints.map(reach)), pointing)) / UNIT)
  const drawing = s('svg', {
    class: `board ${board.layout}`, viewBox: `${left} ${top} ${width} ${height}`, role: 'group', 'aria-label': board.title,
    style: `min-width: ${least}px; max-width: min(calc(var(--grow, 1) * ${(width / 7).toFixed(1)}rem), calc(max(22rem, 100vh - 19rem) * ${(width / height).toFixed(3)}))`,
  })
  if (board.layout === 'grid') drawing.append(...headings(board, placed[0]))
  if (board.layout === 'map') drawing.append(...parts.some(isLinks) ? parts.flatMap((part, number) => roads(part, placed[number], seats)) : links(board, placed[0]))
  parts.forEach((part, number) => part.cells.forEach((cell, at) => drawing.append(drawCell(part, cell, placed[number][at], reach(placed[number][at]), seats, pointing))))
  return h('div', { class: least > BROAD ? 'wide broad' : 'wide', 'aria-label': board.title, ...least > NARROW && { tabindex: 0, role: 'region' } }, drawing,
    ...parts.filter(part => part.layout === 'map' && part.columns.length > 0).map(part => h('p', { class: 'legend' }, `On ${part.of ? 'links' : 'places'}: ${part.columns.join(' · ')}`)))
}

const box = (size: number, x: number, y: number, round = 3) =>
  s('rect', { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: round, class: 'cell' })

const layouts: Record<Board['layout'], (board: Board, isLinked: boolean) => (cell: BoardCell, at: number) => Spot> = {
  grid: () => cell => {
    const [x, y] = [(cell.x / 2) * UNIT, cell.y * UNIT]
    return { x, y, size: UNIT, outline: box(UNIT - 2, x, y) }
  },
  hex: () => cell => {
    const [x, y] = [(cell.x / 2) * UNIT, cell.y * UNIT * 0.866]
    const corner = (at: number) => {
      const angle = Math.PI / 6 + (at * Math.PI) / 3
      return `${(x + Math.cos(angle) * UNIT * 0.56).toFixed(1)},${(y + Math.sin(angle) * UNIT * 0.56).toFixed(1)}`
    }
    const points = [0, 1, 2, 3, 4, 5].map(corner).join(' ')
    return { x, y, size: UNIT * 1.16, outline: s('polygon', { points, class: 'cell' }) }
  },
  ring: board => (_, at) => around(board.cells.length, at, true, 1.12),
  map: (board, isLinked) => (_, at) => around(board.cells.length, at, false, isLinked ? 1.9 : 1.35),
  edges: board => cell => {
    const { x, y } = between(board, cell)
    const bar = s('rect', { x: x - UNIT * 0.24, y: y - 4, width: UNIT * 0.48, height: 8, rx: 4, class: 'cell', transform: `rotate(${slope(board, cell)} ${x} ${y})` })
    return { x, y, size: UNIT * 0.3, outline: bar }
  },
  corners: board => cell => {
    const { x, y } = between(board, cell)
    return { x, y, size: UNIT * 0.3, outline: s('circle', { cx: x, cy: y, r: UNIT * 0.13, class: 'cell' }) }
  },
}

/** Where an edge or a corner lies among the cells of its board. */
function between(board: Board, cell: BoardCell): { x: number; y: number } {
  const x = ((cell.x - 2) / 4) * UNIT
  return board.of?.layout === 'hex' ? { x, y: ((cell.y - 4) / 6) * UNIT * 0.866 } : { x, y: ((cell.y - 3) / 6) * UNIT }
}

/** The angle of an edge: upright, level, or that of the upper sides of a hex. */
function slope(board: Board, cell: BoardCell): number {
  if (board.of?.layout !== 'hex') return cell.y % 6 === 0 ? 0 : 90
  if (cell.y % 6 === 4) return 90
  const upright = board.cells.find(other => other.y % 6 === 4)
  if (!upright) return 0
  const rows = Math.floor(cell.y / 6) - Math.floor(upright.y / 6)
  return (((cell.x - upright.x - 2 - 2 * rows) % 4) + 4) % 4 === 1 ? 30 : -30
}

/** A place on a circle, the first at the top, so many cells apart. */
function around(count: number, at: number, square: boolean, apart: number): Spot {
  const radius = Math.max(UNIT * 1.3, (count * UNIT * apart) / (2 * Math.PI))
  const angle = (2 * Math.PI * at) / count - Math.PI / 2
  const [x, y] = [Math.cos(angle) * radius, Math.sin(angle) * radius]
  const outline = square ? box(UNIT - 4, x, y, 8) : s('circle', { cx: x, cy: y, r: UNIT * 0.46, class: 'cell' })
  return { x, y, size: UNIT, outline }
}

/** How far a name reaches inwards from the middle of its place. */
const INWARD = 4

/** What is written at a place of a map. */
const linesOf = (cell: BoardCell) => [...cell.title.length > 10 ? cell.title.split(' ') : [cell.title], ...cell.facts?.length ? [cell.facts.join(' · ')] : []]

/** How high the words of a link are framed, how wide each letter is, and where on its line they may stand. */
const FRAME = 18
const LETTER = 6.5
const STANDS = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]

/** Links with something to tell lie on the lines between their places, no two at one spot. */
function along(board: Board, homes: Map<string, Point>): Spot[] {
  const taken: Spot[] = []
  for (const cell of board.cells) {
    const [first, second, number] = endsOf(cell)
    const [from, to] = [first, second].map(name => homes.get(name) ?? { x: 0, y: 0 })
    const [across, down, length] = [to.x - from.x, to.y - from.y, Math.hypot(to.x - from.x, to.y - from.y) || 1]
    // Further links of the same places swing aside.
    const swing = number ? UNIT * Math.floor(Number(number) / 2) * (Number(number) % 2 ? -1 : 1) : 0
    const knee = { x: (from.x + to.x) / 2 - (down / length) * swing, y: (from.y + to.y) / 2 + (across / length) * swing }
    const curve = (t: number, of: (point: Point) => number) => (1 - t) ** 2 * of(from) + 2 * t * (1 - t) * of(knee) + t ** 2 * of(to)
    const words = cell.facts?.join(' · ') ?? ''
    const room = Math.min(2, cell.pieces.length) * UNIT * 0.36
    const size = Math.max(20, words.length * LETTER + 10 + room)
    const isFree = ({ x, y }: Point) => [...homes.values()].every(it => Math.hypot(it.x - x, it.y - y) > UNIT * 0.75) && taken.every(it => Math.abs(it.x - x) > (it.size + size) / 2 || Math.abs(it.y - y) > FRAME)
    const points = STANDS.map(t => ({ x: curve(t, it => it.x), y: curve(t, it => it.y) }))
    const { x, y } = points.find(isFree) ?? points[0]
    const outline = s('rect', { x: x - size / 2, y: y - FRAME / 2, width: size, height: FRAME, rx: 5, class: 'cell' })
    taken.push({ x, y, size, outline, words, room, line: `M${from.x} ${from.y}Q${knee.x} ${knee.y} ${to.x} ${to.y}` })
  }
  return taken
}

/** The lines of links, in their colours, and in those of what lies there. */
function roads(board: Board, spots: Spot[], seats: SeatView[]): SVGElement[] {
  return board.cells.flatMap((cell, at) => {
    const paint = cell.ground === null ? undefined : board.grounds[cell.ground].colours[0]
    const owner = cell.pieces.flatMap(piece => paints(piece, seats)).slice(0, 1)
    const line = (kind: string, stroke?: string) => s('path', { d: spots[at].line, class: kind, style: stroke && `stroke: ${stroke}` })
    return spots[at].line ? [line('link road', paint && colour(paint)), ...owner.map(stroke => line('link taken', stroke))] : []
  })
}

function headings(board: Board, spots: Spot[]): SVGElement[] {
  const xs = [...new Set(spots.map(spot => spot.x))].sort((a, b) => a - b)
  const ys = [...new Set(spots.map(spot => spot.y))].sort((a, b) => a - b)
  const [left, top] = [xs[0] - UNIT / 2 - 10, ys[0] - UNIT / 2 - 8]
  const across = board.columns.map((word, at) => s('text', { x: xs[at], y: top + 3, class: 'heading' }, word))
  const down = board.rows.map((word, at) => s('text', { x: left, y: ys[at] + 4, class: 'heading' }, word))
  return [...across, ...down]
}

function links(board: Board, spots: Spot[]): SVGElement[] {
  const at = new Map(board.cells.map((cell, index) => [cell.name, index]))
  return board.cells.flatMap((cell, from) => (cell.beside ?? []).flatMap(name => {
    const to = at.get(name)
    if (to === undefined || to < from) return []
    return [s('line', { x1: spots[from].x, y1: spots[from].y, x2: spots[to].x, y2: spots[to].y, class: 'link' })]
  }))
}

function drawCell(board: Board, cell: BoardCell, spot: Spot, reach: number, seats: SeatView[], pointing: Pointing): SVGElement {
  // Where the same things lie, what lay there at first is no ground.
  const tag = cell.ground === null ? undefined : board.grounds[cell.ground]
  const ground = board.layers.some(layer => layer.pieces.some(piece => piece.kind === tag?.kind)) ? undefined : tag
  const spotName = `${board.name} ${board.owner ?? ''} ${cell.name}`
  const group = s('g', { class: 'place', 'data-key': spotName, 'data-spot': spotName }, spot.outline)
  if (board.of) group.prepend(s('circle', { cx: spot.x, cy: spot.y, r: reach, class: 'reach' }))
  if (ground) spot.outline.setAttribute('style', `fill: color-mix(in oklab, ${colour(ground.colours[0])} 34%, var(--panel))`)
  // What lies beside words leaves them to be read.
  const lying = spot.words ? { ...spot, x: spot.x + (spot.size - (spot.room ?? 0)) / 2 - 2 } : board.layout === 'ring' ? { ...spot, y: spot.y - 6 } : spot
  if (spot.words) group.append(s('text', { x: spot.x - (spot.room ?? 0) / 2, y: spot.y + 4, class: 'fact' }, spot.words))
  else if (board.layout === 'ring') {
    const short = cell.title.length > 9 ? `${cell.title.slice(0, 8)}…` : cell.title
    group.append(s('text', { x: spot.x, y: spot.y + (cell.pieces.length ? UNIT * 0.42 : 4), class: 'name' }, short))
  } else if (board.layout === 'map' && !isLinks(board)) {
    // Names stand outside of the circle, where links are few.
    const lines = linesOf(cell)
    const top = spot.y > 1 ? spot.y + UNIT * 0.46 + 11 : spot.y - UNIT * 0.46 - 4 - 11 * (lines.length - 1)
    const [side, anchor] = Math.abs(spot.x) < 10 ? [0, 'middle'] : spot.x > 0 ? [-INWARD, 'start'] : [INWARD, 'end']
    lines.forEach((line, at) => group.append(s('text', { x: spot.x + side, y: top + 11 * at, class: 'name', style: `text-anchor: ${anchor}` }, line)))
  }
  const pieces = cell.pieces
  const marks = pieces.filter(piece => board.layers[piece.layer].form === 'mark')
  const things = pieces.filter(piece => board.layers[piece.layer].form !== 'mark')
  things.forEach((piece, at) => group.append(drawPiece(piece, lying, at, things.length, seats, board, marks)))
  if (things.length === 0) marks.forEach(mark => group.append(...drawMark(mark, lying, seats, board)))
  const words = [cell.title, ...(cell.facts ?? []).map((fact, at) => `${board.columns[at]} ${fact}`), ground?.title, ...pieces.map(piece => wordsOf(piece, board, seats))].filter(Boolean).join(', ')
  group.append(s('title', {}, words))
  const tags = tagsOn(board, cell)
  const press = pointing.press(tags)
  if (pointing.isPicked(tags)) group.classList.add('picked')
  if (press) {
    if (pointing.isOpen(tags)) group.classList.add('open')
    pressable(group, words, press)
  } else {
    group.setAttribute('role', 'img')
    group.setAttribute('aria-label', words)
  }
  return group
}

function wordsOf(piece: Piece, board: Board, seats: SeatView[]): string {
  const layer = board.layers[piece.layer]
  const owner = piece.owner === null ? '' : `${seats[piece.owner].name}: `
  return layer.form === 'mark' ? layer.title : `${owner}${layer.form === 'place' ? layer.title : piece.value.text}`
}

function paints(piece: Piece, seats: SeatView[]): string[] {
  const member = piece.value.members?.[0]
  if (member && member.colours.length > 0) return member.colours.map(colour)
  if (piece.owner !== null) return [colour(seats[piece.owner].colour)]
  return []
}

const last = (text: string) => [...text].slice(-1).join('')

function drawPiece(piece: Piece, spot: Spot, at: number, count: number, seats: SeatView[], board: Board, marks: Piece[]): SVGElement {
  const layer = board.layers[piece.layer]
  const member = piece.value.members?.[0]
  const colours = paints(piece, seats)
  const size = board.of ? UNIT * 0.17 : count > 1 ? UNIT * 0.24 : UNIT * 0.37
  const [x, y] = count > 1 ? [spot.x + ((at % 2) * 2 - 1) * size * 1.02, spot.y + (Math.floor(at / 2) * 2 - (count > 2 ? 1 : 0)) * size] : [spot.x, spot.y]
  let words = layer.form === 'place' ? last(layer.title.slice(0, 1).toUpperCase()) : (member?.short ?? piece.value.text)
  if (colours.length === 0) return s('text', { x, y: y + 6, class: 'value' }, words)
  if (piece.value.number !== undefined) words = String(piece.value.number)
  const [base, mark] = colours
  if (mark && [...words].length > 1) words = last(words)
  const bare = !mark && member !== undefined && member.kind === 'Player'
  const group = s('g', { class: 'piece' }, s('circle', { cx: x, cy: y, r: size, style: `fill: ${base}` }))
  if (!bare || count > 1) {
    const height = size * ([...words].length > 2 ? 0.72 : mark ? 1.15 : count > 1 ? 1.2 : 0.95)
    group.append(s('text', { x, y: y + height * 0.36, style: `fill: ${mark ?? ink(base)}; font-size: ${height}px` }, [...words].slice(0, 3).join('')))
  }
  if (marks.length > 0) group.append(s('circle', { cx: x, cy: y, r: size * 0.5, class: 'crown', style: `stroke: ${ink(base)}` }))
  return group
}

function drawMark(mark: Piece, spot: Spot, seats: SeatView[], board: Board): SVGElement[] {
  const owner = mark.owner === null ? null : colour(seats[mark.owner].colour)
  const size = board.of ? UNIT * 0.14 : board.layout === 'hex' ? UNIT * 0.3 : UNIT * 0.36
  // Where pieces lie, too, a mark is a ring.
  const isFull = owner && board.layers.every(it => it.form === 'mark')
  return [s('circle', { cx: spot.x, cy: spot.y, r: size, class: isFull ? 'piece' : 'mark', style: owner && `${isFull ? 'fill' : 'stroke'}: ${owner}` })]
}
