// The page: rules on one side; table, rulebook, tests and lab on the other.
import './style.css'
import { scriptsOf } from './bundled'
import { calm, h } from './dom'
import { Editor } from './editor'
import { Engine, unpack } from './engine'
import { Lab } from './lab'
import { language } from './language'
import { markdown } from './markdown'
import { Play } from './play'
import { Scripts } from './scripts'
import { carried, packed, page, save, unpacked, type Project } from './share'
import type { Finding, TextPlace } from './model'

const FIRST = 'tice'
const KEPT = 'astragal-project'

type Tab = 'write' | 'play' | 'rules' | 'tests' | 'lab'
const TABS: [Tab, string][] = [['write', 'Write'], ['play', 'Play'], ['rules', 'Rules'], ['tests', 'Tests'], ['lab', 'Lab']]

async function begin(): Promise<void> {
  const app = document.getElementById('app')!
  const module = await unpack()
  const [writing, table, background] = [new Engine(module), new Engine(module), new Engine(module)]
  const [words, games] = await Promise.all([writing.ask({ ask: 'words' }), table.ask({ ask: 'games' })])

  let project: Project = { name: '', text: '', files: {}, scripts: {} }
  let tab: Tab = 'play'
  const read = (engine: Engine) => engine.ask({ ask: 'read', name: project.name, text: project.text, files: project.files })
  const seen = { rules: '' }

  // What is always there.
  const status = h('div', { class: 'status', role: 'status', 'aria-live': 'polite' })
  const pane = h('div', { class: 'editor-pane' })
  const play = new Play(table, () => read(table), () => keep())
  const rulebook = h('article', { class: 'rulebook' })
  const failing = h('span', { class: 'badge' })
  const goTo = (place: TextPlace) => {
    if (matchMedia('(max-width: 899px)').matches) show('write')
    editor.goTo(place)
  }
  const scripts = new Scripts(background, () => read(background), () => project.scripts, () => play.script(project.name), (failed, all) => {
    failing.textContent = all === 0 ? '' : failed > 0 ? `${failed} ✗` : '✓'
    failing.className = `badge ${failed > 0 ? 'failed' : ''}`
  })
  const lab = new Lab(background, () => read(background), goTo)

  const editor = new Editor(pane, language(words), {
    hover: place => writing.ask({ ask: 'hover', ...place }),
    complete: place => writing.ask({ ask: 'complete', ...place }),
    definition: place => writing.ask({ ask: 'definition', ...place }),
  }, text => {
    if (text === project.text) return
    project.text = text
    void check()
  })

  let checks = 0
  /** Says what is wrong, at every key; the table follows when all is right and the keys rest. */
  async function check(): Promise<void> {
    const round = ++checks
    void read(writing)
    const findings = await writing.ask({ ask: 'findings' })
    if (round !== checks) return
    editor.show(findings)
    const errors = findings.filter(it => it.severity === 'error')
    tell(findings, errors.length)
    document.body.dataset.checked = String(round)
    keep()
    if (errors.length === 0) follow()
  }

  function tell(findings: Finding[], errors: number): void {
    const warnings = findings.length - errors
    const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`
    status.className = `status ${errors > 0 ? 'wrong' : ''}`
    const first = findings.find(it => it.severity === 'error')
    status.replaceChildren(...errors > 0 && first
      ? [h('button', { class: 'quiet', onclick: () => goTo(first) }, `${count(errors, 'error')}: ${first.message}`)]
      : [warnings > 0 ? count(warnings, 'hint') : 'No errors'])
  }

  const follow = calm(250, async () => {
    const round = checks
    await read(background)
    const facts = await background.ask({ ask: 'facts' })
    if (round !== checks || 'findings' in facts) return
    lab.renew(facts)
    await play.renew(facts)
    document.body.dataset.followed = String(round)
    seen.rules = ''
    if (tab === 'rules') void showRules()
    void scripts.run()
    const all = await background.ask({ ask: 'check' })
    if (round === checks) {
      editor.show(all)
      tell(all, all.filter(it => it.severity === 'error').length)
    }
  })

  async function showRules(): Promise<void> {
    if (seen.rules === project.text) return
    seen.rules = project.text
    await read(background)
    const book = await background.ask({ ask: 'rules' })
    if ('findings' in book) return
    const text = [`# ${book.title}`, book.opening, ...book.parts.map(part => `## ${part.heading}\n\n${part.text}`)].join('\n\n')
    rulebook.replaceChildren(...markdown(text))
  }

  const keep = calm(400, async () => {
    try {
      localStorage.setItem(KEPT, JSON.stringify({ ...project, game: (await play.script(project.name)) ?? undefined }))
    } catch {
      // Some browsers keep nothing for a page from a file.
    }
  })

  async function open(next: Project, go = true): Promise<void> {
    project = { ...next, files: { ...next.files }, scripts: { ...next.scripts } }
    const round = ++checks
    play.forget()
    editor.open(project.name, project.text)
    document.title = `${project.name.replace(/\.game$/, '')} · astragal`
    await Promise.all([read(writing), read(background)])
    const [findings, facts] = await Promise.all([writing.ask({ ask: 'findings' }), background.ask({ ask: 'facts' })])
    if (round !== checks) return
    editor.show(findings)
    tell(findings, findings.filter(it => it.severity === 'error').length)
    seen.rules = ''
    if (!('findings' in facts)) {
      play.sit(facts)
      lab.renew(facts)
      await play.start(project.game)
    } else play.draw()
    document.body.dataset.opened = project.name
    if (go && tab === 'write' && !('findings' in facts)) show('play')
    if (tab === 'rules') void showRules()
    void scripts.run()
  }

  async function openBundled(name: string): Promise<void> {
    const files = await background.ask({ ask: 'files', game: name })
    const [own, ...others] = files
    await open({ name: own[0], text: own[1], files: Object.fromEntries(others), scripts: scriptsOf(name) })
  }

  // The head of the page.
  const designs = games.filter(game => game.name.includes('/') || ['tice', 'elemento', 'card-dice', 'dice-realms', 'elemental-clash'].includes(game.name))
  const choices = (list: typeof games) => list.map(game => h('option', { value: game.name }, game.title || game.name))
  const picker = h('select', { id: 'games', 'aria-label': 'Open a game', onchange: (event: Event) => { const name = (event.target as HTMLSelectElement).value; if (name) void openBundled(name); (event.target as HTMLSelectElement).value = '' } },
    h('option', { value: '' }, 'Games …'), h('optgroup', { label: 'Designs' }, ...choices(designs)), h('optgroup', { label: 'Examples' }, ...choices(games.filter(game => !designs.includes(game)))))
  const file = h('input', { type: 'file', accept: '.game,.script,.txt', class: 'hidden', 'aria-label': 'Open a file', onchange: async () => {
    const chosen = file.files?.[0]
    if (!chosen) return
    const text = await chosen.text()
    file.value = ''
    if (chosen.name.endsWith('.script')) {
      project.scripts[chosen.name] = text
      show('tests')
      await scripts.run()
    } else await open({ name: chosen.name, text, files: {}, scripts: {} })
  } })
  const whole = async (): Promise<Project> => ({ ...project, game: (await play.script(project.name)) ?? undefined })
  const said = h('span', { class: 'said', role: 'status' })
  const saying = (words: string) => {
    said.textContent = words
    setTimeout(() => { if (said.textContent === words) said.textContent = '' }, 4000)
  }
  const base = () => project.name.replace(/\.game$/, '').replace(/.*\//, '')
  const link = async () => {
    const { scripts: _, ...carry } = await whole()
    const address = `${location.href.split('#')[0]}#g=${await packed({ ...carry, scripts: {} })}`
    history.replaceState(null, '', address)
    try {
      await navigator.clipboard.writeText(address)
      saying('The link is copied.')
    } catch {
      saying('The link stands in the address line.')
    }
  }
  const menu = h('details', { class: 'menu' }, h('summary', {}, 'Share'), h('div', { class: 'items' },
    h('button', { id: 'copy-link', onclick: link }, 'Copy a link with the game'),
    h('button', { id: 'save-page', onclick: async () => save(`${base()}.html`, page(await whole()), 'text/html') }, 'Download as one page'),
    h('button', { id: 'save-game', onclick: () => save(`${base()}.game`, project.text) }, 'Save the rules (.game)'),
    h('button', { id: 'save-script', onclick: async () => { const text = await play.script(`${base()}.game`); if (text) save(`${base()}.script`, text) } }, 'Save the moves (.script)'),
    h('button', { onclick: () => file.click() }, 'Open a file …'), file))
  document.addEventListener('click', event => { if (!menu.contains(event.target as Node) || (event.target as HTMLElement).closest('.items button')) menu.open = false })
  const tidy = h('button', { onclick: async () => { await read(writing); const text = await writing.ask({ ask: 'tidy' }); if (text && text !== project.text) editor.view.dispatch({ changes: { from: 0, to: editor.view.state.doc.length, insert: text } }) } }, 'Tidy')

  const panels: Record<Tab, HTMLElement> = {
    write: h('section', { class: 'panel write', 'aria-label': 'Rules as text' }, pane, h('footer', { class: 'bar' }, status, tidy)),
    play: h('section', { class: 'panel' }, play.element),
    rules: h('section', { class: 'panel' }, rulebook),
    tests: h('section', { class: 'panel' }, scripts.element),
    lab: h('section', { class: 'panel' }, lab.element),
  }
  const buttons = TABS.map(([name, words]) => {
    const button = h('button', { role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, onclick: () => show(name), onkeydown: (event: Event) => turn(event as KeyboardEvent, name) }, words, name === 'tests' && failing)
    panels[name].id = `panel-${name}`
    if (name !== 'write') {
      panels[name].setAttribute('role', 'tabpanel')
      panels[name].setAttribute('aria-labelledby', `tab-${name}`)
    }
    return button
  })
  function turn(event: KeyboardEvent, name: Tab): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!by) return
    const shown = TABS.filter((_, at) => buttons[at].offsetParent !== null)
    const at = shown.findIndex(([tab]) => tab === name)
    const next = shown[(at + by + shown.length) % shown.length][0]
    show(next)
    document.getElementById(`tab-${next}`)!.focus()
  }
  function show(next: Tab): void {
    tab = next
    document.body.dataset.tab = next
    TABS.forEach(([name], at) => {
      const on = name === next
      buttons[at].setAttribute('aria-selected', String(on))
      buttons[at].tabIndex = on ? 0 : -1
      panels[name].classList.toggle('shown', on)
    })
    if (next === 'rules') void showRules()
    if (next === 'write') editor.view.requestMeasure()
  }

  app.replaceChildren(
    h('header', { class: 'page-head' }, h('span', { class: 'brand' }, 'astragal'), picker, h('span', { class: 'space' }), said, menu),
    h('main', {}, panels.write, h('div', { class: 'side' }, h('div', { role: 'tablist', 'aria-label': 'Views', class: 'tabs' }, ...buttons), panels.play, panels.rules, panels.tests, panels.lab)))
  show('play')

  addEventListener('hashchange', async () => {
    const part = /^#g=([\w-]+)$/.exec(location.hash)?.[1]
    if (part) await open(await unpacked(part))
  })
  const found = await carried().catch(error => {
    saying(`The link cannot be read: ${(error as Error).message}`)
    return null
  })
  if (found) return open(found)
  try {
    const kept = localStorage.getItem(KEPT)
    if (kept) return await open(JSON.parse(kept) as Project)
  } catch {
    // What was kept is no project, or nothing may be kept here.
  }
  await openBundled(FIRST)
}

begin().catch(error => {
  document.getElementById('app')!.replaceChildren(h('p', { class: 'waiting', role: 'alert' }, `This page needs a newer browser, or the engine is broken: ${error}`))
})
