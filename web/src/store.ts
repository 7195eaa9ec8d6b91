// The projects that this browser keeps. Each change is written at once into a journal that is there after a reload, and
// soon after into the database; what another tab wrote meanwhile stays, too.
import { keep } from './dom'
import { merge } from './merge'
import type { Run } from './lab'
import type { Setting } from './play'

export interface Project {
  id: string
  title: string
  /** The file that is played. */
  main: string
  files: Record<string, string>
  /** The game at the table, as a script. */
  game: string | null
  setting: Setting | null
  /** The files as they last had no errors, while they have some. */
  good: Record<string, string> | null
  /** What was counted in the lab. */
  runs?: Run[]
  /** What it was made of: a bundled game, a page with a game in it. */
  from: string
  changed: number
  deleted: number | null
  /** How often it was written, and by which tab the last time. */
  revision: number
  by: string
  /** Of each tab that wrote it lately, how many changes of that tab are in it. */
  seen?: Record<string, number>
}

/** What a project was before: files to go back to, or a game that was played. */
export interface Past { id?: number; project: string; at: number; why: string; files: Record<string, string> | null; game: string | null; setting: Setting | null }

interface Journal { tab: string; base: Project; mine: Project }

const unique = () => [...crypto.getRandomValues(new Uint8Array(12))].map(byte => byte.toString(16).padStart(2, '0')).join('')
const TAB = unique()
const JOURNAL = 'astragal/'
/** Of so many tabs a project remembers how far it has their changes. */
const TABS = 16
/** So long the database rests between two writes. */
const REST = 60

const done = <T>(request: IDBRequest<T>) => new Promise<T>((yes, no) => {
  request.onsuccess = () => yes(request.result)
  request.onerror = () => no(request.error)
})

const ended = (change: IDBTransaction) => new Promise<void>((yes, no) => {
  change.oncomplete = () => yes()
  change.onabort = change.onerror = () => no(change.error)
})

export function fresh(title: string, main: string, files: Record<string, string>, from = ''): Project {
  return { id: unique(), title, main, files, game: null, setting: null, good: null, from, changed: Date.now(), deleted: null, revision: 0, by: TAB }
}

/** Projects in the database of the browser; where there is none, they last as long as the page. */
export class Store {
  /** Another tab wrote a project. */
  heard: (id: string) => void = () => {}
  private channel = new BroadcastChannel('astragal')

  private constructor(private database: IDBDatabase | null, private held = new Map<string, Project>(), private before: Past[] = []) {
    this.channel.onmessage = ({ data }) => this.heard(data)
  }

  static async open(): Promise<Store> {
    try {
      const request = indexedDB.open('astragal', 1)
      request.onupgradeneeded = () => {
        request.result.createObjectStore('projects', { keyPath: 'id' })
        request.result.createObjectStore('past', { keyPath: 'id', autoIncrement: true }).createIndex('project', 'project')
      }
      return new Store(await done(request))
    } catch {
      return new Store(null)
    }
  }

  get keeps(): boolean {
    return this.database !== null
  }

  private change(): { projects: IDBObjectStore; past: IDBObjectStore; end: Promise<void> } | null {
    const change = this.database?.transaction(['projects', 'past'], 'readwrite')
    return change ? { projects: change.objectStore('projects'), past: change.objectStore('past'), end: ended(change) } : null
  }

  async all(): Promise<Project[]> {
    const found = this.database ? await done<Project[]>(this.database.transaction('projects').objectStore('projects').getAll()) : [...this.held.values()]
    return found.sort((a, b) => b.changed - a.changed)
  }

  async get(id: string): Promise<Project | null> {
    if (!this.database) return this.held.get(id) ?? null
    return (await done<Project | undefined>(this.database.transaction('projects').objectStore('projects').get(id))) ?? null
  }

  /** Writes what changed since `base`, together with what others changed; what cannot stay is kept as past. */
  async write(mine: Project, base: Project, tab = TAB): Promise<Project> {
    const change = this.change()
    const theirs = change ? await done<Project | undefined>(change.projects.get(mine.id)) : this.held.get(mine.id)
    // A browser that died may bring back a journal that it had thrown away: what is in it was written long ago.
    if (tab !== TAB && theirs && (theirs.seen?.[tab] ?? 0) >= (mine.seen?.[tab] ?? 1)) return theirs
    const isOurs = !theirs || theirs.revision === base.revision || (theirs.revision === base.revision + 1 && theirs.by === tab)
    const { project, lost } = isOurs ? { project: mine, lost: null } : merge(base, mine, theirs)
    const { [tab]: _, ...others } = theirs?.seen ?? {}
    const seen = { ...Object.fromEntries(Object.entries(others).slice(1 - TABS)), [tab]: mine.seen?.[tab] ?? 0 }
    const next = { ...project, revision: (theirs?.revision ?? 0) + 1, by: tab, changed: Date.now(), seen }
    const both = { project: mine.id, at: Date.now(), why: 'written in another tab at the same time', setting: theirs?.setting ?? null }
    const kept: Past[] = []
    if (lost && Object.keys(lost.files).length > 0) kept.push({ ...both, files: theirs!.files, game: null })
    if (lost?.game) kept.push({ ...both, files: null, game: lost.game })
    if (change) {
      kept.forEach(it => change.past.add(it))
      change.projects.put(next)
      await change.end
    } else {
      this.before.push(...kept)
      this.held.set(next.id, next)
    }
    this.channel.postMessage(next.id)
    return next
  }

  async past(project: string): Promise<Past[]> {
    if (!this.database) return this.before.filter(it => it.project === project).reverse()
    return (await done<Past[]>(this.database.transaction('past').objectStore('past').index('project').getAll(project))).reverse()
  }

  /** Keeps what was, unless the last of its sort is the same. */
  async keep(past: Past): Promise<void> {
    const last = (await this.past(past.project)).find(it => (it.game === null) === (past.game === null))
    if (last && last.game === past.game && JSON.stringify(last.files) === JSON.stringify(past.files)) return
    const change = this.change()
    change ? change.past.add(past) : this.before.push(past)
    await change?.end
  }

  /** Takes a deleted project away for good. */
  async forget(id: string): Promise<void> {
    const past = await this.past(id)
    const change = this.change()
    this.held.delete(id)
    change?.projects.delete(id)
    past.forEach(it => change?.past.delete(it.id!))
    await change?.end
  }

  /** Writes what tabs left in their journals when they were closed. */
  async recover(): Promise<void> {
    try {
      for (const key of Object.keys(localStorage).filter(it => it.startsWith(JOURNAL))) {
        const text = localStorage.getItem(key)
        if (!text) continue
        const { tab, base, mine } = JSON.parse(text) as Journal
        await this.write(mine, base, tab)
        if (localStorage.getItem(key) === text) localStorage.removeItem(key)
      }
    } catch { /* Some browsers keep no journal for a page from a file. */ }
  }
}

/** How many changes this tab made. */
let changes = 0

/** The project at hand. */
export class Work {
  project: Project
  private base: Project
  private writing: Promise<void> | null = null

  /** `merged` is told what the project was before something of another tab came into it. */
  constructor(private store: Store, project: Project, private merged: (before: Project) => void, private saved: (isSaved: boolean) => void) {
    this.project = this.base = project
  }

  /** Changes some of it: in the journal at once, in the database soon. */
  set(part: Partial<Project>): void {
    this.project = { ...this.project, ...part, seen: { ...this.project.seen, [TAB]: ++changes } }
    this.write()
  }

  file(name: string, text: string | null): void {
    const { [name]: _, ...others } = this.project.files
    this.set({ files: text === null ? others : { ...this.project.files, [name]: text } })
  }

  keep(why: string, part: Partial<Past>): Promise<void> {
    const { id, setting } = this.project
    return this.store.keep({ project: id, at: Date.now(), why, files: null, game: null, setting, ...part })
  }

  /** Another tab wrote it. */
  async refresh(): Promise<void> {
    await this.writing
    const theirs = await this.store.get(this.project.id)
    if (!theirs || theirs.revision === this.base.revision || this.writing) return
    const before = this.project
    this.project = merge(this.base, before, theirs).project
    this.base = theirs
    this.merged(before)
  }

  /** Resolves when all is in the database. */
  async rest(): Promise<void> {
    while (this.writing) await this.writing
  }

  private write(): void {
    const key = JOURNAL + TAB
    keep(key, JSON.stringify({ tab: TAB, base: this.base, mine: this.project } satisfies Journal))
    this.saved(false)
    this.writing ??= this.pump(key)
  }

  private async pump(key: string): Promise<void> {
    try {
      for (let sent: Project | null = null; sent !== this.project;) {
        sent = this.project
        const written = await this.store.write(sent, this.base)
        const before: Project = this.project
        if (before === sent) this.project = sent = written
        else this.project = { ...merge(sent, before, written).project }
        this.base = written
        if (JSON.stringify(before.files) !== JSON.stringify(this.project.files) || before.game !== this.project.game) this.merged(before)
        if (sent !== this.project) await new Promise(rest => setTimeout(rest, REST))
      }
      keep(key, null)
      this.saved(this.store.keeps)
    } catch {
      this.saved(false)
    } finally {
      this.writing = null
    }
  }
}
