// Scripts beside the game: each a test that is green or red while the rules change.
import { h } from './dom'
import type { Engine } from './engine'
import { explain } from './editor'
import type { Finding, Ran, TextPlace } from './model'

export interface Tests {
  /** The game so far becomes a script. */
  add(): void
  goTo(place: TextPlace): void
  ran(failed: number, all: number): void
}

export class Scripts {
  readonly element = h('div', { class: 'scripts' })
  private ran = new Map<string, Ran>()
  private round = 0

  constructor(private engine: Engine, private read: () => Promise<unknown>, private scripts: () => Record<string, string>, private tests: Tests) {}

  /** What was wrong with a script when it ran last. */
  findings = (name: string): Finding[] => this.ran.get(name)?.findings ?? []

  /** Runs all scripts on the rules as they are now. */
  async run(): Promise<void> {
    const round = ++this.round
    this.ran.clear()
    const names = Object.keys(this.scripts())
    if (names.length === 0) return this.draw()
    await this.read()
    for (const name of names) {
      const text = this.scripts()[name]
      if (text === undefined) continue
      try {
        const ran = await this.engine.ask({ ask: 'run', name, text })
        if (round !== this.round) return
        this.ran.set(name, ran)
      } catch {
        return
      }
    }
    this.draw()
  }

  draw(): void {
    const names = Object.keys(this.scripts())
    const failed = [...this.ran.values()].filter(ran => !ran.passed).length
    this.tests.ran(failed, names.length)
    const add = h('button', { onclick: () => this.tests.add() }, 'Add the game so far')
    const text = names.length === 0
      ? 'A script is a game that must stay possible: its moves, and what must come of them. Play some moves and add them. Then write what must hold, as ? P1.points == 3, and how it ends, as = P1 wins.'
      : `${names.length - failed} of ${names.length} pass.`
    this.element.replaceChildren(h('div', { class: 'bar' }, add), h('p', { class: 'legend', role: 'status' }, text), h('ul', { class: 'tests' }, ...names.map(name => this.item(name))))
  }

  private item(name: string): HTMLElement {
    const ran = this.ran.get(name)
    const [mark, state] = !ran ? ['…', 'waits'] : ran.passed ? ['✓', 'passed'] : ['✗', 'failed']
    const found = (ran?.findings ?? []).filter(it => it.severity === 'error')
    return h('li', { class: state },
      h('button', { class: 'test', title: 'Open this script', onclick: () => this.tests.goTo({ file: name, line: 1, column: 1, end_line: null, end_column: null }) }, h('span', { class: 'mark', 'aria-label': state, role: 'img' }, mark), name.replace(/\.script$/, '')),
      ...found.slice(0, 3).map(it => explain(it, place => this.tests.goTo(place))))
  }
}
