// A lab: many games between bots in the background, and what they come to.
import { h, s } from './dom'
import type { Engine } from './engine'
import type { Facts, LabMove, LabResults, NeverRun, OrFindings, TextPlace } from './model'
import { explain } from './editor'

const WANTED = 1000
/** A slice should take about so many milliseconds. */
const SLICE = 120

export class Lab {
  readonly element = h('div', { class: 'lab' })
  private run = 0
  private facts: Facts | null = null
  private players = 0
  /** What the games came to so far. */
  private last: LabResults | null = null

  constructor(private engine: Engine, private read: () => Promise<unknown>, private goTo: (place: TextPlace) => void) {
    this.draw(null, 'Bots play a thousand games: who wins, how long it takes, what never happens.')
  }

  /** The rules changed: what was counted is of others. */
  renew(facts: Facts): void {
    this.facts = facts
    if (!facts.players.counts.includes(this.players)) this.players = facts.players.usual
    if (this.run === 0) this.draw(this.last, this.last ? 'These games were played before the last change.' : 'Bots play a thousand games: who wins, how long it takes, what never happens.')
  }

  private async start(bot: string, players: number): Promise<void> {
    const run = ++this.run
    const seed = 1
    let [from, size] = [0, 4]
    this.last = null
    await this.read()
    while (from < WANTED && run === this.run) {
      const to = Math.min(from + size, WANTED)
      const before = performance.now()
      let results: OrFindings<LabResults>
      try {
        results = await this.engine.ask({ ask: 'lab', bot, players, seed, from, to })
      } catch (error) {
        if (run === this.run) this.draw(this.last, String((error as Error).message))
        return
      }
      if (run !== this.run) return
      if ('findings' in results) {
        this.element.replaceChildren(this.form(), ...results.findings.map(it => explain(it)))
        return
      }
      const took = Math.max(performance.now() - before, 1)
      size = Math.max(1, Math.min(200, Math.round((size * SLICE) / took)))
      from = to
      this.last = results
      this.draw(results, from < WANTED ? `${from} of ${WANTED} games …` : `${WANTED} games with ${bot} on every seat, seed ${seed}.`, from / WANTED)
    }
    if (run === this.run) this.run = 0
  }

  private bot = 'random'

  private form(): HTMLElement {
    const { facts } = this
    const bots = h('select', { 'aria-label': 'Bot', onchange: (event: Event) => { this.bot = (event.target as HTMLSelectElement).value } },
      ...(facts?.bots ?? ['random']).map(bot => h('option', { selected: bot === this.bot }, bot)))
    const counts = facts?.players.counts ?? []
    const players = h('select', { 'aria-label': 'Players', onchange: (event: Event) => { this.players = Number((event.target as HTMLSelectElement).value) } },
      ...counts.map(count => h('option', { value: count, selected: count === this.players }, `${count} players`)))
    const running = this.run > 0
    const press = running
      ? () => { this.run = 0; this.engine.stop(); this.draw(this.last, `Broken off${this.last ? ` after ${this.last.playouts} games` : ''}.`) }
      : () => this.start(this.bot, this.players)
    return h('div', { class: 'bar' }, players, bots, h('button', { class: running ? '' : 'primary', disabled: !facts, onclick: press }, running ? 'Stop' : `Play ${WANTED.toLocaleString('en')} games`))
  }

  private draw(results: LabResults | null, words: string, done = 0): void {
    const parts: (HTMLElement | false)[] = [this.form(), h('p', { class: 'legend', role: 'status' }, words), done > 0 && done < 1 && h('progress', { value: done, max: 1, 'aria-label': 'Games played' })]
    if (results) parts.push(this.wins(results), this.lengths(results), this.never(results), this.moves(results))
    this.element.replaceChildren(...parts.filter(part => part !== false))
  }

  private wins({ wins, nobody, stopped, playouts }: LabResults): HTMLElement {
    const bar = (name: string, [rate, low, high]: [string, string, string]) => h('tr', {}, h('th', { scope: 'row' }, name),
      h('td', { class: 'bar-cell' }, s('svg', { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': true },
        s('rect', { width: rate, height: 10, class: 'share' }), s('line', { x1: low, x2: high, y1: 5, y2: 5, class: 'interval' }))),
      h('td', {}, `${rate} %`), h('td', { class: 'dim' }, `${low}–${high}`))
    const others = [nobody - stopped > 0 && `${nobody - stopped} shared or drawn`, stopped > 0 && `${stopped} stopped by the limit`].filter(Boolean)
    return h('section', {}, h('h3', {}, 'Who wins'), h('table', { class: 'results' }, h('tbody', {}, ...wins.map(it => bar(it.name, it.share)))),
      others.length > 0 && h('p', { class: 'legend' }, `Of ${playouts} games: ${others.join(', ')}.`))
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
