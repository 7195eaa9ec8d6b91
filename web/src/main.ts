// The page: rules on one side; table, rulebook, tests and lab on the other.
import './style.css'
import { scriptsOf } from './bundled'
import { divider } from './divider'
import { calm, h, keep, kept, openDialog } from './dom'
import { Editor, marked } from './editor'
import { Engine, unpack } from './engine'
import { Files, type Filing } from './files'
import { Lab } from './lab'
import { language } from './language'
import { drawBook, drawSheets } from './book'
import { Play } from './play'
import { Projects, type Shelf } from './projects'
import { Scripts } from './scripts'
import { firstChange } from './merge'
import { showHelp } from './help'
import { digest, inside, link, linked, page, save, titleOf } from './share'
import { fresh, Store, Work, type Past, type Project } from './store'
import { Tabs } from './tabs'
import { blank, entitled, isScript, rulesOf, sorted } from './templates'
import type { BundledTitle, Finding, TextPlace } from './model'

const FIRST = 'tice'
/** Which project this tab has open, and which one was open last. */
const OPEN = 'astragal-open'
const WHERE = [() => sessionStorage, () => localStorage]
/** What stood for so long becomes a version when it is changed; so does, after longer, what is written without a rest. */
const STABLE = 120_000
const VERSION = 600_000

const DESIGNS = ['tice', 'elemento', 'card-dice', 'dice-realms', 'elemental-clash']

const errorsOf = (findings: Finding[]) => findings.filter(it => it.severity === 'error')

class Page implements Filing, Shelf {
  private work!: Work
  private checks = 0
  private openings = 0
  private findings: Finding[] = []
  /** The rules as they last had no errors. */
  private right: Record<string, string> | null = null
  private drawnRules = ''
  private book: HTMLElement = h('div')
  private changed = 0
  private versionAt = 0
  private status = h('div', { class: 'status', role: 'status', 'aria-live': 'polite' })
  private said = h('span', { class: 'said', role: 'status' })
  private saved = h('span', { class: 'saved' })
  private name = h('button', { id: 'projects', onclick: () => this.projects.show() })
  private rulebook = h('article', { class: 'rulebook' })
  private failing = h('span', { class: 'badge' })
  private pane = h('div', { class: 'editor-pane' })
  private tabs: Tabs
  private editor: Editor
  private play: Play
  private scripts: Scripts
  private lab: Lab
  private files = new Files(this)
  private projects: Projects

  constructor(private writing: Engine, table: Engine, private background: Engine, words: Parameters<typeof language>[0], games: BundledTitle[], readonly store: Store) {
    this.play = new Play(table, () => this.read(table, this.playable()), {
      keep: (game, setting) => {
        const { project } = this.work
        if (game !== project.game || JSON.stringify(setting) !== JSON.stringify(project.setting)) this.work.set({ game, setting })
      },
      past: (game, why) => void this.work.keep(why, { game }),
      goTo: place => goTo(place),
    })
    this.scripts = new Scripts(background, () => this.read(background), () => Object.fromEntries(Object.entries(this.project.files).filter(([name]) => isScript(name))), {
      add: () => void this.addScript(),
      goTo: place => goTo(place),
      ran: (failed, all) => {
        this.failing.textContent = all === 0 ? '' : failed > 0 ? `${failed} ✗` : '✓'
        this.failing.className = `badge ${failed > 0 ? 'failed' : ''}`
        if (isScript(this.editor.name)) this.showFindings()
      },
    })
    const goTo = (place: TextPlace) => { this.tabs.showNarrow('write'); this.editor.goTo(place) }
    this.lab = new Lab(background, () => this.read(background), () => ({ main: this.project.main, rules: digest(JSON.stringify(sorted(rulesOf(this.project.files)))) }), { runs: () => this.work?.project.runs ?? [], keep: runs => this.work.set({ runs }) }, goTo)
    const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
      const name = this.editor.name
      void this.read(writing, this.project.files, name.endsWith('.game') ? name : this.project.main)
      return ask()
    }
    this.editor = new Editor(this.pane, language(words), {
      hover: place => asked(() => writing.ask({ ask: 'hover', ...place })),
      complete: place => asked(() => writing.ask({ ask: 'complete', ...place })),
      definition: place => asked(() => writing.ask({ ask: 'definition', ...place })),
    }, (name, text) => {
      if (this.project.files[name] === text) return
      this.keepStable()
      this.work.file(name, text)
      void this.check()
    }, place => place.file && place.file in this.project.files && this.showFile(place.file))
    this.projects = new Projects(this, games)
    const tidy = h('button', { onclick: () => this.tidy() }, 'Tidy')
    const help = h('button', { id: 'help', onclick: showHelp }, 'Help')
    const played = h('button', { id: 'play-this', class: 'hidden', onclick: () => { this.work.set({ main: this.editor.name }); void this.reopen() } }, 'Play this file')
    this.tabs = new Tabs({
      write: [this.files.element, this.pane, h('footer', { class: 'bar' }, this.status, h('span', {}, played, ' ', help, ' ', tidy))],
      play: [this.play.element],
      rules: [h('div', { class: 'bar' }, h('button', { id: 'sheets', onclick: () => this.showSheets() }, 'Cards and sheets'), h('button', { id: 'print', onclick: () => print() }, 'Print')), this.rulebook],
      tests: [this.scripts.element],
      lab: [this.lab.element],
    }, this.failing, tab => {
      if (tab === 'rules') void this.drawRules()
      if (tab === 'play') this.play.reveal()
      if (tab === 'write') this.editor.view.requestMeasure()
    })
    this.lay(games)
    addEventListener('hashchange', () => void this.openLink())
    addEventListener('beforeprint', () => this.rulebook.replaceChildren(this.book))
    store.heard = id => { if (id === this.work?.project.id) void this.work.refresh() }
  }

  get project(): Project {
    return this.work.project
  }

  shown = () => this.editor.name

  choose = () => this.files.choose()

  /** The files that the table is of: while they have errors, those before. */
  private playable = () => this.project.good ?? this.project.files

  private read(engine: Engine, files = this.project.files, name = this.project.main): Promise<null> {
    const { [name]: text = '', ...others } = files
    return engine.ask({ ask: 'read', name, text, files: others })
  }

  /** Says what is wrong, at every key; the table follows when all is right and the keys rest. */
  private async check(): Promise<void> {
    const round = ++this.checks
    void this.read(this.writing)
    const findings = await this.writing.ask({ ask: 'findings' })
    if (round !== this.checks) return
    this.tell(findings)
    document.body.dataset.checked = String(round)
    errorsOf(findings).length > 0 ? this.fall() : this.follow(round)
  }

  /** The rules have errors: the table stays as it was without. */
  private fall(): void {
    if (!this.project.good && this.right) this.work.set({ good: this.right })
    this.mark(this.project.good !== null)
  }

  private accept(): void {
    this.right = rulesOf(this.project.files)
    if (this.project.good) this.work.set({ good: null })
  }

  private mark(isWrong: boolean): void {
    if (this.play.stale === isWrong) return
    this.play.stale = isWrong
    this.play.draw()
  }

  private tell(findings: Finding[]): void {
    this.findings = findings
    this.showFindings()
  }

  /** What is wrong with the file that is shown, there and below it: the first error with its help and its repair. */
  private showFindings(): void {
    const findings = isScript(this.editor.name) ? this.scripts.findings(this.editor.name) : this.findings
    this.editor.show(findings)
    const errors = errorsOf(findings)
    const warnings = findings.length - errors.length
    const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`
    this.status.className = `status ${errors.length > 0 ? 'wrong' : ''}`
    const go = () => { this.tabs.showNarrow('write'); this.editor.goTo(errors[0]) }
    const repairs = errors.slice(0, 1).flatMap(it => this.editor.repairs(it)).map(it => h('button', { class: 'repair', onclick: it.apply }, it.name))
    this.status.replaceChildren(...errors.length > 0
      ? [h('button', { class: 'quiet', onclick: go }, `${count(errors.length, 'error')}: `, ...marked(errors[0].message)), ...repairs.length > 0 ? repairs : marked(errors[0].help ?? '')]
      : [warnings > 0 ? count(warnings, 'hint') : 'No errors'])
  }

  private follow = calm(250, async (round: number) => {
    // Meanwhile another project may have been opened: its table is laid already.
    if (round !== this.checks) return
    await this.read(this.background)
    const facts = await this.background.ask({ ask: 'facts' })
    if (round !== this.checks) return
    const all = 'findings' in facts ? facts.findings : await this.background.ask({ ask: 'check' })
    if (round !== this.checks) return
    this.tell(all)
    if ('findings' in facts || errorsOf(all).length > 0) return this.fall()
    this.accept()
    this.mark(false)
    this.lab.renew(facts)
    await this.play.renew(facts, this.project.game)
    document.body.dataset.followed = String(round)
    void this.drawRules()
    void this.scripts.run()
  })

  /** Draws the rulebook beside the page, so that it is there when somebody prints. */
  private async drawRules(): Promise<void> {
    const text = JSON.stringify([this.project.main, this.playable()])
    if (this.drawnRules !== text) {
      this.drawnRules = text
      await this.read(this.background, this.playable())
      const book = await this.background.ask({ ask: 'rules' })
      if ('findings' in book) return
      const drawn = await drawBook(book, this.background)
      if (this.drawnRules !== text) return
      this.book = drawn
    }
    if (this.tabs.tab === 'rules') this.rulebook.replaceChildren(this.book)
  }

  /** Shows what is cut and written on, before it is printed. */
  private async showSheets(): Promise<void> {
    await this.read(this.background, this.playable())
    const cards = await this.background.ask({ ask: 'cards' })
    if ('findings' in cards || cards.html === null) return this.say('This game has no cards, and nothing to write on.')
    const frame = await drawSheets(cards.html, this.background)
    openDialog('Cards and sheets', 'shelf sheets', h('button', { class: 'primary', id: 'print-sheets', onclick: () => frame.contentWindow!.print() }, 'Print'), frame)
  }

  private keepStable(): void {
    const [now, before] = [Date.now(), this.changed]
    this.changed = now
    if (now - before < STABLE && now - this.versionAt < VERSION) return
    this.versionAt = now
    void this.keepVersion()
  }

  async keepVersion(): Promise<void> {
    const { work, project: { id, files } } = this
    const last = (await this.store.past(id)).find(it => it.files)?.files
    await work.keep(last ? firstChange(last, files) : 'as it was at first', { files })
  }

  // Files.

  showFile(name: string): void {
    if (!(name in this.project.files)) return
    this.editor.main = this.project.main
    this.editor.open(name, this.project.files[name])
    document.getElementById('play-this')?.classList.toggle('hidden', name === this.project.main || !/^(game|variant) /m.test(this.project.files[name]) || isScript(name))
    this.files.draw()
    this.showFindings()
  }

  put(name: string, text: string | null): void {
    const before = this.project.files[name]
    if (before !== undefined) void this.work.keep(text === null ? `before ${name} was removed` : `before ${name} was replaced`, { files: this.project.files })
    this.work.file(name, text)
    if (text === null) this.say(`${name} is removed.`, 'Undo', () => this.put(name, before))
    if (text === null && this.editor.name === name) this.editor.forget()
    this.showFile(text === null ? this.project.main : this.editor.name || name)
    isScript(name) ? void this.scripts.run() : void this.check()
  }

  renameFile(name: string, to: string): void {
    const { [name]: text, ...others } = this.project.files
    this.work.set({ files: { ...others, [to]: text }, main: this.project.main === name ? to : this.project.main })
    this.editor.forget()
    this.play.name = this.project.main
    this.showFile(to)
    void this.check()
  }

  private async addScript(): Promise<void> {
    const text = await this.play.record(this.project.main)
    if (!text) return
    let number = 1
    while (`game-${number}.script` in this.project.files) number++
    this.put(`game-${number}.script`, text)
    this.showFile(`game-${number}.script`)
  }

  private async tidy(): Promise<void> {
    const name = this.editor.name
    await this.read(this.writing, this.project.files, name)
    const text = await this.writing.ask({ ask: 'tidy' })
    if (!text) this.say('Tidy lays out a file without errors: mend them first.')
    else if (name === this.editor.name) this.editor.change(name, text)
  }

  openFiles(files: Record<string, string>): void {
    const games = Object.keys(files).filter(name => !isScript(name))
    const isBase = (name: string) => games.some(other => files[other].includes(`"${name}"`))
    const main = games.find(name => !isBase(name)) ?? games[0]
    void this.open(fresh(titleOf(files[main]) ?? main, main, files))
  }

  // Projects.

  /** Opens a project; what was open before is kept. */
  async open(project: Project): Promise<void> {
    this.lab.halt()
    await this.work?.rest()
    const isNew = project.revision === 0
    this.work = new Work(this.store, project, before => this.hear(before), isSaved => {
      this.saved.textContent = isSaved ? 'Saved' : '…'
      document.body.dataset.saved = String(isSaved)
    })
    if (isNew) this.work.set({})
    WHERE.forEach(where => keep(OPEN, project.id, where))
    Object.assign(this, { right: null, changed: 0, versionAt: 0, drawnRules: '', book: h('div') })
    this.files.forget()
    this.editor.forget()
    this.play.forget()
    this.lab.open()
    Object.values(this.tabs.panels).forEach(it => { it.scrollTop = 0 })
    this.tabs.show('play')
    await this.reopen()
  }

  /** Lays the table of the project as it is. */
  private async reopen(): Promise<void> {
    // What is checked meanwhile, for another tab, does not end this.
    const round = ++this.openings
    this.checks++
    const { project } = this
    this.entitle()
    this.showFile(this.editor.name in project.files ? this.editor.name : project.main)
    this.play.name = project.main
    if (project.setting) this.play.setting = { ...project.setting }
    await this.read(this.writing)
    const [findings, own] = await Promise.all([this.writing.ask({ ask: 'findings' }), this.writing.ask({ ask: 'facts' })])
    if (round !== this.openings) return
    // Some mistakes only the long check finds: where there was none before, the table need not wait for it.
    const all = 'findings' in own ? own.findings : project.good ? await this.writing.ask({ ask: 'check' }) : findings
    if (round !== this.openings) return
    const isWrong = errorsOf(all).length > 0
    this.tell(errorsOf(findings).length > 0 ? findings : all)
    if (!isWrong) this.accept()
    await this.read(this.background, this.playable())
    const facts = project.good && isWrong ? await this.background.ask({ ask: 'facts' }) : own
    if (round !== this.openings) return
    this.play.stale = isWrong && project.good !== null
    if (!('findings' in facts)) {
      this.play.sit(facts)
      this.lab.renew(facts)
      await this.play.start(project.game)
    } else this.play.draw()
    if (round !== this.openings) return
    document.body.dataset.opened = project.main
    if ('findings' in facts) this.tabs.showNarrow('write')
    void this.drawRules()
    void this.scripts.run()
  }

  private entitle(): void {
    this.name.textContent = `${this.project.title} ▾`
    document.title = `${this.project.title} · astragal`
  }

  /** Another tab changed this project. */
  private hear(before: Project): void {
    const { project } = this
    this.entitle()
    for (const name of Object.keys(before.files)) if (name in project.files) this.editor.change(name, project.files[name])
    if (!(this.editor.name in project.files)) this.editor.forget()
    if (before.main !== project.main) return void this.reopen()
    this.showFile(this.editor.name || project.main)
    const isOther = JSON.stringify(before.files) !== JSON.stringify(project.files)
    if (project.setting) this.play.setting = { ...project.setting }
    if (!this.play.shows(project.game)) void this.play.start(project.game).then(() => { if (isOther) void this.check() })
    else if (isOther) void this.check()
  }

  private async openBundled(name: string): Promise<void> {
    // One that was opened before and not changed since goes on.
    const files = await this.bundled(name)
    const kept = (await this.store.all()).find(it => it.deleted === null && it.from === name && JSON.stringify(sorted(it.files)) === JSON.stringify(sorted(files)))
    const main = Object.keys(files)[0]
    await this.open(kept ?? fresh(titleOf(files[main]) ?? name, main, files, name))
  }

  private async bundled(name: string): Promise<Record<string, string>> {
    return { ...Object.fromEntries(await this.background.ask({ ask: 'files', game: name })), ...scriptsOf(name) }
  }

  async create(title: string, template: string): Promise<void> {
    const file = `${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'game'}.game`
    if (!template) return this.open(fresh(title, file, { [file]: blank(title) }))
    const [[, text], ...others] = await this.background.ask({ ask: 'files', game: template })
    await this.open(fresh(title, file, { [file]: entitled(text, title), ...Object.fromEntries(others) }))
  }

  duplicate({ title, main, files, game, setting }: Project): void {
    void this.open({ ...fresh(`${title}, a copy`, main, files), game, setting })
  }

  async vary({ title, main, files }: Project): Promise<void> {
    const free = ['variant.game', ...Array.from({ length: 99 }, (_, at) => `variant-${at + 2}.game`)].find(it => !(it in files))!
    const text = `## What is different, in one sentence.\nvariant "A variant" of "${main}"\n\n# Write here what differs: another value for an option, or what you replace, extend or remove.\n`
    await this.open(fresh(`${title}: a variant`, free, { [free]: text, ...rulesOf(files) }))
  }

  async renameProject(project: Project, title: string): Promise<void> {
    const text = project.files[project.main]
    const files = titleOf(text) === project.title ? { ...project.files, [project.main]: entitled(text, title) } : project.files
    if (project.id !== this.project.id) return void await this.store.write({ ...project, title, files }, project)
    this.work.set({ title, files })
    this.editor.change(project.main, files[project.main])
    this.entitle()
    void this.check()
  }

  async remove(project: Project, isRemoved: boolean): Promise<void> {
    const deleted = isRemoved ? Date.now() : null
    if (project.id !== this.project.id) await this.store.write({ ...project, deleted }, project)
    else {
      this.work.set({ deleted })
      await this.work.rest()
    }
    if (!isRemoved) return
    this.say(`${project.title} is deleted.`, 'Undo', async () => {
      const now = await this.store.get(project.id)
      if (now) await this.open({ ...await this.store.write({ ...now, deleted: null }, now) })
    })
    if (project.id !== this.project.id) return
    const next = (await this.store.all()).find(it => it.deleted === null)
    next ? await this.open(next) : await this.openBundled(FIRST)
  }

  /** What is there now becomes past, so that nothing is replaced without a way back. */
  async restore(past: Past): Promise<void> {
    const { files, game, setting } = past
    const other = past.project !== this.project.id && await this.store.get(past.project)
    if (other) await this.open(other)
    if (files) {
      await this.work.keep('before it went back to a version', { files: this.project.files })
      const main = this.project.main in files ? this.project.main : Object.keys(files).find(name => name.endsWith('.game')) ?? this.project.main
      this.work.set({ files, main, good: null })
      this.editor.forget()
    } else {
      if (this.project.game) await this.work.keep('before it went back to a game', { game: this.project.game })
      this.work.set({ game, setting: setting ?? this.project.setting })
    }
    await this.reopen()
  }

  // Links.

  /** Opens what the address carries as a copy, and takes it out of the address; whether there was something. */
  private async openLink(): Promise<boolean> {
    try {
      const project = await linked()
      if (!project) return false
      const kept = await this.store.write(project, project)
      history.replaceState(null, '', location.href.split('#')[0])
      await this.open(kept)
      return true
    } catch (error) {
      this.say(`The link cannot be read: ${(error as Error).message}`)
      return false
    }
  }

  private async copyLink(): Promise<void> {
    const { address, isWhole } = await link(this.project)
    const field = document.getElementById('link') as HTMLInputElement
    field.value = address
    field.classList.remove('hidden')
    const without = isWhole ? '' : ' It is long, so that the tests are not in it.'
    const isCopied = await (navigator.clipboard?.writeText(address) ?? Promise.reject()).then(() => true, () => field.select())
    const words = `${isCopied ? 'The link is copied.' : 'Copy the link from the field.'}${without}`
    if (location.protocol !== 'file:') return this.say(words)
    this.say(`${words} It works only on this machine, where the page is a file. To send the game:`, 'Download as one page', () => document.getElementById('save-page')!.click())
  }

  /** What this tab, or the last one, had open. */
  async begin(): Promise<void> {
    await this.store.recover()
    if (await this.openLink()) return
    const all = (await this.store.all()).filter(it => it.deleted === null)
    const carried = inside()
    if (carried) return this.open(all.find(it => it.from === carried.from) ?? carried)
    const last = WHERE.map(where => all.find(it => it.id === kept(OPEN, where))).find(Boolean) ?? all[0]
    await (last ? this.open(last) : this.openBundled(FIRST))
  }

  // The page around it.

  say(words: string, button?: string, act?: () => void): void {
    const sentence = h('span', {}, words, ' ', button && h('button', { class: 'quiet', onclick: () => { this.said.replaceChildren(); act?.() } }, button))
    this.said.replaceChildren(sentence)
    setTimeout(() => { if (sentence.isConnected) sentence.remove() }, button ? 20_000 : 4000)
  }

  private lay(games: BundledTitle[]): void {
    const designs = games.filter(game => game.name.includes('/') || DESIGNS.includes(game.name))
    const choices = (list: BundledTitle[]) => list.map(game => h('option', { value: game.name }, game.title || game.name))
    const picker = h('select', { id: 'games', 'aria-label': 'Open a game', onchange: () => { const name = picker.value; picker.value = ''; name === 'new' ? void this.projects.show().then(() => document.getElementById('new-title')!.focus()) : name && void this.openBundled(name) } },
      h('option', { value: '' }, 'Games'), h('option', { value: 'new' }, 'New …'), h('optgroup', { label: 'Designs' }, ...choices(designs)), h('optgroup', { label: 'Examples' }, ...choices(games.filter(game => !designs.includes(game)))))
    const base = () => this.project.main.replace(/\.game$/, '').replace(/.*\//, '')
    const menu = h('details', { class: 'menu', id: 'share' }, h('summary', {}, 'Share'), h('div', { class: 'items' },
      h('button', { id: 'copy-link', onclick: () => this.copyLink() }, 'Copy a link with the game'),
      h('input', { id: 'link', class: 'hidden', readonly: true, 'aria-label': 'Link with the game' }),
      h('button', { id: 'save-page', onclick: () => save(`${base()}.html`, page(this.project), 'text/html') }, 'Download as one page'),
      h('button', { id: 'save-game', onclick: () => save(`${base()}.game`, this.project.files[this.project.main]) }, 'Save the rules (.game)'),
      h('button', { id: 'save-script', onclick: async () => { const text = await this.play.record(`${base()}.game`); if (text) save(`${base()}.script`, text) } }, 'Save the moves (.script)')))
    document.addEventListener('click', event => {
      const target = event.target as HTMLElement
      for (const it of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
        if (!it.contains(target) || (target.closest('.items button') && target.id !== 'copy-link')) it.open = false
      }
    })
    document.addEventListener('keydown', event => { if (event.key === 'Escape') document.querySelector<HTMLElement>('details.menu[open] > summary')?.click() })
    document.getElementById('app')!.replaceChildren(
      h('header', { class: 'page-head' }, h('span', { class: 'brand' }, 'astragal'), this.name, picker, this.saved, h('span', { class: 'space' }), this.said, menu),
      h('main', {}, this.tabs.panels.write, divider(), h('div', { class: 'side' }, h('div', { role: 'tablist', 'aria-label': 'Views', class: 'tabs' }, ...this.tabs.buttons), this.tabs.panels.play, this.tabs.panels.rules, this.tabs.panels.tests, this.tabs.panels.lab)),
      this.projects.element)
    this.tabs.show('play')
  }
}

async function begin(): Promise<void> {
  const [module, store] = await Promise.all([unpack(), Store.open()])
  const engines = [new Engine(module), new Engine(module), new Engine(module)] as const
  const [words, games] = await Promise.all([engines[0].ask({ ask: 'words' }), engines[1].ask({ ask: 'games' })])
  await new Page(...engines, words, games, store).begin()
}

begin().catch(error => {
  document.getElementById('app')!.replaceChildren(h('p', { class: 'waiting', role: 'alert' }, `This page needs a newer browser, or the engine is broken: ${error}`))
})
