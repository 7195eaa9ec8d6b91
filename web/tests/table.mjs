// A table that `astragal serve` has open, for browsers to sit at.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { web } from './browser.mjs'

/** The program: what `ASTRAGAL` names, or what was built last in this folder. */
export const program = process.env.ASTRAGAL ?? join(process.env.CARGO_TARGET_DIR ?? join(web, '..', 'target'), 'debug', 'astragal')

/** Why there is no table to sit at, if there is none. */
export function lacking() {
  if (!existsSync(program)) return `there is no program at ${program}`
  if (!existsSync(join(web, 'dist', 'seat.html'))) return 'the page of a seat is not built'
  try {
    execFileSync(program, ['serve', '--help'], { stdio: 'ignore' })
    return ''
  } catch {
    return 'the program was built without the feature serve'
  }
}

/** Opens a table with links to the seats of so many people, and one for everybody; `kill` ends it at once, and `words` with `--resume` open it again. */
export async function lay(people, words, state = mkdtempSync(join(tmpdir(), 'astragal-table-'))) {
  const page = ['--page', join(web, 'dist', 'seat.html')]
  const child = spawn(program, ['serve', ...words, ...page], { env: { ...process.env, XDG_STATE_HOME: state }, stdio: ['ignore', 'pipe', 'inherit'] })
  const links = []
  for await (const line of createInterface({ input: child.stdout })) {
    links.push(line.split(': ')[1])
    if (links.length > people) break
  }
  const everybody = links.pop()
  if (links.length < people) throw new Error(`the server opened ${links.length} of ${people} seats`)
  const ended = new Promise(done => child.on('exit', done))
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { links, everybody, state, kill }
}
