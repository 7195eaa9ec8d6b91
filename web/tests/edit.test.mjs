// What an edit does and what it leaves alone, and what is printed, counted and kept beside it.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { program } from './table.mjs'
import { browser, built, fresh, open, playToEnd, renewed, server, shareBrowser } from './browser.mjs'

shareBrowser()

const check = (name, act) => test(name, { timeout: 300_000 }, act)

async function visit(options = {}, address = server.address) {
  const it = await fresh(browser, options)
  await it.page.goto(address)
  await opened(it.page)
  return it
}

const opened = page => page.waitForFunction(() => document.body.dataset.opened)
const reload = async page => { await page.reload(); await opened(page) }
const steps = page => page.locator('.timeline .step').innerText()
const settled = page => page.waitForFunction(() => !document.querySelector('.play[aria-busy="true"]'))

/** Does something, and waits until the table has followed it. */
async function followed(page, act) {
  const was = await page.evaluate(() => document.body.dataset.followed ?? '')
  await act()
  await page.waitForFunction(was => (document.body.dataset.followed ?? '') !== was, was)
  await settled(page)
}

/** Writes other words for the first ones of the text. */
async function change(page, words, others) {
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+f')
  const find = page.getByRole('textbox', { name: 'Find' })
  await find.fill('')
  await find.pressSequentially(words)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.type(others)
}

async function openText(page, text) {
  await page.evaluate(() => { delete document.body.dataset.opened })
  await page.locator('.files input[type=file]').setInputFiles([{ name: 'own.game', mimeType: 'text/plain', buffer: Buffer.from(text) }])
  await opened(page)
  await settled(page)
}

/** Whoever has three points first wins. */
const SHORT = `## Get points.
game "Short" { players 2 }
option goal: 1..50 = 3 "points that win"
each player has { points: 0.. = 0 }
play {
  turns me from Player.first {
    choose me { get { me.points += 1 }; skip {} }
    if me.points >= goal { finish win me }
  }
}
`

check('an edit alone lets no bot decide, and taken back it leaves the game as it was', async () => {
  const { page, errors, context } = await visit()
  await openText(page, SHORT)
  await playToEnd(page)
  const [end, result] = [await steps(page), await page.locator('.result').innerText()]
  await followed(page, () => change(page, '= 3 "', '= 9 "'))
  assert.equal(await page.locator('.result').count(), 0)
  assert.equal(await steps(page), end)
  await page.locator('#bots-go-on').waitFor()
  await page.waitForTimeout(300)
  assert.equal(await steps(page), end, 'bots wait')
  await reload(page)
  assert.equal(await steps(page), end, 'they wait after a reload, too')
  // What fits no more is said while it is so, and no longer.
  await followed(page, () => change(page, '= 9 "', '= 1 "'))
  await page.locator('.notice').getByText('no longer fits').waitFor()
  await followed(page, () => change(page, '= 1 "', '= 3 "'))
  assert.equal(await steps(page), end)
  assert.equal(await page.locator('.result').innerText(), result)
  assert.equal(await page.locator('.notice').count(), 0)
  await reload(page)
  assert.equal(await page.locator('.notice').count(), 0)
  assert.equal(await page.locator('.result').innerText(), result)
  // A person lets it go on; the game that was over can be had back.
  await followed(page, () => change(page, '= 3 "', '= 9 "'))
  await renewed(page, () => page.locator('#bots-go-on').click())
  assert.notEqual(await steps(page), end)
  await page.locator('.moves button.move').first().waitFor()
  await page.locator('#projects').click()
  await page.locator('dialog li.on .past summary').click()
  await page.locator('dialog li.on [data-past="game"]').first().waitFor()
  assert.deepEqual(errors, [])
  await context.close()
})

check('where a bot is to decide, playing on from there lets it', async () => {
  const { page, errors, context } = await visit()
  await openText(page, SHORT)
  await renewed(page, () => page.locator('.moves button.move').first().click())
  assert.match(await steps(page), /^2 /)
  await page.locator('#step-back').click()
  await renewed(page, () => page.locator('#from-here').click())
  await page.locator('.moves button.move').first().waitFor()
  assert.match(await steps(page), /^2 /)
  assert.deepEqual(errors, [])
  await context.close()
})

check('on a phone the buttons of the steps stay under the finger', async () => {
  const { page, errors, context } = await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await openText(page, SHORT.replace('= 3 "', '= 30 "'))
  for (let press = 0; press < 7; press++) await renewed(page, () => page.locator('.moves button.move').first().tap())
  const { x, y, width, height } = await page.locator('#step-back').boundingBox()
  const last = parseInt(await steps(page), 10)
  for (let tap = 1; tap <= 6; tap++) {
    await page.touchscreen.tap(x + width / 2, y + height / 2)
    await page.waitForFunction(step => document.querySelector('.timeline .step').textContent.startsWith(`${step} `), last - tap)
  }
  assert.match(await steps(page), new RegExp(`/ ${last}$`))
  assert.deepEqual(errors, [])
  await context.close()
})

check('the table says that it is older than the file at every error', async () => {
  const { page, context } = await visit()
  await open(page, 'pig')
  await change(page, '= 100 ', '= 300 ')
  await page.locator('.write .status.wrong').waitFor()
  await page.getByText('this table is of the last file without').waitFor()
  await reload(page)
  await page.getByText('this table is of the last file without').waitFor()
  await page.locator('.write .status.wrong').waitFor()
  await followed(page, () => change(page, '= 300 ', '= 100 '))
  assert.equal(await page.locator('.notice').count(), 0)
  await context.close()
})

const lacksText = spawnSync('pdftotext', ['-v']).error ? 'pdftotext is not installed' : false

test('the whole rulebook is printed, and nothing else', { timeout: 300_000, skip: lacksText }, async () => {
  const { page, errors, context } = await visit()
  await open(page, 'elemento')
  const printed = async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'astragal-print-')), 'page.pdf')
    await page.pdf({ path, format: 'A4' })
    return execFileSync('pdftotext', ['-layout', path, '-']).toString()
  }
  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.locator('.rulebook section').last().waitFor()
  assert.ok(await page.locator('.rulebook figure .board').count() > 0)
  const heads = await page.locator('.rulebook h3').allInnerTexts()
  for (const tab of ['Rules', 'Play', 'Lab']) {
    await page.getByRole('tab', { name: tab }).click()
    await page.evaluate(() => { document.querySelector('.panel.shown').scrollTop = 400 })
    const text = await printed()
    assert.ok(text.split('\f').length > 2, `${tab}: several pages`)
    for (const head of heads) assert.ok(text.includes(head), `${tab}: ${head}`)
    assert.match(text, /longer rolled/, 'the last line of the last part')
    assert.doesNotMatch(text, /Share|Games …|Tests|Tidy|Print|New game|Play 1,000/)
  }
  // Another game, whose rulebook nobody has looked at.
  await page.getByRole('tab', { name: 'Play' }).click()
  await open(page, 'nim')
  await page.waitForTimeout(1000)
  assert.match(await printed(), /^Nim/)
  await page.evaluate(() => { globalThis.print = () => { document.body.dataset.printed = 'yes' } })
  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.locator('#print').click()
  assert.equal(await page.evaluate(() => document.body.dataset.printed), 'yes')
  assert.deepEqual(errors, [])
  await context.close()
})

check('cards, score sheets and boards are printed as `astragal cards` prints them', async () => {
  const { page, errors, context } = await visit()
  const sheets = async game => {
    await open(page, game)
    await page.getByRole('tab', { name: 'Rules' }).click()
    await page.locator('#sheets').click()
    await page.locator('dialog.sheets iframe').waitFor()
    return page.frameLocator('dialog.sheets iframe')
  }
  const close = () => page.locator('dialog.sheets').getByRole('button', { name: 'Close' }).click()
  const cards = await sheets('love-letter')
  assert.equal(await cards.locator('article.card').count(), 16)
  assert.equal(await cards.locator('section.sheet9').count(), 2)
  const width = await cards.locator('article.card').first().evaluate(it => it.getBoundingClientRect().width)
  assert.ok(Math.abs(width - 63 * 96 / 25.4) < 2, `a card is ${width} pixels wide`)
  if (existsSync(program)) {
    const html = execFileSync(program, ['cards', 'love-letter']).toString()
    const faces = [...html.matchAll(/<article class="card.*?<\/article>/gs)].map(it => it[0].replace(/<[^>]*>/g, ''))
    assert.deepEqual(await cards.locator('article.card').evaluateAll(all => all.map(it => it.textContent)), faces.map(it => it.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')))
  }
  await page.evaluate(() => { document.querySelector('dialog.sheets iframe').contentWindow.print = () => { document.body.dataset.printed = 'sheets' } })
  await page.locator('#print-sheets').click()
  assert.equal(await page.evaluate(() => document.body.dataset.printed), 'sheets')
  await close()
  await page.locator('dialog.sheets iframe').waitFor({ state: 'detached' })
  const boxes = await sheets('yahtzee')
  assert.ok(await boxes.locator('.printed.written .boxes td').count() > 10)
  await close()
  const board = await sheets('elemento')
  assert.equal(await board.locator('.wide-board svg.board').count(), 1)
  assert.match(await board.locator('.wide-board svg .cell').first().getAttribute('style'), /fill: (rgb|oklab|color)/)
  await close()
  await open(page, 'pig')
  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.locator('#sheets').click()
  await page.getByText('This game has no cards, and nothing to write on.').waitFor()
  assert.deepEqual(errors, [])
  await context.close()
})

check('runs of the lab are there again with their project, and old only where rules changed', async () => {
  const { page, errors, context } = await visit()
  await openText(page, SHORT)
  await page.getByRole('tab', { name: 'Lab' }).click()
  const run = async () => {
    await page.getByRole('button', { name: /Play 1,000 games/ }).click()
    await page.locator('.lab').getByText('1000 games with').waitFor()
  }
  await run()
  assert.match(await page.locator('#starter').innerText(), /P1 wins more, P2 wins less.*If P1 begins every game, the starter has an advantage/)
  await reload(page)
  await page.getByRole('tab', { name: 'Lab' }).click()
  await page.locator('#starter').waitFor()
  await open(page, 'nim')
  await page.getByRole('tab', { name: 'Lab' }).click()
  assert.equal(await page.locator('.lab .results').count(), 0)
  await page.evaluate(() => { delete document.body.dataset.opened })
  await page.locator('#projects').click()
  await page.locator('dialog li[data-project="Short"] .title').click()
  await opened(page)
  await page.getByRole('tab', { name: 'Lab' }).click()
  await page.locator('.lab').getByText('1000 games with').waitFor()
  assert.equal(await page.locator('.lab').getByText('earlier rules').count(), 0)
  await followed(page, () => change(page, '= 3 "', '= 9 "'))
  await page.locator('.lab').getByText('earlier rules').first().waitFor()
  await followed(page, () => change(page, '= 9 "', '= 3 "'))
  assert.equal(await page.locator('.lab').getByText('earlier rules').count(), 0)
  // The same files, with another one of them to be played.
  await page.locator('#projects').click()
  await page.evaluate(() => { delete document.body.dataset.opened })
  await page.locator('dialog li.on').getByRole('button', { name: 'Make a variant' }).click()
  await opened(page)
  await page.getByRole('tab', { name: 'Lab' }).click()
  await run()
  await page.locator('.files .file[data-file="own.game"]').click()
  await page.locator('#play-this').click()
  await page.locator('.lab').getByText('These games are of Short: A variant.').waitFor()
  assert.deepEqual(errors, [])
  await context.close()
})

check('a game that is opened begins at the top, at its table', async () => {
  const { page, context } = await visit()
  await open(page, 'elemento')
  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.locator('.rulebook section').last().waitFor()
  await page.evaluate(() => { for (const it of document.querySelectorAll('.panel.shown, .cm-scroller')) it.scrollTop = 500 })
  await page.evaluate(() => { delete document.body.dataset.opened })
  await page.selectOption('#games', 'yahtzee')
  await opened(page)
  assert.equal(await page.getByRole('tab', { name: 'Play' }).getAttribute('aria-selected'), 'true')
  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.locator('.rulebook h2').getByText('Yahtzee').waitFor()
  assert.deepEqual(await page.evaluate(() => ['#panel-rules', '.cm-scroller'].map(it => document.querySelector(it).scrollTop)), [0, 0])
  await context.close()
})

check('a link of a page that is a file says where it works', async () => {
  const { page, context } = await visit({}, `file://${built}`)
  await page.locator('#share summary').click()
  await page.locator('#copy-link').click()
  await page.locator('.said').getByText('only on this machine').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('.said button').click()])
  assert.match(download.suggestedFilename(), /\.html$/)
  await context.close()
})

check('each change of what stood for minutes leaves a version with its line', async () => {
  const { page, errors, context } = await visit()
  await openText(page, SHORT)
  const later = () => page.evaluate(() => { const now = Date.now; Date.now = () => now() + 300_000 })
  for (const [was, is] of [['= 3 "', '= 4 "'], ['= 4 "', '= 5 "'], ['= 5 "', '= 6 "']]) {
    await followed(page, () => change(page, was, is))
    await later()
  }
  await page.selectOption('#games', 'new')
  await page.waitForFunction(() => document.activeElement.id === 'new-title')
  const past = page.locator('dialog li.on [data-past="files"]')
  assert.equal(await past.count(), 0, 'it is folded')
  await page.locator('dialog li.on .past summary').click()
  await past.nth(2).waitFor()
  const lines = await past.allInnerTexts()
  assert.equal(lines.length, 3)
  assert.match(lines[2], /as it was at first/)
  assert.match(lines[1], /line 3: option goal: 1\.\.50 = 4/)
  assert.match(lines[0], /line 3: option goal: 1\.\.50 = 5/)
  // Also those of a project that is not open.
  await page.locator('#close-projects').click()
  await open(page, 'nim')
  await page.locator('#projects').click()
  const other = page.locator('dialog li[data-project="Short"]')
  await other.locator('.past summary').click()
  await page.evaluate(() => { delete document.body.dataset.opened })
  await other.getByRole('button', { name: 'Go back to it' }).last().click()
  await page.locator('.cm-content').getByText('= 3 "points').waitFor()
  assert.deepEqual(errors, [])
  await context.close()
})

check('the log of the whole game has the own moves, and calls things as the table does', async () => {
  const { page, errors, context } = await visit()
  for (const [game, own] of [['skull', /^P1 Lay (rose|skull)$/im], ['love-letter', /^P1 (Guard|Priest|Baron|Handmaid|Prince|King|Countess|Discard)/m]]) {
    await open(page, game)
    await renewed(page, () => page.locator('.moves button.move').first().click())
    if (await page.locator('.begun').count() > 0) await renewed(page, () => page.locator('.moves button.move').first().click())
    await page.locator('.whole summary').click()
    await page.locator('.whole li').first().waitFor()
    assert.match(await page.locator('.whole').innerText(), own)
  }
  assert.deepEqual(errors, [])
  await context.close()
})

check('the whole game can be read, Escape closes a menu, notes wrap', async () => {
  const { page, errors, context } = await visit()
  await openText(page, SHORT.replace('## Get points.', `## ${'Get points. '.repeat(30)}`).replace('= 3 "', '= 30 "'))
  for (let press = 0; press < 5; press++) await renewed(page, () => page.locator('.moves button.move').first().click())
  await page.locator('.whole summary').click()
  await page.locator('.whole li').nth(9).waitFor()
  await renewed(page, () => page.locator('.moves button.move').first().click())
  assert.equal(await page.locator('.whole li').count(), 12)
  await page.locator('.files .menu summary').click()
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('details.menu[open]').count(), 0)
  const { height, room } = await page.locator('.cm-line.wraps').first().evaluate(it => ({ height: it.offsetHeight, room: document.querySelector('.cm-scroller').scrollWidth - document.querySelector('.cm-scroller').clientWidth }))
  assert.ok(height > 60, `a note of ${height} pixels`)
  assert.ok(room <= 0, `${room} pixels too wide`)
  assert.deepEqual(errors, [])
  await context.close()
})
