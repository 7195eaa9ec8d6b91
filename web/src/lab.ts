// A lab: many games between bots in the background, and what they come to.
import { h, s } from './dom'
import type { Engine } from './engine'
import { botTitle, optionField } from './play'
import type { Facts, LabMove, LabResults, LabSeat, NeverRun, OrFindings, TextPlace } from './model'
import { explain } from './editor'

const WANTED = 1000
/** A slice should take about so many milliseconds. */
const SLICE = 120
/** So many runs of a project are kept. */
const MOST_KEPT = 12

/** What was asked for, of which file and rules, and what it came to. */
interface Of { main: string; rules: string }
export interface Run { words: string; bots: string[]; options: Record<string, string>; results: LabResults | null; title: string; of: Of }

const BEGIN = 'Bots play a thousand games: who wins, how long it takes, what never happens.'

const summary = ({ results, words }: Run) => `${results?.playouts} games with ${words}, seed 1.`

export class Lab {
  readonly element = h('div', { class: 'lab' })
  /** The number of the run under way; 0 if there is none. */
  private run = 0
  private count = 0
  private facts: Facts | null = null
  private players = 0
  private bots: string[] = []
  private options: Record<string, string> = {}
  private shown: Run | null = null
  /** The run under way. */
  private made: Run | null = null
  private said = BEGIN
  private done = 0

  constructor(private engine: Engine, private read: () => Promise<unknown>, private now: () => Of, private kept: { runs(): Run[]; keep(runs: Run[]): void }, private goTo: (place: TextPlace) => void) {
    this.draw()
  }

  /** The runs of the project at hand that count something, the last one last. */
  private get runs(): Run[] {
    return [...this.kept.runs(), ...this.made?.results ? [this.made] : []]
  }

  /** Ends the run under way; what was counted stays. */
  halt(): void {
    if (this.run === 0) return
    this.engine.stop()
    const played = this.made?.results?.playouts
    this.end(`Broken off${played ? ` after ${played} games` : ''}.`)
  }

  /** Another project is at hand: what was counted before is there again. */
  open(): void {
    const shown = this.kept.runs().at(-1) ?? null
    Object.assign(this, { run: 0, facts: null, bots: [], options: {}, shown, said: shown ? summary(shown) : BEGIN, done: 0 })
    this.draw()
  }

  /** The rules changed: what was counted is of others. */
  renew(facts: Facts): void {
    this.facts = facts
    if (!facts.players.counts.includes(this.players)) this.players = facts.players.usual
    this.options = Object.fromEntries(facts.options.filter(it => it.name in this.options).map(it => [it.name, this.options[it.name]]))
    if (this.run === 0) this.draw()
  }

  private async start(): Promise<void> {
    const run = ++this.count
    this.run = run
    const { players, options } = this
    const bots = Array.from({ length: players }, (_, at) => this.bots[at] ?? 'random')
    const words = [new Set(bots).size === 1 ? `${bots[0]} on every seat` : bots.join(' against '), `${players} players`, ...Object.entries(options).map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`)].join(', ')
    const made: Run = { words, bots, options, results: null, title: this.facts!.title, of: this.now() }
    this.shown = this.made = made
    let [from, size] = [0, 4]
    await this.read()
    while (from < WANTED && run === this.run) {
      const to = Math.min(from + size, WANTED)
      const before = performance.now()
      let results: OrFindings<LabResults>
      try {
        results = await this.engine.ask({ ask: 'lab', bot: bots[0], bots, players, options: Object.entries(options), seed: 1, from, to })
      } catch (error) {
        if (run === this.run) this.end((error as Error).message)
        return
      }
      if (run !== this.run) return
      if ('findings' in results) {
        this.end('The rules went wrong:')
        this.element.append(...results.findings.map(it => explain(it, this.goTo)))
        return
      }
      const took = Math.max(performance.now() - before, 1)
      size = Math.max(1, Math.min(200, Math.round((size * SLICE) / took)))
      from = to
      made.results = results
      this.done = from / WANTED
      this.said = `${from} of ${WANTED} games …`
      this.draw()
    }
    if (run === this.run) this.end(summary(made))
  }

  /** What was counted so far stays. */
  private end(said: string): void {
    if (this.made?.results) this.kept.keep(this.runs.slice(-MOST_KEPT))
    Object.assign(this, { run: 0, made: null, said, done: 0, shown: this.kept.runs().at(-1) ?? null })
    this.draw()
  }

  private form(): HTMLElement {
    const { facts } = this
    const running = this.run > 0
    const select = (label: string, values: string[], value: string, change: (value: string) => void) => h('label', {}, label, h('select', { disabled: running, onchange: (event: Event) => { change((event.target as HTMLSelectElement).value); this.draw() } }, ...values.map(it => h('option', { value: it, selected: it === value }, botTitle(it)))))
    const seats = Array.from({ length: this.players }, (_, at) => select(`Seat ${at + 1}`, facts?.bots ?? ['random'], this.bots[at] ?? 'random', bot => { this.bots[at] = bot }))
    const options = (facts?.options ?? []).map(it => optionField('lab', it, this.options[it.name] ?? it.default, value => { value === it.default ? delete this.options[it.name] : this.options[it.name] = value }, running))
    const press = () => { running ? this.halt() : void this.start() }
    return h('div', {}, h('div', { class: 'settings' }, select('Players', (facts?.players.counts ?? []).map(String), String(this.players), count => { this.players = Number(count) }), ...seats, ...options),
      h('div', { class: 'bar' }, h('button', { class: running ? '' : 'primary', disabled: !facts, onclick: press }, running ? 'Stop' : `Play ${WANTED.toLocaleString('en')} games`)))
  }

  private draw(): void {
    const { shown, done } = this
    const parts: (HTMLElement | false)[] = [this.form(), h('p', { class: 'legend', role: 'status' }, this.said), done > 0 && done < 1 && h('progress', { value: done, max: 1, 'aria-label': 'Games played' })]
    const results = shown?.results
    if (results) parts.push(this.other(shown) !== '' && h('p', { class: 'legend' }, `These games are of ${this.other(shown)}.`), this.wins(results, shown.bots), this.lengths(results), this.never(results), this.moves(results))
    if (this.runs.length > 1) parts.splice(2, 0, this.compare())
    this.element.replaceChildren(...parts.filter(part => part !== false))
  }

  /** What a run is of, if not of the game as it is now. */
  private other(run: Run): string {
    const { main, rules } = this.now()
    return [run.of.main !== main && run.title, run.of.rules !== rules && 'earlier rules'].filter(Boolean).join(', ')
  }

  /** All runs beside each other: who won, how long games took. */
  private compare(): HTMLElement {
    const row = (run: Run) => run.results && h('tr', { class: run === this.shown ? 'on' : '' },
      h('th', { scope: 'row' }, h('button', { class: 'quiet', onclick: () => { this.shown = run; this.draw() } }, run.words), this.other(run) && ` (${this.other(run)})`),
      h('td', {}, run.results.wins.map(it => `${it.share[0]} %`).join(' · ')), h('td', {}, run.results.decisions.mean), h('td', {}, String(run.results.playouts)))
    const heads = ['run', 'wins by seat', 'decisions', 'games'].map(it => h('th', { scope: 'col' }, it))
    return h('section', {}, h('h3', {}, 'All runs'), h('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'All runs' }, h('table', { class: 'results runs' }, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...this.runs.map(row)))))
  }

  private wins({ wins, nobody, stopped, playouts }: LabResults, bots: string[]): HTMLElement {
    const bar = (name: string, [rate, low, high]: [string, string, string]) => h('tr', {}, h('th', { scope: 'row' }, name),
      h('td', { class: 'bar-cell' }, s('svg', { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': true },
        s('rect', { width: rate, height: 10, class: 'share' }), s('line', { x1: low, x2: high, y1: 5, y2: 5, class: 'interval' }))),
      h('td', {}, `${rate} %`), h('td', { class: 'dim' }, `likely ${low}–${high} %`))
    const others = [nobody - stopped > 0 && `${nobody - stopped} shared or drawn`, stopped > 0 && `${stopped} stopped by the limit`].filter(Boolean)
    return h('section', {}, h('h3', {}, 'Who wins'), h('table', { class: 'results' }, h('tbody', {}, ...wins.map(it => bar(it.name, it.share)))),
      others.length > 0 && h('p', { class: 'legend' }, `Of ${playouts} games: ${others.join(', ')}.`),
      new Set(bots).size === 1 && wins.length > 1 && h('p', { class: 'legend', id: 'starter' }, seats(wins, (100 * (playouts - nobody)) / playouts / wins.length)))
  }

  private lengths({ decisions }: LabResults): HTMLElement {
    const { least, most, counts, mean, nine_of_ten } = decisions
    const bars = Math.min(30, most - least + 1)
    const width = (most - least + 1) / bars
    const heights = Array.from({ length: bars }, () => 0)
    for (const [length, count] of Object.entries(counts)) heights[Math.min(bars - 1, Math.floor((Number(length) - least) / width))] += count
    const high = Math.max(...heights)
    const drawing = s('svg', { class: 'histogram', viewBox: '0 0 300 84', role: 'img', 'aria-label': `Games take ${least} to ${most} decisions, ${mean} on average` },
      ...heights.map((count, at) => s('rect', { x: (at * 300) / bars + 0.5, width: 300 / bars - 1, y: 66 - (count / high) * 62, height: (count / high) * 62 })),
      s('text', { x: 0, y: 80 }, String(least)), s('text', { x: 300, y: 80, 'text-anchor': 'end' }, String(most)))
    return h('section', {}, h('h3', {}, 'How long'), drawing, h('p', { class: 'legend' }, `${mean} decisions on average; nine of ten games take ${nine_of_ten[0]} to ${nine_of_ten[1]}.`))
  }

  private never({ never }: LabResults): HTMLElement {
    const item = ({ what, at }: NeverRun) => h('li', {}, h('button', { class: 'quiet', onclick: () => this.goTo(at) }, `line ${at.line}`), ' ', what)
    return h('section', {}, h('h3', {}, 'What never happens'), never.length > 0 ? h('ul', {}, ...never.map(item)) : h('p', { class: 'legend' }, 'Every rule, move and case ran.'))
  }

  private moves({ moves, playouts, sampled_games }: LabResults): HTMLElement {
    const share = (it: LabMove) => `${((100 * it.taken) / Math.max(it.offered, 1)).toFixed(0)} %`
    const row = (it: LabMove) => h('tr', {}, h('th', { scope: 'row' }, it.name.replaceAll('_', ' ')), h('td', {}, it.offered.toLocaleString('en')), h('td', {}, share(it)), h('td', {}, it.wins ? `${it.wins[0]} %` : '–'))
    return h('section', {}, h('h3', {}, 'Moves'), h('p', { class: 'legend' }, `${sampled_games < playouts ? `Counted in ${sampled_games} of the games. ` : ''}Takers are those who take a move at the first decision of a game at which it is legal.`), h('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Moves' }, h('table', { class: 'results' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'move'), h('th', { scope: 'col' }, 'offered'), h('th', { scope: 'col' }, 'taken'), h('th', { scope: 'col' }, 'takers win'))),
      h('tbody', {}, ...moves.map(row)))))
  }
}

/** Whether some seats win more than their equal part, in percent, as far as their ranges tell. */
function seats(wins: LabSeat[], equal: number): string {
  const [more, less] = [wins.filter(it => Number(it.share[1]) > equal), wins.filter(it => Number(it.share[2]) < equal)]
  const names = (list: LabSeat[], word: string) => list.length > 0 && `${list.map(it => it.name).join(' and ')} ${list.length > 1 ? 'win' : 'wins'} ${word}`
  const found = [names(more, 'more'), names(less, 'less')].filter(Boolean).join(', ')
  const first = more.includes(wins[0]) ? 'has an advantage' : less.includes(wins[0]) ? 'has a disadvantage' : 'shows no advantage'
  return `Equal seats would win ${equal.toFixed(1)} % each. ${found ? `${found}: that is outside of the range` : 'That is in the range of every seat'}. If ${wins[0].name} begins every game, the starter ${first}.`
}
