// What the engine answers. The view is described in docs/view.md.

export interface Tag { kind: string; name: string; title: string; short: string; colours: string[]; copies: number }
export interface Seen { text: string; number?: number; members?: Tag[]; count?: number }
export interface Element { index: Tag[]; value: Seen; unchanged: boolean }
export interface Cell { text: string; inks?: string[]; glyph?: string; ground?: [string, string] }

export type Form = 'number' | 'coin' | 'yes_no' | 'member' | 'set' | 'list' | 'die' | 'pile' | 'text' | 'sheet'

export interface Thing {
  title: string
  value: string
  inks: string[]
  grid: Cell[][]
  variables: string[]
  form: Form
  range: [number, number | null] | null
  elements: Element[]
  drawn: boolean
  board: string | null
}

export interface Seat {
  name: string
  title: string | null
  colour: string
  glyph: string | null
  status: 'decides' | 'waits' | 'out' | 'won' | 'lost' | 'drew'
  place: number | null
  standing: { title: string; value: number }[]
}

export interface Piece { layer: number; owner: number | null; value: Seen }
export interface BoardCell { name: string; title: string; x: number; y: number; ground: number | null; pieces: Piece[]; beside?: string[] }

export interface Board {
  name: string
  title: string
  owner: number | null
  layout: 'grid' | 'hex' | 'ring' | 'map'
  columns: string[]
  rows: string[]
  cells: BoardCell[]
  layers: { variable: string; title: string; form: 'piece' | 'mark' | 'place'; pieces: Tag[]; digits: number }[]
  grounds: Tag[]
}

export interface Card {
  kind: string
  name: string
  title: string
  colours: string[]
  glyph: string | null
  columns: { title: string; value: string; is_text: boolean }[]
  notes: string
}

export interface Entry { what: 'move' | 'forced' | 'said' | 'draw' | 'cards' | 'pass' | 'set'; seat: number | null; text: string }

export interface Argument { text: string; means: 'nothing' | 'number' | 'yes_no' | 'seat' | 'cell' | 'card' | 'member'; members: Tag[] }
export interface Action { number: number; label: string; arguments: number[] }
export interface Group { name: string; title: string; notes: string; parameters: { name: string; values: Argument[] }[]; actions: Action[] }

export interface View {
  head: { title: string; options: { name: string; title: string; value: string }[]; turn: number | null; viewer: number | null; seed: number | null; result: string | null }
  seats: Seat[]
  boards: Board[]
  table: Thing[]
  players: Thing[][]
  cards: Card[]
  log: Entry[]
  question: string | null
  actions: Group[]
}

export interface Looked { view: View; step: number; last: number; decides: number | null; needs_person: boolean; over: boolean; can_redo: boolean }

/** What a seat is told by a table elsewhere. */
export interface Told { view: View; step: number; needs_person: boolean; over: boolean; broken: boolean }

export interface Place { file: string | null; line: number | null; column: number | null; end_line: number | null; end_column: number | null }

export interface Finding extends Place {
  severity: 'error' | 'warning' | 'advice'
  code: string | null
  message: string
  help: string | null
  related: (Place & { message: string })[]
  fix: (Place & { text: string }) | null
}

export interface Facts {
  title: string
  notes: string[]
  players: { fewest: number; most: number; usual: number }
  options: { name: string; title: string; notes: string[]; values: string[]; range: [number, number | null] | null; default: string }[]
  bots: string[]
  findings?: Finding[]
}

/** What is written: the file, those beside it, and its scripts. */
export interface Project {
  name: string
  text: string
  files: Record<string, string>
  scripts: Record<string, string>
  /** A game that goes on, as a script. */
  game?: string
}
