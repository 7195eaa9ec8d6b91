// The files of a project: a tab for each, and the way from and to real files.
import { h } from './dom'
import { save } from './share'
import type { Project } from './store'

export interface Filing {
  readonly project: Project
  shown(): string
  showFile(name: string): void
  /** Another text for a file, or none; what was is kept. */
  put(name: string, text: string | null): void
  renameFile(name: string, to: string): void
  /** Files of other games. */
  openFiles(files: Record<string, string>): void
  say(words: string): void
}

interface FileHandle { name: string; createWritable(): Promise<{ write(text: string): Promise<void>; close(): Promise<void> }> }
type Picker = (options: object) => Promise<FileHandle>

export class Files {
  readonly element = h('nav', { class: 'files', 'aria-label': 'Files' })
  /** Real files that were saved to, by the names here. */
  private handles = new Map<string, FileHandle>()
  private field = h('input', { type: 'file', multiple: true, accept: '.game,.script,.csv,.txt', class: 'hidden', 'aria-label': 'Open files', onchange: () => this.take() })

  constructor(private filing: Filing) {
    document.addEventListener('dragover', event => { if (event.dataTransfer?.types.includes('Files')) event.preventDefault() })
    document.addEventListener('drop', event => {
      const files = event.dataTransfer?.files
      if (!files?.length) return
      event.preventDefault()
      void this.read([...files])
    })
    document.addEventListener('keydown', event => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      void this.saveShown()
    })
  }

  /** Other projects have other files on the disk. */
  forget = () => this.handles.clear()

  draw(): void {
    const { filing } = this
    const { main, files } = filing.project
    const shown = filing.shown()
    const names = Object.keys(files).sort((a, b) => rank(a, main) - rank(b, main) || a.localeCompare(b))
    const games = names.filter(name => !name.endsWith('.script'))
    const scripts = names.filter(name => name.endsWith('.script'))
    const tab = (name: string) => h('button', { class: 'file', 'aria-pressed': String(name === shown), 'data-file': name, title: name === main ? `${name}: it is played` : name, onclick: () => filing.showFile(name), ondblclick: () => this.rename(name) }, name === main && h('span', { 'aria-hidden': 'true' }, '▶ '), name)
    const chosen = scripts.includes(shown) ? shown : ''
    const list = scripts.length > 0 && h('select', { 'aria-label': 'Scripts', class: chosen ? 'on' : '', onchange: (event: Event) => filing.showFile((event.target as HTMLSelectElement).value) },
      h('option', { value: '', selected: chosen === '', disabled: true }, `${scripts.length} script${scripts.length === 1 ? '' : 's'}`), ...scripts.map(name => h('option', { value: name, selected: name === chosen }, name)))
    const menu = h('details', { class: 'menu' }, h('summary', { 'aria-label': 'This file' }, '⋯'), h('div', { class: 'items' },
      h('button', { onclick: () => this.add() }, 'New file …'),
      h('button', { onclick: () => this.field.click() }, 'Open files …'),
      h('button', { onclick: () => this.saveShown() }, 'Save this file (Ctrl+S)'),
      h('button', { onclick: () => this.rename(shown) }, 'Rename this file …'),
      h('button', { disabled: shown === main, onclick: () => filing.put(shown, null) }, 'Remove this file')))
    this.element.replaceChildren(h('div', { class: 'strip' }, ...games.map(tab)), list || '', menu, this.field)
  }

  choose = () => this.field.click()

  private add(): void {
    const name = prompt('Name of the new file, such as more.game or test.script:', 'test.script')?.trim()
    if (!name) return
    if (name in this.filing.project.files) return this.filing.say(`There is a file ${name}.`)
    this.filing.put(name, name.endsWith('.script') ? `game ${this.filing.project.main}\n` : '')
    this.filing.showFile(name)
  }

  private rename(name: string): void {
    const to = prompt('Name of this file:', name)?.trim()
    if (!to || to === name) return
    if (to in this.filing.project.files) return this.filing.say(`There is a file ${to}.`)
    this.filing.renameFile(name, to)
  }

  private async take(): Promise<void> {
    const files = [...this.field.files ?? []]
    this.field.value = ''
    await this.read(files)
  }

  private async read(files: File[]): Promise<void> {
    const texts = Object.fromEntries(await Promise.all(files.map(async file => [file.name, await file.text()] as const)))
    if (Object.keys(texts).some(name => !name.endsWith('.script'))) return this.filing.openFiles(texts)
    // Scripts are tests of the game at hand; one of the same name stays, too.
    for (const [name, text] of Object.entries(texts)) {
      const free = [name, ...Array.from({ length: 99 }, (_, at) => name.replace(/\.script$/, `-${at + 2}.script`))]
      const to = free.find(it => [undefined, text].includes(this.filing.project.files[it]))
      if (to) this.filing.put(to, text)
    }
    this.filing.showFile(Object.keys(texts)[0])
  }

  /** Saves into the real file that was chosen before, or a new one; as a download where a page may choose none. */
  async saveShown(): Promise<void> {
    const name = this.filing.shown()
    const text = this.filing.project.files[name]
    const picker = (window as { showSaveFilePicker?: Picker }).showSaveFilePicker
    try {
      const handle = this.handles.get(name) ?? await picker?.({ suggestedName: name.replace(/.*\//, '') })
      if (!handle) return save(name.replace(/.*\//, ''), text)
      const file = await handle.createWritable()
      await file.write(text)
      await file.close()
      this.handles.set(name, handle)
      this.filing.say(`Saved to ${handle.name}.`)
    } catch (error) {
      if ((error as Error).name !== 'AbortError') save(name.replace(/.*\//, ''), text)
    }
  }
}

const rank = (name: string, main: string) => (name === main ? 0 : name.endsWith('.game') ? 1 : 2)
