// The views of the page: beside each other where there is room, else one at a time.
import { h } from './dom'

type Tab = 'write' | 'play' | 'rules' | 'tests' | 'lab'
const TABS: [Tab, string][] = [['write', 'Write'], ['play', 'Play'], ['rules', 'Rules'], ['tests', 'Tests'], ['lab', 'Lab']]

export class Tabs {
  tab: Tab = 'play'
  readonly panels: Record<Tab, HTMLElement>
  readonly buttons: HTMLElement[]

  /** `badge` stands beside the word of the tests; `shown` is told which view comes into sight. */
  constructor(contents: Record<Tab, HTMLElement[]>, badge: HTMLElement, private shown: (tab: Tab) => void) {
    const panel = (name: Tab) => h('section', name === 'write' ? { id: 'panel-write', class: 'panel write', 'aria-label': 'Rules as text' } : { id: `panel-${name}`, class: 'panel', role: 'tabpanel', 'aria-labelledby': `tab-${name}` }, ...contents[name])
    this.panels = Object.fromEntries(TABS.map(([name]) => [name, panel(name)])) as Record<Tab, HTMLElement>
    this.buttons = TABS.map(([name, words]) => h('button', { role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, onclick: () => this.show(name), onkeydown: (event: KeyboardEvent) => this.turn(event, name) }, words, name === 'tests' && badge))
  }

  private turn(event: KeyboardEvent, name: Tab): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!by) return
    const open = TABS.filter((_, at) => this.buttons[at].offsetParent !== null)
    const at = open.findIndex(([tab]) => tab === name)
    const next = open[(at + by + open.length) % open.length][0]
    this.show(next)
    document.getElementById(`tab-${next}`)!.focus()
  }

  /** Where there is room for one side only. */
  showNarrow(tab: Tab): void {
    if (matchMedia('(max-width: 899px)').matches) this.show(tab)
  }

  show(next: Tab): void {
    this.tab = next
    document.body.dataset.tab = next
    TABS.forEach(([name], at) => {
      const isOn = name === next
      this.buttons[at].setAttribute('aria-selected', String(isOn))
      this.buttons[at].tabIndex = isOn ? 0 : -1
      this.panels[name].classList.toggle('shown', isOn)
    })
    this.shown(next)
  }
}
