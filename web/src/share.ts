// What leaves the page: a link, a file, the page itself with a game in it.
import { h } from './dom'

/** What is written: the file, those beside it, and its scripts. */
export interface Project {
  name: string
  text: string
  files: Record<string, string>
  scripts: Record<string, string>
  /** A game that goes on, as a script. */
  game?: string
}

/** The page as it came, before anything was drawn. */
const pristine = `<!doctype html>\n${document.documentElement.outerHTML}`

async function through(bytes: BlobPart, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream)
  return new Uint8Array(await new Response(piped).arrayBuffer())
}

/** A project as a part of an address. */
export async function packed(project: Project): Promise<string> {
  const bytes = await through(JSON.stringify(project), new CompressionStream('deflate-raw'))
  let letters = ''
  for (let at = 0; at < bytes.length; at += 0x8000) letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export async function unpacked(part: string): Promise<Project> {
  const letters = atob(part.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = await through(Uint8Array.from(letters, letter => letter.charCodeAt(0)), new DecompressionStream('deflate-raw'))
  return checked(JSON.parse(new TextDecoder().decode(bytes)))
}

/** The project that an address, or the page itself, carries. */
export async function carried(): Promise<Project | null> {
  const part = /^#g=([\w-]+)$/.exec(location.hash)?.[1]
  if (part) return unpacked(part)
  const inside = JSON.parse(document.getElementById('game')?.textContent || 'null')
  return inside && checked(inside)
}

function checked(found: unknown): Project {
  const texts = (it: unknown) => Object.fromEntries(Object.entries((it ?? {}) as object).filter(([, text]) => typeof text === 'string'))
  const { name, text, files, scripts, game } = found as Project
  if (typeof name !== 'string' || typeof text !== 'string') throw new Error('the link carries no game')
  return { name, text, files: texts(files), scripts: texts(scripts), game: typeof game === 'string' ? game : undefined }
}

export function save(name: string, text: string, type = 'text/plain'): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  h('a', { href: address, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}

/** The page in one file that opens with a game, without a network. */
export function page(project: Project): string {
  const data = JSON.stringify(project).replaceAll('<', '\\u003c')
  return pristine.replace(/(<script type="application\/json" id="game">)[^]*?(<\/script>)/, (_, begin, end) => begin + data + end)
}
