// What leaves the page: a link, a file, the page itself with a game in it.
import { h } from './dom'
import { fresh, type Project } from './store'
import { isScript } from './templates'
import type { Setting } from './play'

/** What a link carries: the file that is played, those beside it, and its scripts. */
interface Carried {
  title?: string
  name: string
  text: string
  files: Record<string, string>
  scripts: Record<string, string>
  /** A game that goes on, as a script. */
  game?: string
  setting?: Setting
}

/** Longer addresses are refused by some programs that people send them with. */
const MOST_LINK = 30_000

function carry(project: Project, scripts = true): Carried {
  const { title, main, files, game, setting } = project
  const some = (keep: (name: string) => boolean) => Object.fromEntries(Object.entries(files).filter(([name]) => name !== main && keep(name)))
  return { title, name: main, text: files[main], files: some(name => !isScript(name)), scripts: scripts ? some(isScript) : {}, game: game ?? undefined, setting: setting ?? undefined }
}

/** The page as it came, before anything was drawn. */
const pristine = `<!doctype html>\n${document.documentElement.outerHTML}`

async function through(bytes: BlobPart, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream)
  return new Uint8Array(await new Response(piped).arrayBuffer())
}

/** A project as a link; without its scripts where they make it too long. */
export async function link(project: Project): Promise<{ address: string; isWhole: boolean }> {
  const [whole, short] = await Promise.all([packed(carry(project)), packed(carry(project, false))])
  const isWhole = whole.length <= Math.max(MOST_LINK, short.length)
  return { address: `${location.href.split('#')[0]}#g=${isWhole ? whole : short}`, isWhole }
}

async function packed(carried: Carried): Promise<string> {
  const bytes = await through(JSON.stringify(carried), new CompressionStream('deflate-raw'))
  let letters = ''
  for (let at = 0; at < bytes.length; at += 0x8000) letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

async function unpacked(part: string): Promise<unknown> {
  const letters = atob(part.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = await through(Uint8Array.from(letters, letter => letter.charCodeAt(0)), new DecompressionStream('deflate-raw'))
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** The project that an address carries, as one of its own. */
export async function linked(): Promise<Project | null> {
  const part = /^#g=([\w-]+)$/.exec(location.hash)?.[1]
  return part ? checked(await unpacked(part), '') : null
}

/** A number by which a text is known again. */
export function digest(text: string): string {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  return String(sum)
}

/** The project that the page itself carries; what became of it here is found by its text. */
export function inside(): Project | null {
  const text = document.getElementById('game')?.textContent ?? 'null'
  const found = JSON.parse(text)
  return found && checked(found, `page ${digest(text)}`)
}

function checked(found: unknown, from: string): Project {
  const texts = (it: unknown) => Object.fromEntries(Object.entries((it ?? {}) as object).filter(([, text]) => typeof text === 'string'))
  const { title, name, text, files, scripts, game, setting } = found as Carried
  if (typeof name !== 'string' || typeof text !== 'string') throw new Error('the link carries no game')
  const project = fresh(typeof title === 'string' ? title : titleOf(text) ?? name, name, { ...texts(files), ...texts(scripts), [name]: text }, from)
  return { ...project, game: typeof game === 'string' ? game : null, setting: Array.isArray(setting?.seats) ? setting : null }
}

/** The title that a text gives to its game. */
export function titleOf(text: string): string | undefined {
  return /^(?:game|variant) "([^"]+)"/m.exec(text)?.[1]
}

export function save(name: string, text: string, type = 'text/plain'): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  h('a', { href: address, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}

/** The page in one file that opens with a game, without a network. */
export function page(project: Project): string {
  const data = JSON.stringify(carry(project)).replaceAll('<', '\\u003c')
  return pristine.replace(/(<script type="application\/json" id="game">)[^]*?(<\/script>)/, (_, begin, end) => begin + data + end)
}
