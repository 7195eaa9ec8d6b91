// A browser with the page, served from this machine or opened as a file.
import { createServer } from 'node:http'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

export const web = dirname(dirname(fileURLToPath(import.meta.url)))
export const built = join(web, 'dist', 'index.html')
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Serves the page; `close` ends it. */
export async function serve() {
  if (!existsSync(built)) throw new Error('build the page first: npm run build')
  const page = readFileSync(built)
  const server = createServer((request, answer) => {
    if (request.url.split(/[?#]/)[0] !== '/') return answer.writeHead(404).end()
    answer.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
  await new Promise(done => server.listen(0, '127.0.0.1', done))
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}

export function launch() {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

/** The browser and the server of all tests of a file. */
export let browser, server

/** Starts them before its tests and ends them after. */
export function shareBrowser() {
  before(async () => {
    server = await serve()
    browser = await launch()
  })
  after(async () => {
    await browser?.close()
    server?.close()
  })
}

/** A browser with a profile on the disk; `kill` ends it at once, as a crash or an empty battery does. */
export async function launchProfile(folder) {
  const context = await chromium.launchPersistentContext(folder, { executablePath, viewport: { width: 1280, height: 800 }, args: ['--no-sandbox', '--disable-dev-shm-usage', '--hide-crash-restore-bubble'] })
  context.setDefaultTimeout(60_000)
  const ended = new Promise(done => context.on('close', done))
  const kill = async () => {
    // The lock of a profile names the process of its browser.
    const pid = Number(readlinkSync(join(folder, 'SingletonLock')).split('-').pop())
    process.kill(pid, 'SIGKILL')
    await ended
  }
  return { context, kill }
}

/** A page in a profile of its own, with what went wrong in it. */
export async function fresh(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const errors = []
  page.on('pageerror', error => errors.push(String(error)))
  page.on('console', message => { if (message.type() === 'error') errors.push(message.text()) })
  return { context, page, errors }
}

/** Waits until a game is laid out, with a seed of its own so that every run plays the same. */
export async function open(page, game, seed = 7) {
  await page.waitForFunction(() => document.body.dataset.opened)
  await page.evaluate(() => { delete document.body.dataset.opened })
  await page.selectOption('#games', game)
  await page.waitForFunction(() => document.body.dataset.opened)
  await page.locator('.sitting summary').click()
  const field = page.getByLabel('Seed', { exact: true })
  if (await field.inputValue() !== String(seed)) {
    await field.fill(String(seed))
    await renewed(page, () => field.press('Enter'))
  }
  await page.locator('.sitting summary').click()
}

/** Does something, and waits until the table was drawn anew and nobody thinks any more. */
export async function renewed(page, act) {
  await page.evaluate(() => { document.querySelector('.table')?.setAttribute('data-old', '') })
  await act()
  await page.waitForFunction(() => document.querySelector('.table:not([data-old])') && !document.querySelector('.play[aria-busy="true"]'))
}

/** A move as a button, or where that lies on the table only, what is touched for it. */
export async function aMove(page) {
  const buttons = page.locator('.moves button.move:visible')
  return (await buttons.count() > 0 ? buttons : page.locator('.table .open[role=button]:visible')).first()
}

/** So many buttons are pressed with the mouse, the others from inside the page, which is quicker. */
const BY_MOUSE = 12

/** Presses the buttons of the moves until the game is over; returns how many times. */
export async function playToEnd(page, most = 4000, seed = 1) {
  let random = seed
  for (let press = 0; press < BY_MOUSE; press++) {
    if (await page.locator('.result').count() > 0) return press
    const buttons = page.locator('.moves button.move:visible, .table .open[role=button]:visible')
    random = (random * 1103515245 + 12345) % 2147483648
    const at = (random >> 8) % Math.max(await buttons.count(), 1)
    await renewed(page, () => buttons.nth(at).click())
  }
  return page.evaluate(async ({ most, random, begun }) => {
    const pause = () => new Promise(done => setTimeout(done, 0))
    for (let press = begun; press < most; press++) {
      while (document.querySelector('.play[aria-busy="true"]')) await pause()
      if (document.querySelector('.result')) return press
      const buttons = document.querySelectorAll('.moves button.move')
      if (buttons.length === 0) throw new Error(`nothing can be pressed: ${document.querySelector('.play').innerText}`)
      random = (random * 1103515245 + 12345) % 2147483648
      buttons[(random >> 8) % buttons.length].click()
    }
    throw new Error(`the game is not over after ${most} presses`)
  }, { most, random, begun: BY_MOUSE })
}
