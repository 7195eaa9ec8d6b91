// A table that `astragal serve` has open, for browsers to sit at.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fresh, web } from './browser.mjs'

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

/** A browser of one person, with all that it was told, how many milliseconds each move took, and what went wrong in it. */
export async function sitDown(browser, link, options = {}) {
  const it = await fresh(browser, { viewport: { width: 390, height: 844 }, ...options })
  const [told, waits] = [[], []]
  let asked = 0
  it.page.on('websocket', socket => {
    socket.on('framesent', ({ payload }) => { if (String(payload).includes('"act"')) asked = performance.now() })
    socket.on('framereceived', ({ payload }) => {
      told.push(String(payload))
      if (asked) waits.push(performance.now() - asked)
      asked = 0
    })
  })
  await it.page.goto(link)
  return { ...it, told, waits }
}

export const result = page => page.locator('.result').innerText()

/** Presses a move where this seat is asked; whether the game is over. */
export async function move({ page }, random) {
  if (await page.locator('.result').count() > 0) return true
  const buttons = page.locator('.moves button.move:visible, .table .open[role=button]:visible, .table button.open:visible')
  const count = await buttons.count()
  if (count === 0 || await page.locator('.play[aria-busy="true"]').count() > 0) return false
  // Somebody else may have ended the game meanwhile.
  await buttons.nth(random % count).dispatchEvent('click', {}, { timeout: 5000 }).catch(() => {})
  return false
}

/** Presses moves at all seats until the game is over, or each has pressed so often. */
export async function playOn(people, seed, most) {
  let random = seed
  for (let press = 0; press < most; press++) {
    let over = 0
    for (const person of people) {
      random = (random * 1103515245 + 12345) % 2147483648
      if (await move(person, random >> 8)) over++
    }
    if (over === people.length) return true
    await people[0].page.waitForTimeout(25)
  }
  return false
}

export async function playToEnd(people, seed = 7) {
  if (!await playOn(people, seed, 20_000)) throw new Error('the game does not end')
}
