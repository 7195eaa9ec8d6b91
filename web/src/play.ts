// The table at the page: who sits there, what was decided, and the way back through the whole game.
import { calm, h, listenToKeys, redraw } from './dom'
import { explain } from './editor'
import type { Engine } from './engine'
import { DrawnTable } from './table/table'
import type { Ask, Facts, Finding, Looked } from './model'

export interface Setting { players: number; seats: string[]; options: Record<string, string>; seed: number }

/** A game of bots alone stops here and asks whether to go on. */
const MOST_ALONE = 4000

export class Play {
  readonly element = h('div', { class: 'play' })
  setting: Setting = { players: 0, seats: [], options: {}, seed: 1 }
  private facts: Facts | null = null
  private looked: Looked | null = null
  private findings: Finding[] = []
  private warning = ''
  private everything = false
  private viewer = 'auto'
  private round = 0
  private table: DrawnTable

  constructor(private engine: Engine, private read: () => Promise<unknown>, private changed: () => void) {
    this.table = new DrawnTable(this.face())
    listenToKeys(this.element)
  }

  private face() {
    const play = this
    return {
      act: (label: string) => void play.act(label),
      redraw: () => play.draw(),
      get live() {
        return play.looked !== null && play.looked.step === play.looked.last
      },
      get everything() {
        return play.everything
      },
    }
  }

  get begun(): boolean {
    return this.looked !== null
  }

  /** Other rules, from scratch: the usual number of players, a person and bots. */
  sit(facts: Facts): void {
    this.facts = facts
    const options = Object.fromEntries(facts.options.filter(it => it.name in this.setting.options).map(it => [it.name, this.setting.options[it.name]]))
    const players = facts.players.counts.includes(this.setting.players) ? this.setting.players : facts.players.usual
    const seats = Array.from({ length: players }, (_, at) => this.setting.seats[at] ?? (at === 0 ? 'human' : 'random'))
    this.setting = { ...this.setting, players, options, seats: seats.map(seat => (seat === 'human' || facts.bots.includes(seat) ? seat : 'random')) }
  }

  forget(): void {
    this.setting = { players: 0, seats: [], options: {}, seed: this.setting.seed }
    this.looked = null
    this.findings = []
    this.warning = ''
  }

  async start(script?: string): Promise<void> {
    const round = this.begin()
    const { players, seats, options, seed } = this.setting
    await this.read()
    const begun = await this.engine.ask({ ask: 'start', players, seats, options: Object.entries(options), seed, script })
    if (round !== this.round) return
    this.warning = begun.started ? '' : 'This game does not begin.'
    await this.meet(begun.findings)
  }

  /** The rules changed: the moves so far are made again, as far as they fit. */
  async renew(facts: Facts): Promise<void> {
    this.sit(facts)
    if (!this.looked) return this.start()
    const round = this.begin()
    await this.read()
    const begun = await this.engine.ask({ ask: 'renew' })
    if (round !== this.round) return
    if (!begun.started) this.warning = 'The moves so far do not fit the changed rules at all; the table shows the game as it was.'
    else if (begun.findings.length > 0) this.warning = 'On the changed rules the game comes to here; the next move no longer fits:'
    else this.warning = ''
    await this.meet(begun.findings)
  }

  /** Something new happens: what was under way is of no interest any more. */
  private begin(): number {
    this.element.setAttribute('aria-busy', 'true')
    return ++this.round
  }

  /** Looks at the table and lets bots decide until a person is asked. */
  private async meet(findings: Finding[]): Promise<void> {
    this.findings = findings
    this.table.forget()
    const round = this.round
    for (let made = 0; made < MOST_ALONE; made++) {
      const { made: more, findings } = await this.engine.ask({ ask: 'advance' })
      if (round !== this.round) return
      this.findings.push(...findings)
      if (!more) break
      if (made % 40 === 39) await this.look(undefined, true)
    }
    await this.look()
    this.changed()
  }

  private async look(step?: number, more = false): Promise<void> {
    const round = this.round
    const all = this.viewer === 'all' || this.everything && this.viewer === 'auto' && this.setting.seats.every(seat => seat !== 'human')
    const seat = /^\d+$/.test(this.viewer) ? Number(this.viewer) : undefined
    const looked = await this.engine.ask({ ask: 'look', step, all, seat, whole: this.everything })
    if (round !== this.round) return
    this.looked = looked
    this.draw()
    if (!more) this.element.setAttribute('aria-busy', 'false')
  }

  async act(label: string): Promise<void> {
    const round = this.begin()
    try {
      const answer = await this.engine.ask({ ask: 'act', words: label })
      if (round !== this.round) return
      this.warning = 'why' in answer ? answer.why.message : ''
      await this.meet('findings' in answer ? answer.findings : [])
    } catch (error) {
      this.warning = (error as Error).message
      this.draw()
      this.element.setAttribute('aria-busy', 'false')
    }
  }

  private async back(message: Ask): Promise<void> {
    this.begin()
    await this.engine.ask(message)
    this.findings = []
    this.warning = ''
    this.table.forget()
    await this.look()
    this.changed()
  }

  script(game: string): Promise<string | null> {
    return this.looked ? this.engine.ask({ ask: 'script', game }) : Promise.resolve(null)
  }

  draw(): void {
    redraw(this.element, [this.settings(), this.notice(), this.looked && this.table.draw(this.looked), this.looked && this.timeline(this.looked)])
  }

  private notice(): HTMLElement | null {
    if (!this.warning && this.findings.length === 0) return null
    return h('div', { class: 'notice', role: 'alert' }, this.warning && h('p', {}, this.warning), ...this.findings.slice(0, 3).map(it => explain(it)))
  }

  private timeline(looked: Looked): HTMLElement {
    const { step, last } = looked
    const to = (step: number) => this.look(Math.max(0, Math.min(last, step)))
    const slide = calm(15, () => to(Number(slider.value)))
    const slider = h('input', { type: 'range', id: 'slider', min: 0, max: last, value: String(step), 'aria-label': 'Step of the game', 'aria-valuetext': `step ${step} of ${last}`, oninput: slide })
    const back = step < last
    return h('nav', { class: 'timeline', 'aria-label': 'The game so far' },
      h('button', { id: 'undo', 'data-undo': true, onclick: () => this.back({ ask: 'undo' }), disabled: last === 0 }, 'Undo'),
      h('button', { id: 'redo', onclick: () => this.back({ ask: 'redo' }), disabled: !looked.can_redo }, 'Redo'),
      h('button', { id: 'step-back', 'aria-label': 'One step back', onclick: () => to(step - 1), disabled: step === 0 }, '‹'),
      slider,
      h('button', { id: 'step-on', 'aria-label': 'One step on', onclick: () => to(step + 1), disabled: !back }, '›'),
      h('span', { class: 'step' }, `${step} / ${last}`),
      back && h('button', { id: 'from-here', class: 'primary', onclick: () => this.back({ ask: 'back', step }) }, 'Play on from here'))
  }

  private settings(): HTMLElement {
    const { facts, setting } = this
    if (!facts) return h('p', { class: 'legend' }, 'The table is laid when the rules have no errors.')
    const names = this.looked?.view.seats.map(seat => seat.name) ?? []
    const again = (change: Partial<Setting>) => {
      this.setting = { ...setting, ...change }
      this.sit(facts)
      this.start()
    }
    const words = setting.seats.map((seat, at) => `${names[at] ?? `player ${at + 1}`} ${seat === 'human' ? 'you' : seat}`).join(', ')
    const seats = setting.seats.map((seat, at) => h('label', {}, names[at] ?? `Player ${at + 1}`,
      h('select', { onchange: (event: Event) => again({ seats: setting.seats.with(at, (event.target as HTMLSelectElement).value) }) },
        ...['human', ...facts.bots].map(word => h('option', { value: word, selected: word === seat }, word === 'human' ? 'person' : word)))))
    const { counts } = facts.players
    const options = facts.options.map(option => {
      const value = setting.options[option.name] ?? option.default
      const change = (event: Event) => again({ options: { ...setting.options, [option.name]: (event.target as HTMLInputElement).value } })
      const field = option.range
        ? h('input', { type: 'number', min: option.range[0], max: option.range[1] ?? undefined, value, onchange: change })
        : h('select', { onchange: change }, ...option.values.map(word => h('option', { value: word, selected: word === value }, word)))
      return h('label', {}, option.title || option.name.replaceAll('_', ' '), field)
    })
    const everything = h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: this.everything, onchange: (event: Event) => { this.everything = (event.target as HTMLInputElement).checked; this.look(this.looked?.step) } }), 'Show everything')
    const viewer = h('label', {}, 'Seen by', h('select', { onchange: (event: Event) => { this.viewer = (event.target as HTMLSelectElement).value; this.look(this.looked?.step) } },
      h('option', { value: 'auto', selected: this.viewer === 'auto' }, 'who decides'), ...setting.seats.map((_, at) => h('option', { value: at, selected: this.viewer === String(at) }, names[at] ?? `player ${at + 1}`)), h('option', { value: 'all', selected: this.viewer === 'all' }, 'nobody: all open')))
    const form = h('div', { class: 'settings' },
      counts.length > 1 && h('label', {}, 'Players', h('select', { onchange: (event: Event) => again({ players: Number((event.target as HTMLSelectElement).value) }) }, ...counts.map(count => h('option', { value: count, selected: count === setting.players }, String(count))))),
      ...seats, h('label', {}, 'Seed', h('input', { type: 'number', min: 0, value: String(setting.seed), onchange: (event: Event) => again({ seed: Number((event.target as HTMLInputElement).value) || 0 }) })), ...options, viewer, everything)
    const details = h('details', { class: 'sitting', open: this.settingsOpen, ontoggle: (event: Event) => { this.settingsOpen = (event.target as HTMLDetailsElement).open } },
      h('summary', {}, h('span', { class: 'who' }, words || 'Table')), form)
    return h('div', { class: 'bar top' }, details, h('button', { id: 'new-game', onclick: () => again({ seed: crypto.getRandomValues(new Uint32Array(1))[0] % 100000 }) }, 'New game'))
  }

  private settingsOpen = false
}
