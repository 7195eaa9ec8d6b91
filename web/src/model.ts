// What the engine is asked and answers, by the types in Rust: `ASTRAGAL_MODEL=1 cargo test --lib messages` writes
// this file. docs/view.md describes the `TableView`.

export type Act = { words: string, step?: number, }
  | { action: ActionNumbers, step: number, }

export type Acted = DecisionMade
  | { made: boolean, why: WhyNot, } | TooLate<Looked>

export type ActionGroup = {
  name: string,
  title: string,
  notes: string,
  parameters: Array<Parameter>,
  actions: Array<ActionView>,
}

export type ActionNumbers = number | Array<number>

export type ActionView = {
  number: number,
  label: string,
  arguments: Array<number>,
  action?: ActionNumbers,
}

export type Answers = {
  games: Array<BundledTitle>,
  files: Array<[string, string]>,
  words: Array<ColouredWord>,
  read: null,
  findings: Array<Finding>,
  check: Array<Finding>,
  hover: HoverAnswer | null,
  complete: Completion,
  definition: TextPlace | null,
  tidy: string | null,
  facts: OrFindings<Facts>,
  rules: OrFindings<Rulebook>,
  cards: OrFindings<PrintedGame>,
  run: Ran,
  lab: OrFindings<LabResults>,
  start: Started,
  renew: Started,
  look: Looked,
  act: Acted,
  why: WhyNot,
  command: CommandAnswer,
  log: Array<LogEntry>,
  advance: DecisionMade,
  undo: boolean,
  redo: boolean,
  back: null,
  script: string,
}

export type Ask = { "ask": "games" }
  | { "ask": "files", game: string, }
  | { "ask": "words" }
  | { "ask": "read", name: string, text: string, files?: { [key in string]: string }, }
  | { "ask": "findings" }
  | { "ask": "check" }
  | { "ask": "hover", line: number, column: number, }
  | { "ask": "complete", line: number, column: number, }
  | { "ask": "definition", line: number, column: number, }
  | { "ask": "tidy" }
  | { "ask": "facts" }
  | { "ask": "rules" }
  | { "ask": "cards" }
  | { "ask": "run", name: string, text: string, }
  | { "ask": "lab" } & LabBatch
  | { "ask": "start" } & Start
  | { "ask": "renew" }
  | { "ask": "look" } & LookRequest
  | { "ask": "log" } & LookRequest
  | { "ask": "act" } & Act
  | { "ask": "why", words: string, }
  | { "ask": "command", words: string, }
  | { "ask": "advance" }
  | { "ask": "undo" }
  | { "ask": "redo" }
  | { "ask": "back", step: number, }
  | { "ask": "script", game: string, }

export type Board = {
  name: string,
  title: string,
  owner: number | null,
  of?: WholeBoard | null,
  layout: BoardLayout,
  columns: Array<string>,
  rows: Array<string>,
  cells: Array<BoardCell>,
  layers: Array<Layer>,
  grounds: Array<Tag>,
}

export type BoardCell = {
  name: string,
  title: string,
  x: number,
  y: number,
  ground: number | null,
  pieces: Array<Piece>,
  beside?: Array<string>,
  facts?: Array<string>,
}

export type BoardLayout = "grid" | "hex" | "ring" | "map" | "edges" | "corners"

export type BundledTitle = {
  name: string,
  title: string,
}

export type Card = {
  kind: string,
  name: string,
  title: string,
  colours: Array<string>,
  glyph: string | null,
  columns: Array<CardColumn>,
  notes: string,
}

export type CardColumn = {
  title: string,
  value: string,
  is_text: boolean,
}

export type Chapter = {
  word: string,
  heading: string,
  text: string,
}

export type ColouredWord = {
  word: string,
  declares: boolean,
}

export type CommandAnswer = {
  lines: Array<string>,
  findings: Array<Finding>,
}

export type Completion = {
  at: TextPlace,
  proposals: Array<WordProposal>,
}

export type DecisionMade = {
  made: boolean,
  findings: Array<Finding>,
}

export type Element = {
  index: Array<Tag>,
  value: SeenValue,
  unchanged: boolean,
}

export type Facts = {
  title: string,
  notes: Array<string>,
  players: PlayerCounts,
  options: Array<OptionFacts>,
  bots: Array<string>,
}

export type Finding = {
  severity: Severity,
  code: string | null,
  message: string,
  help: string | null,
  related: Array<RelatedPlace>,
  fix: FindingFix | null,
  file: string | null,
  line: number | null,
  column: number | null,
  end_line: number | null,
  end_column: number | null,
}

export type FindingFix = {
  text: string,
  file: string | null,
  line: number | null,
  column: number | null,
  end_line: number | null,
  end_column: number | null,
}

export type HoverAnswer = {
  at: TextPlace,
  code: string,
  more: Array<string>,
  notes: Array<string>,
}

export type LabBatch = {
  players?: number,
  options?: Array<[string, string]>,
  bot: string,
  bots?: Array<string>,
  seed: number,
  from: number,
  to: number,
}

export type LabDecisions = {
  mean: string,
  least: number,
  most: number,
  nine_of_ten: [number, number],
  counts: { [key in number]: number },
}

export type LabMove = {
  name: string,
  offered: number,
  taken: number,
  wins: [string, string, string] | null,
}

export type LabResults = {
  playouts: number,
  sampled_games: number,
  wins: Array<LabSeat>,
  nobody: number,
  stopped: number,
  decisions: LabDecisions,
  moves: Array<LabMove>,
  never: Array<NeverRun>,
}

export type LabSeat = {
  name: string,
  wins: number,
  share: [string, string, string],
}

export type Layer = {
  variable: string,
  title: string,
  form: LayerForm,
  pieces: Array<Tag>,
  digits: number,
}

export type LayerForm = "piece" | "mark" | "place"

export type LogEntry = {
  what: What,
  seat: number | null,
  text: string,
}

export type LookRequest = {
  seat?: number,
  all?: boolean,
  step?: number,
  whole?: boolean,
}

export type Looked = {
  view: TableView,
  step: number,
  last: number,
  decides: number | null,
  needs_person: boolean,
  over: boolean,
  can_redo: boolean,
}

export type Means = "nothing" | "number" | "yes_no" | "seat" | "cell" | "card" | "member"

export type MoveArgument = {
  text: string,
  means: Means,
  members: Array<Tag>,
}

export type NeverRun = {
  what: string,
  at: TextPlace,
}

export type OptionFacts = {
  name: string,
  title: string,
  notes: Array<string>,
  values: Array<string>,
  range: [number, number | null] | null,
  default: string,
}

export type OrFindings<T> = T
  | { findings: Array<Finding>, playout?: number, }

export type Parameter = {
  name: string,
  values: Array<MoveArgument>,
}

export type Piece = {
  layer: number,
  owner: number | null,
  value: SeenValue,
}

export type PlayerCounts = {
  fewest: number,
  most: number,
  usual: number,
  counts: Array<number>,
}

export type PrintedGame = {
  html: string | null,
}

export type Ran = {
  passed: boolean,
  findings: Array<Finding>,
  transcript?: string,
}

export type RelatedPlace = {
  message: string,
  file: string | null,
  line: number | null,
  column: number | null,
  end_line: number | null,
  end_column: number | null,
}

export type Rulebook = {
  title: string,
  opening: string,
  parts: Array<Chapter>,
}

export type SeatActed = { made: boolean, why: WhyNot | null, } | TooLate<Told>

export type SeatAnswers = {
  look: Told,
  log: Array<LogEntry>,
  rules: Rulebook,
  act: SeatActed,
  why: WhyNot,
}

export type SeatView = {
  name: string,
  title: string | null,
  colour: string,
  glyph: string | null,
  status: Status,
  place: number | null,
  standing: Array<Standing>,
}

export type SeenValue = {
  text: string,
  number?: number,
  members?: Array<Tag>,
  count?: number,
}

export type Setting = {
  name: string,
  title: string,
  value: string,
}

export type Severity = "error" | "warning" | "advice"

export type Sort = "comment" | "text" | "number" | "word" | "kind" | "member" | "column" | "rule" | "moves" | "move" | "constant" | "variable" | "local" | "state" | "measure" | "game"

export type Standing = {
  title: string,
  value: number,
}

export type Start = {
  players?: number,
  names?: Array<string>,
  options?: Array<[string, string]>,
  seats?: Array<string>,
  seed?: number,
  script?: string,
}

export type Started = {
  started: boolean,
  findings: Array<Finding>,
}

export type Status = "decides" | "waits" | "out" | "won" | "lost" | "drew"

export type TableView = {
  head: ViewHead,
  seats: Array<SeatView>,
  boards: Array<Board>,
  table: Array<Thing>,
  players: Array<Array<Thing>>,
  cards: Array<Card>,
  log: Array<LogEntry>,
  question: string | null,
  actions: Array<ActionGroup>,
}

export type Tag = {
  kind: string,
  within?: string | null,
  name: string,
  title: string,
  short: string,
  colours: Array<string>,
  copies: number,
}

export type TextPlace = {
  file: string | null,
  line: number | null,
  column: number | null,
  end_line: number | null,
  end_column: number | null,
}

export type Thing = {
  title: string,
  value: string,
  inks: Array<string>,
  grid: Array<Array<ViewCell>>,
  variables: Array<string>,
  form: ValueForm,
  range: [number, number | null] | null,
  elements: Array<Element>,
  drawn: boolean,
  board: string | null,
}

export type Told = {
  view: TableView,
  step: number,
  needs_person: boolean,
  over: boolean,
  broken: boolean,
}

export type TooLate<T> = {
  made: boolean,
  late: boolean,
  now: T,
}

export type ValueForm = "number" | "coin" | "yes_no" | "member" | "set" | "list" | "die" | "pile" | "text" | "sheet"

export type ViewCell = {
  text: string,
  inks?: Array<string>,
  glyph?: string,
  tag?: Tag | null,
  form?: ValueForm | null,
}

export type ViewHead = {
  title: string,
  options: Array<Setting>,
  turn: number | null,
  viewer: number | null,
  seed: number | null,
  result: string | null,
}

export type What = "move" | "said" | "draw" | "pass" | "forced" | "cards" | "set"

export type WholeBoard = {
  name: string,
  layout: BoardLayout,
}

export type WhyNot = {
  words: string,
  message: string,
  help: string | null,
}

export type WordProposal = {
  text: string,
  sort: Sort,
  detail: string,
  notes: Array<string>,
  rank: number,
}
