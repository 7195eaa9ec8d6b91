// The list of projects: new ones, others, and what this one was before.
import { h } from './dom'
import type { Past, Project, Store } from './store'

export interface Shelf {
  readonly store: Store
  readonly project: Project
  open(project: Project): void
  /** A new project of a bundled game or of nothing, with a title of its own. */
  create(title: string, template: string): void
  duplicate(project: Project): void
  vary(project: Project): void
  renameProject(project: Project, title: string): Promise<void>
  remove(project: Project, isRemoved: boolean): Promise<void>
  restore(past: Past): void
  /** Keeps the files as they are as a version. */
  keepVersion(): Promise<void>
  choose(): void
}

/** What a first game may begin as. */
const TEMPLATES: [string, string][] = [['', 'Blank'], ['pig', 'Dice'], ['go-fish', 'Cards'], ['tic-tac-toe', 'Board'], ['yahtzee', 'Roll and write']]

const when = (at: number) => new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export class Projects {
  readonly element = h('dialog', { class: 'shelf', 'aria-label': 'Projects' })

  constructor(private shelf: Shelf, private games: { name: string; title: string }[]) {}

  async show(): Promise<void> {
    await this.draw()
    if (!this.element.open) this.element.showModal()
  }

  close = () => this.element.close()

  private async draw(): Promise<void> {
    const { shelf } = this
    const all = await shelf.store.all()
    const [here, gone] = [all.filter(it => it.deleted === null), all.filter(it => it.deleted !== null)]
    const name = h('input', { id: 'new-title', type: 'text', 'aria-label': 'Title of the new game', placeholder: 'Title of a new game', maxlength: 60 })
    const template = h('select', { id: 'template', 'aria-label': 'Begin with' }, h('optgroup', { label: 'Templates' }, ...TEMPLATES.map(([value, words]) => h('option', { value }, words))), h('optgroup', { label: 'A game' }, ...this.games.map(it => h('option', { value: it.name }, it.title || it.name))))
    const create = h('form', { class: 'bar', onsubmit: (event: Event) => { event.preventDefault(); shelf.create(name.value.trim() || 'My game', template.value); this.close() } }, name, template, h('button', { class: 'primary', id: 'create' }, 'New'))
    this.element.replaceChildren(
      h('header', { class: 'bar' }, h('h2', {}, 'Projects'), h('span', { class: 'space' }), h('button', { onclick: () => { this.close(); shelf.choose() } }, 'Open files …'), h('button', { id: 'close-projects', onclick: () => this.close() }, 'Close')),
      !shelf.store.keeps ? h('p', { class: 'notice' }, 'This browser keeps nothing for this page: save your files before you close it.') : '',
      create,
      h('ul', { class: 'projects' }, ...here.map(it => this.item(it))),
      gone.length > 0 ? h('details', {}, h('summary', {}, `Deleted (${gone.length})`), h('ul', { class: 'projects' }, ...gone.map(it => this.gone(it)))) : '')
  }

  private item(project: Project): HTMLElement {
    const { shelf } = this
    const then = (act: () => Promise<void>) => async () => { await act(); await this.draw() }
    const rename = async () => {
      const title = prompt('Title of this project:', project.title)?.trim()
      if (title && title !== project.title) await shelf.renameProject(project, title)
    }
    return h('li', { 'data-project': project.title, class: project.id === shelf.project.id ? 'on' : '' },
      h('button', { class: 'quiet title', onclick: () => { shelf.open(project); this.close() } }, project.title), h('small', {}, when(project.changed)), h('span', { class: 'space' }),
      h('button', { onclick: then(rename) }, 'Rename'), h('button', { onclick: () => { shelf.duplicate(project); this.close() } }, 'Duplicate'),
      h('button', { onclick: () => { shelf.vary(project); this.close() } }, 'Make a variant'), h('button', { onclick: then(() => shelf.remove(project, true)) }, 'Delete'), this.past(project))
  }

  private gone(project: Project): HTMLElement {
    const { shelf } = this
    return h('li', { 'data-project': project.title }, project.title, h('span', { class: 'space' }),
      h('button', { onclick: async () => { await shelf.remove(project, false); await this.draw() } }, 'Bring back'),
      h('button', { onclick: async () => { await shelf.store.forget(project.id); await this.draw() } }, 'Delete for ever'))
  }

  /** What a project was before, read when it is unfolded. */
  private past(project: Project): HTMLElement {
    const { shelf } = this
    const list = h('ul', { class: 'projects' })
    const fill = async () => list.replaceChildren(...(await shelf.store.past(project.id)).map(it => this.before(it)))
    const keep = project.id === shelf.project.id && h('button', { id: 'keep-version', onclick: async () => { await shelf.keepVersion(); await fill() } }, 'Keep a version now')
    return h('details', { class: 'past', ontoggle: fill }, h('summary', {}, 'Earlier versions and games'), keep, list)
  }

  private before(past: Past): HTMLElement {
    return h('li', { 'data-past': past.files ? 'files' : 'game' }, h('span', {}, `${past.files ? 'Rules' : 'Moves'}, ${when(past.at)}: ${past.why}`), h('span', { class: 'space' }),
      h('button', { onclick: () => { this.shelf.restore(past); this.close() } }, 'Go back to it'))
  }
}
