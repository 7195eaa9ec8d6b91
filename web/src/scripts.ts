// Scripts beside the game: each a test that is green or red while the rules change.
import { h } from './dom'
import type { Engine } from './engine'
import { explain } from './editor'
import { save } from './share'
import type { Ran } from './model'

export class Scripts {
  readonly element = h('div', { class: 'scripts' })
  private ran = new Map<string, Ran>()
  private open: string | null = null
  private round = 0

  constructor(private engine: Engine, private read: () => Promise<unknown>, private scripts: () => Record<string, string>, private record: () => Promise<string | null>, private counted: (failed: number, all: number) => void) {}

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
    this.counted(failed, names.length)
    const add = h('button', { onclick: () => this.add() }, 'Add the game so far')
    const text = names.length === 0
      ? 'A script is a game that must stay possible: its moves, and what must come of them. Play some moves and add them.'
      : `${names.length - failed} of ${names.length} pass.`
    this.element.replaceChildren(h('div', { class: 'bar' }, add), h('p', { class: 'legend', role: 'status' }, text), h('ul', { class: 'tests' }, ...names.map(name => this.item(name))))
  }

  private item(name: string): HTMLElement {
    const ran = this.ran.get(name)
    const mark = ran ? (ran.passed ? '✓' : '✗') : '…'
    const state = ran ? (ran.passed ? 'passed' : 'failed') : 'waits'
    const open = this.open === name
    const toggle = () => {
      this.open = open ? null : name
      this.draw()
    }
    const area = () => h('textarea', {
      rows: Math.min(24, this.scripts()[name].split('\n').length + 1), spellcheck: 'false', 'aria-label': `Script ${name}`, value: this.scripts()[name],
      onchange: (event: Event) => {
        this.scripts()[name] = (event.target as HTMLTextAreaElement).value
        this.run()
      },
    })
    const bar = () => h('div', { class: 'bar' },
      h('button', { onclick: () => save(name, this.scripts()[name]) }, 'Save as a file'),
      h('button', { onclick: () => { delete this.scripts()[name]; this.run() } }, 'Remove'))
    const found = (ran?.findings ?? []).filter(it => it.severity === 'error' || open)
    return h('li', { class: state },
      h('button', { class: 'test', 'aria-expanded': String(open), onclick: toggle }, h('span', { class: 'mark', 'aria-label': state, role: 'img' }, mark), name.replace(/\.script$/, '')),
      ...(open ? [area(), bar()] : []), ...found.slice(0, 3).map(it => explain(it)))
  }

  private async add(): Promise<void> {
    const text = await this.record()
    if (!text) return
    let number = 1
    while (`game-${number}.script` in this.scripts()) number++
    this.open = `game-${number}.script`
    this.scripts()[this.open] = text
    await this.run()
  }
}
