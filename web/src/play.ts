// The table at the page: who sits there, what was decided, and the way back through the whole game.
import { calm, field, folded, h, listenToKeys, redraw } from './dom'
import { explain } from './editor'
import type { Engine } from './engine'
import { DrawnTable, drawLog, type Table } from './table/table'
import type { Ask, Facts, Finding, LogEntry, Looked, TextPlace } from './model'

export interface Setting { players: number; seats: string[]; options: Record<string, string>; seed: number }

/** What is to be kept of games. */
export interface Keeping {
  /** The game at the table came so far. */
  keep(script: string | null, setting: Setting): void
  /** A game that gives way to another one. */
  past(script: string, why: string): void
  goTo(place: TextPlace): void
}

const SO_FAR = 'On the changed rules the game comes to here; the next move no longer fits:'
const NOT_AT_ALL = 'The moves of this game do not fit the rules at all; here is a new one.'

/** A game of bots alone stops here and asks whether to go on. */
const MOST_ALONE = 4000

const BOTS: Record<string, string> = { random: 'By chance', greedy: 'One move ahead', rollout: 'Tries each move', mcts: 'Thinks ahead' }

/** A bot in plain words, with the word for it. */
export const botTitle = (word: string) => [BOTS[word.split(':')[0]], word].filter(Boolean).join(' · ')

/** An option of a game, to choose or to write a number. */
export function optionField(key: string, { name, title, range, values }: Facts['options'][number], value: string, change: (value: string) => void, disabled = false): HTMLElement {
  const choice = range
    ? field({ 'data-key': `${key} ${name}`, type: 'number', min: range[0], max: range[1] ?? undefined, disabled }, value, change)
    : h('select', { disabled, onchange: (event: Event) => change((event.target as HTMLSelectElement).value) }, ...values.map(word => h('option', { value: word, selected: word === value }, word)))
  return h('label', {}, title || name.replaceAll('_', ' '), choice)
}

export class Play implements Table {
  readonly element = h('div', { class: 'play' })
  setting: Setting = { players: 0, seats: [], options: {}, seed: 1 }
  private facts: Facts | null = null
  private looked: Looked | null = null
  private findings: Finding[] = []
  private warning = ''
  everything = false
  private viewer = 'auto'
  private round = 0
  /** What scripts call the game. */
  name = ''
  private table = new DrawnTable(this)
  /** The game at the table, as it was kept last. */
  private script: string | null = null
  /** The moves do not all fit the rules: what is kept has more of them than the table. */
  private isPartial = false
  /** The rules have errors, and the table is of what they were before. */
  stale = false

  constructor(private engine: Engine, private read: () => Promise<unknown>, private keeping: Keeping) {
    listenToKeys(this.element)
  }

  live = () => this.looked !== null && this.looked.step === this.looked.last

  again = () => document.getElementById('new-game')?.click()

  /** Brings the hand or the board into sight, above the moves. */
  reveal = () => this.table.reveal()

  /** Whether the table shows what is kept under this script. */
  shows = (script: string | null) => this.script === script

  /** Other rules, from scratch: the usual number of players, a person and bots. */
  sit(facts: Facts): void {
    this.facts = facts
    const options = Object.fromEntries(facts.options.filter(it => it.name in this.setting.options).map(it => [it.name, this.setting.options[it.name]]))
    const players = facts.players.counts.includes(this.setting.players) ? this.setting.players : facts.players.usual
    const seats = Array.from({ length: players }, (_, at) => this.setting.seats[at] ?? (at === 0 ? 'human' : 'random'))
    this.setting = { ...this.setting, players, options, seats: seats.map(seat => (seat === 'human' || facts.bots.includes(seat) ? seat : 'random')) }
  }

  forget(): void {
    const setting = { players: 0, seats: [], options: {}, seed: this.setting.seed }
    Object.assign(this, { setting, looked: null, findings: [], warning: '', script: null, facts: null, stale: false, isLogOpen: false })
    this.round++
  }

  /** Begins a game, or lays one that was kept, where bots wait unless it `goesOn`; what it printed may be other words now. */
  async start(script: string | null = null, goesOn = script === null): Promise<void> {
    const round = this.begin()
    const { players, seats, options, seed } = this.setting
    await this.read()
    let begun = await this.engine.ask({ ask: 'start', players, seats, options: Object.entries(options), seed, script: script?.split('\n').filter(line => !/^( |= )/.test(line)).join('\n') })
    if (round !== this.round) return
    this.script = script
    this.isPartial = script !== null && (!begun.started || begun.findings.some(it => it.severity === 'error'))
    this.warning = this.isPartial ? SO_FAR : begun.started ? '' : 'This game does not begin.'
    if (!begun.started && script !== null) {
      this.warning = NOT_AT_ALL
      const { findings } = begun
      begun = await this.engine.ask({ ask: 'start', players, seats, options: Object.entries(options), seed })
      if (round !== this.round) return
      begun.findings.push(...findings)
    }
    if (begun.started) await this.meet(begun.findings, goesOn)
    else {
      this.findings = begun.findings
      this.draw()
      this.element.setAttribute('aria-busy', 'false')
    }
  }

  /** The game at the table gives way to another one. */
  private putAway(why: string): void {
    if (this.script && this.looked && (this.looked.last > 0 || this.isPartial)) this.keeping.past(this.script, why)
  }

  /** The rules changed: the game that was kept is made again, as far as it fits. It stays what is kept. */
  async renew(facts: Facts, script: string | null): Promise<void> {
    this.sit(facts)
    await this.start(this.script ?? script)
  }

  /** Something new happens: what was under way is of no interest any more. */
  private begin(): number {
    this.element.setAttribute('aria-busy', 'true')
    return ++this.round
  }

  /** Looks at the table. Where a person wants the game to go on, bots decide until a person is asked. */
  private async meet(findings: Finding[], goesOn = true): Promise<void> {
    this.findings = findings
    this.table.forget()
    const round = this.round
    // A bot may think for long, and the rules may change meanwhile.
    if (goesOn) await this.keep()
    if (round !== this.round) return
    let made = 0
    // The rest of a game that does not fit is kept until a person goes on from here.
    for (; goesOn && made < MOST_ALONE && !this.isPartial; made++) {
      const { made: more, findings } = await this.engine.ask({ ask: 'advance' })
      if (round !== this.round) return
      this.findings.push(...findings)
      if (!more) break
      if (made % 40 === 39) await this.look(undefined, true)
    }
    if (made > 0) await this.keep()
    await this.look()
  }

  /** What the table will show is kept before it does. */
  private async keep(): Promise<void> {
    const round = this.round
    const script = this.isPartial ? this.script : await this.engine.ask({ ask: 'script', game: this.name })
    if (round !== this.round) return
    this.script = script
    this.keeping.keep(script, this.setting)
  }

  private async look(step?: number, more = false): Promise<void> {
    const round = this.round
    const all = this.viewer === 'all' || this.everything && this.viewer === 'auto' && this.setting.seats.every(seat => seat !== 'human')
    const seat = /^\d+$/.test(this.viewer) ? Number(this.viewer) : undefined
    const looked = await this.engine.ask({ ask: 'look', step, all, seat, whole: this.everything })
    if (this.isLogOpen) this.log = await this.engine.ask({ ask: 'log', all, seat })
    if (round !== this.round) return
    this.looked = looked
    if (!more) this.element.setAttribute('aria-busy', 'false')
    this.draw()
  }

  async act(label: string): Promise<void> {
    this.answers = []
    const round = this.begin()
    try {
      if (this.isPartial) this.putAway('before it went on under other rules')
      const answer = await this.engine.ask({ ask: 'act', words: label })
      if (round !== this.round) return
      this.isPartial = false
      this.warning = 'why' in answer ? answer.why.message : ''
      await this.meet('findings' in answer ? answer.findings : [])
    } catch (error) {
      this.warning = (error as Error).message
      this.draw()
      this.element.setAttribute('aria-busy', 'false')
    }
  }

  /** What stands where moves would: the way on from what is looked at, or from a decision of a bot. */
  pause(): HTMLElement | null {
    const { looked } = this
    if (!looked || this.element.getAttribute('aria-busy') === 'true') return null
    const button = (id: string, words: string, act: () => void) => h('div', { class: 'turn' }, h('button', { id, class: 'primary', onclick: act }, words))
    if (looked.step < looked.last) return button('from-here', 'Play on from here', () => this.back({ ask: 'back', step: looked.step }))
    return looked.over || looked.needs_person || this.isPartial ? null : button('bots-go-on', 'Let the bots go on', () => this.goOn())
  }

  /** The game that was kept is put away, and what is on the table goes on. */
  private async goOn(): Promise<void> {
    this.putAway('before it went on under other rules')
    this.begin()
    this.isPartial = false
    this.warning = ''
    await this.meet([])
  }

  private async back(message: Ask): Promise<void> {
    this.begin()
    if (message.ask !== 'redo' && !this.looked?.can_redo) this.putAway('before moves were taken back')
    await this.engine.ask(message)
    this.isPartial = false
    this.findings = []
    this.warning = ''
    if (message.ask === 'back') return this.meet([])
    this.table.forget()
    await this.keep()
    await this.look()
  }

  /** The moves at the table, as a script for a game of this name. */
  record = async (game: string) => (this.looked ? this.engine.ask({ ask: 'script', game }) : null)

  draw(): void {
    const { looked } = this
    redraw(this.element, [this.settings(), looked && this.trying(), this.notice(), looked && this.table.draw(looked), looked && this.wholeLog(looked), looked && h('div', { class: 'foot' }, this.table.bar(looked), this.timeline(looked))])
  }

  private wholeLog({ view, step }: Looked): HTMLElement {
    const toggle = (event: Event) => {
      const { open } = event.target as HTMLDetailsElement
      if (open !== this.isLogOpen && (this.isLogOpen = open)) void this.look(step)
    }
    return h('details', { class: 'log whole', open: this.isLogOpen, ontoggle: toggle }, h('summary', {}, 'Log of the whole game'), h('ol', {}, ...this.isLogOpen ? drawLog(view, this.log) : []))
  }

  private isLogOpen = false
  private log: LogEntry[] = []

  /** Does what a command of the table says, as a designer tries things. */
  private async command(words: string): Promise<void> {
    this.begin()
    const { lines, findings } = await this.engine.ask({ ask: 'command', words })
    this.isPartial = false
    await this.meet(findings)
    this.answers = lines.length > 0 ? lines : findings.length > 0 ? [] : ['Done.']
    this.draw()
  }

  private answers: string[] = []

  private trying(): HTMLElement {
    const words = h('input', { 'data-key': 'try', type: 'text', 'aria-label': 'What to try', placeholder: 'a number, a statement, a move', value: this.tried, oninput: () => { this.tried = words.value } })
    const button = (word: string, title: string) => h('button', { title, onclick: () => this.command(`${word} ${words.value}`.trim()) }, word)
    return folded('try', 'try', 'Try out: roll, set, why, hint',
      h('div', { class: 'bar' }, words, button('roll', 'The next draw comes out so: 6'), button('set', 'Changes the position: Ann.gold = 3'), button('why', 'Why is this move illegal?'), h('button', { title: 'Asks a bot for a move', onclick: () => this.command('hint') }, 'hint')),
      this.answers.length > 0 && h('div', { class: 'answers', role: 'status' }, ...this.answers.map(line => h('p', {}, line))))
  }

  private tried = ''

  private notice(): HTMLElement | null {
    if (!this.warning && this.findings.length === 0 && !this.stale) return null
    return h('div', { class: 'notice', role: 'alert' }, this.stale && h('p', {}, 'The rules have errors: this table is of the last file without.'), this.warning && h('p', {}, this.warning), ...this.findings.slice(0, 3).map(it => explain(it, this.keeping.goTo)),
      this.isPartial && h('button', { id: 'go-on', onclick: () => this.goOn() }, 'Go on from here'))
  }

  private timeline(looked: Looked): HTMLElement {
    const { step, last } = looked
    const to = (step: number) => this.look(Math.max(0, Math.min(last, step)))
    const slide = calm(15, () => to(Number(slider.value)))
    const slider = h('input', { type: 'range', id: 'slider', min: 0, max: last, value: String(step), 'aria-label': 'Step of the game', 'aria-valuetext': `step ${step} of ${last}`, oninput: slide })
    return h('nav', { class: 'timeline', 'aria-label': 'The game so far' },
      h('button', { id: 'undo', 'data-undo': true, onclick: () => this.back({ ask: 'undo' }), disabled: last === 0 }, 'Undo'),
      h('button', { id: 'redo', onclick: () => this.back({ ask: 'redo' }), disabled: !looked.can_redo }, 'Redo'),
      h('button', { id: 'step-back', 'aria-label': 'One step back', onclick: () => to(step - 1), disabled: step === 0 }, '‹'),
      slider,
      h('button', { id: 'step-on', 'aria-label': 'One step on', onclick: () => to(step + 1), disabled: step === last }, '›'),
      h('span', { class: 'step', style: `min-width: ${2 * String(last).length + 2}ch` }, `${step} / ${last}`))
  }

  private settings(): HTMLElement {
    const { facts, setting } = this
    if (!facts) return h('p', { class: 'legend' }, 'The table is laid as soon as the rules have no errors.')
    const names = this.looked?.view.seats.map(seat => seat.name) ?? []
    const again = async (change: Partial<Setting>) => {
      // Another bot goes on with the same game.
      const script = 'seats' in change ? this.script : null
      if (!script) this.putAway('before a new game')
      this.setting = { ...setting, ...change }
      this.sit(facts)
      await this.start(script, true)
    }
    const words = setting.seats.map((seat, at) => `${names[at] ?? `player ${at + 1}`} ${seat === 'human' ? 'you' : seat}`).join(', ')
    const seats = setting.seats.map((seat, at) => h('label', {}, names[at] ?? `Player ${at + 1}`,
      h('select', { onchange: (event: Event) => again({ seats: setting.seats.with(at, (event.target as HTMLSelectElement).value) }) },
        ...['human', ...facts.bots].map(word => h('option', { value: word, selected: word === seat }, word === 'human' ? 'person' : botTitle(word))))))
    const { counts } = facts.players
    const options = facts.options.map(option => optionField('option', option, setting.options[option.name] ?? option.default, value => again({ options: { ...setting.options, [option.name]: value } })))
    const everything = h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: this.everything, onchange: (event: Event) => { this.everything = (event.target as HTMLInputElement).checked; this.look(this.looked?.step) } }), 'Show everything')
    const viewer = h('label', {}, 'Seen by', h('select', { onchange: (event: Event) => { this.viewer = (event.target as HTMLSelectElement).value; this.look(this.looked?.step) } },
      h('option', { value: 'auto', selected: this.viewer === 'auto' }, 'who decides'), ...setting.seats.map((_, at) => h('option', { value: at, selected: this.viewer === String(at) }, names[at] ?? `player ${at + 1}`)), h('option', { value: 'all', selected: this.viewer === 'all' }, 'nobody: all open')))
    const form = h('div', { class: 'settings' },
      counts.length > 1 && h('label', {}, 'Players', h('select', { onchange: (event: Event) => again({ players: Number((event.target as HTMLSelectElement).value) }) }, ...counts.map(count => h('option', { value: count, selected: count === setting.players }, String(count))))),
      ...seats, h('label', {}, 'Seed', field({ 'data-key': 'seed', type: 'number', min: 0 }, String(setting.seed), value => again({ seed: Number(value) || 0 }))), ...options, viewer, everything)
    const details = folded('setting', 'sitting', h('span', { class: 'who' }, `Players and options: ${words}`), form)
    return h('div', { class: 'bar top' }, details, h('button', { id: 'new-game', onclick: () => again({ seed: crypto.getRandomValues(new Uint32Array(1))[0] % 100000 }) }, 'New game'))
  }
}
