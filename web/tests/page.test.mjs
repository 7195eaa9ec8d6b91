// The page in a browser: games played by pressing buttons, rules written and mended, links and files.
import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { browser, fresh, open, playToEnd, renewed, server, shareBrowser, web } from './browser.mjs'

shareBrowser()

/** A busy machine may take long, but not for ever. */
const check = (name, act) => test(name, { timeout: 600_000 }, act)

async function visit(options = {}, part = '') {
  const it = await fresh(browser, options)
  await it.page.goto(server.address + part)
  return it
}

const MOST_ENGINE = 1.6e6

check('the engine is small', () => {
  const { size } = statSync(join(web, 'dist', 'engine.gz'))
  assert.ok(size <= MOST_ENGINE, `${size} bytes`)
})

for (const game of ['tice', 'elemento', 'card-dice', 'dice-realms', 'elemental-clash']) {
  check(`${game} is played to its end by pressing buttons`, async () => {
    const { page, errors, context } = await visit()
    await open(page, game)
    const presses = await playToEnd(page)
    assert.ok(presses > 1)
    assert.match(await page.locator('.result').innerText(), /win|draw|\d/)
    // Back through the whole game.
    await page.locator('#slider').press('Home')
    await page.locator('#from-here').waitFor()
    assert.match(await page.locator('.timeline .step').innerText(), /^0 /)
    await page.locator('#undo').click()
    await page.locator('.moves').waitFor()
    assert.deepEqual(errors, [])
    await context.close()
  })
}

check('a stone is placed by pointing at the board', async () => {
  const { page, errors, context } = await visit()
  await open(page, 'tic-tac-toe')
  await page.getByRole('button', { name: /^b2/ }).click()
  await page.locator('.log').getByText('mark b2').waitFor()
  await page.locator('#undo').click()
  await page.locator('.log').getByText('Nothing happened yet').waitFor()
  // The same by keys alone.
  await page.getByRole('button', { name: /^a1/ }).focus()
  await page.keyboard.press('Enter')
  await page.locator('.log').getByText('mark a1').waitFor()
  assert.deepEqual(errors, [])
  await context.close()
})

check('a large board where little lies is cropped, and grows with what lies there', async () => {
  const { page, errors, context } = await visit()
  await page.waitForFunction(() => document.body.dataset.opened)
  await page.locator('.files input[type=file]').setInputFiles(join(web, '..', 'tests', 'table_screens', 'sparse.game'))
  const cells = page.locator('.board .place')
  await page.waitForFunction(() => document.querySelectorAll('.board .place').length === 49)
  assert.deepEqual((await page.locator('.board .heading').allTextContents()).slice(0, 7), ['m', 'n', 'o', 'p', 'q', 'r', 's'])
  await page.getByRole('button', { name: /^o16/ }).click()
  await page.waitForFunction(() => document.querySelectorAll('.board .place').length > 49)
  assert.ok(await cells.count() < 100)
  assert.deepEqual(errors, [])
  await context.close()
})

check('a hand lies in fans above the question, and nothing covers it', async () => {
  const { page, errors, context } = await visit({ viewport: { width: 1280, height: 720 } })
  await open(page, 'hearts')
  await page.locator('.own .fan .card').first().dispatchEvent('click')
  await page.locator('[data-cancel]').click()
  await page.waitForFunction(() => document.querySelector('.play').closest('.panel').scrollTop > 0)
  const fans = page.locator('.own .fan')
  await fans.first().waitFor()
  assert.equal(await fans.count(), 2)
  assert.equal(await page.locator('.own .fan .card').count(), 13)
  const [card, bar] = [await fans.last().boundingBox(), await page.locator('.foot').boundingBox()]
  assert.ok(card.y + card.height <= bar.y, `the hand ends at ${card.y + card.height}, and the bar begins at ${bar.y}`)
  assert.deepEqual(errors, [])
  await context.close()
})

check('a mistake is shown, mended, and play goes on', async () => {
  const { page, errors, context } = await visit()
  await open(page, 'nim')
  await renewed(page, () => page.locator('.moves button.move').first().dispatchEvent('click'))
  const steps = await page.locator('.timeline .step').innerText()
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\nrule twice(n: number) = n + m')
  // While the line is typed, other mistakes show.
  await page.locator('.write .status.wrong', { hasText: '1 error: unknown name m' }).waitFor()
  await page.locator('.cm-lintRange-error').first().hover()
  await page.locator('.cm-tooltip .finding').getByText('unknown name').waitFor()
  const rounds = await page.evaluate(() => document.body.dataset.followed ?? '0')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('n')
  await page.waitForFunction(rounds => document.body.dataset.followed !== rounds, rounds)
  assert.equal(await page.locator('.timeline .step').innerText(), steps)
  await playToEnd(page)
  assert.deepEqual(errors, [])
  await context.close()
})

check('a quick fix mends a word that is misspelt', async () => {
  const { page, context } = await visit()
  await open(page, 'pig')
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\nrule more(some: number) = som + 1')
  await page.locator('.write .status.wrong').waitFor()
  await page.locator('.cm-lintRange-error').first().hover()
  await page.getByRole('button', { name: /Write some/ }).click()
  await page.locator('.write .status:not(.wrong)').waitFor()
  assert.match(await page.locator('.cm-content').innerText(), /= some \+ 1/)
  await context.close()
})

check('an edit replays the moves and names the first that no longer fits', async () => {
  const { page, context } = await visit()
  await open(page, 'tic-tac-toe')
  await page.getByRole('button', { name: /^b2/ }).click()
  await page.locator('.log').getByText('mark b2').waitFor()
  const steps = await page.locator('.timeline .step').innerText()
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\n# a remark')
  await page.waitForFunction(() => document.body.dataset.followed)
  assert.equal(await page.locator('.timeline .step').innerText(), steps)
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find' }).pressSequentially('mark(')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.type('put(')
  await page.locator('.notice').getByText('no longer fits').waitFor()
  assert.match(await page.locator('.notice').innerText(), /mark b2/)
  assert.match(await page.locator('.timeline .step').innerText(), /^0 /)
  await context.close()
})

const placesOf = page => page.locator('.board .place').evaluateAll(places => places.map(it => it.getAttribute('aria-label')))

check('a link carries the rules and the moves to a fresh profile', async () => {
  const { page, context } = await visit()
  await open(page, 'elemento', 3)
  do await renewed(page, () => page.locator('.moves button.move').first().click())
  while (await page.locator('.begun').count() > 0)
  await page.locator('#share summary').click()
  await page.locator('#copy-link').click()
  await page.waitForFunction(() => document.getElementById('link').value)
  const address = await page.inputValue('#link')
  assert.ok(!page.url().includes('#'), 'the address of the page stays as it is')
  const [steps, cells] = [await page.locator('.timeline .step').innerText(), await placesOf(page)]
  await context.close()
  assert.ok(address.length < 60000, `${address.length} characters`)
  const other = await visit({}, address.slice(server.address.length))
  await other.page.waitForFunction(() => document.body.dataset.opened)
  assert.equal(await other.page.locator('.timeline .step').innerText(), steps)
  assert.deepEqual(await placesOf(other.page), cells)
  assert.deepEqual(other.errors, [])
  await other.context.close()
})

check('the page in one file plays without a network', async () => {
  const { page, context } = await visit({ acceptDownloads: true })
  await open(page, 'elemental-clash')
  await page.locator('#share summary').click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save-page').click()])
  const file = join(mkdtempSync(join(tmpdir(), 'astragal-page-')), 'game.html')
  writeFileSync(file, readFileSync(await download.path()))
  await context.close()
  const { page: alone, context: offline, errors } = await fresh(browser)
  await offline.setOffline(true)
  const requests = []
  alone.on('request', request => { if (/^(https?|wss?):/.test(request.url())) requests.push(request.url()) })
  await alone.goto(`file://${file}`)
  await alone.waitForFunction(() => document.body.dataset.opened)
  assert.equal(await alone.evaluate(() => document.body.dataset.opened), 'elemental-clash.game')
  await playToEnd(alone)
  assert.deepEqual(requests, [])
  assert.deepEqual(errors, [])
  await offline.close()
})

check('rules, tests and lab follow the file', async () => {
  const { page, errors, context } = await visit()
  await open(page, 'tice')
  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.locator('.rulebook h2').first().waitFor()
  assert.match(await page.locator('.rulebook').innerText(), /Tice/)
  await page.getByRole('tab', { name: /Tests/ }).click()
  await page.waitForFunction(() => /^(\d+) of \1 pass/.test(document.querySelector('.scripts .legend')?.textContent ?? ''), undefined, { timeout: 60000 })
  await page.getByRole('tab', { name: 'Lab' }).click()
  await page.getByRole('button', { name: /Play 1,000 games/ }).click()
  await page.locator('.lab').getByText('1000 games with random').waitFor({ timeout: 60000 })
  assert.equal(await page.locator('.lab .results').first().locator('tr').count(), 2)
  assert.deepEqual(errors, [])
  await context.close()
})

check('nothing serious stands in the way of people with helps', async () => {
  const axe = readFileSync(join(web, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')
  for (const [game, scheme] of [['card-dice', 'light'], ['elemento', 'dark'], ['dice-realms', 'light']]) {
    const { page, context } = await visit({ colorScheme: scheme, bypassCSP: true })
    await open(page, game)
    for (const tab of ['Play', 'Rules', 'Tests', 'Lab']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.evaluate(axe)
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }))
      const serious = violations.filter(it => it.impact === 'serious' || it.impact === 'critical')
      assert.deepEqual(serious.map(it => `${game} ${tab} ${it.id}: ${it.nodes[0].html.slice(0, 160)} ${it.nodes[0].failureSummary}`), [])
    }
    await context.close()
  }
})

check('a phone shows everything without scrolling sideways', async () => {
  const { page, errors, context } = await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  for (const game of ['tice', 'elemento', 'card-dice', 'dice-realms', 'elemental-clash']) {
    await open(page, game)
    await page.locator('.moves button.move:visible, .table .open:visible').first().tap()
    await page.waitForTimeout(50)
    for (const tab of ['Write', 'Rules', 'Play']) {
      await page.getByRole('tab', { name: tab }).tap()
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(wide <= 0, `${game} ${tab}: ${wide} pixels too wide`)
    }
  }
  assert.deepEqual(errors, [])
  await context.close()
})

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Opens a game of this text. */
async function openText(page, text) {
  await page.waitForFunction(() => document.body.dataset.opened)
  await page.evaluate(() => { delete document.body.dataset.opened })
  await page.locator('.files input[type=file]').setInputFiles([{ name: 'own.game', mimeType: 'text/plain', buffer: Buffer.from(text) }])
  await page.waitForFunction(() => document.body.dataset.opened)
  await page.waitForFunction(() => document.querySelector('.table') && !document.querySelector('.play[aria-busy="true"]'))
}

/** What of some elements is in sight between the tabs and the bar of the moves. */
const inSight = (page, selector) => page.evaluate(selector => {
  const [top, bottom] = [document.querySelector('.panel.shown').getBoundingClientRect().top, document.querySelector('.foot').getBoundingClientRect().top]
  return [...document.querySelectorAll(selector)].filter(it => { const box = it.getBoundingClientRect(); return box.top >= top - 1 && box.bottom <= bottom + 1 }).length
}, selector)

check('the tab of the table brings the hand, or what else can be pressed, into sight', async () => {
  const { page, errors, context } = await visit(PHONE)
  for (const [game, selector, count] of [['hearts', '.own .fan .card', 13], ['love-letter', '.own .card', 2], ['card-dice', '.own, .things .open', 1], ['elemento', '.board .open', 1]]) {
    await open(page, game, 4)
    await page.getByRole('tab', { name: 'Write' }).tap()
    await page.getByRole('tab', { name: 'Play' }).tap()
    await page.waitForTimeout(100)
    const seen = await inSight(page, selector)
    assert.ok(seen >= count, `${game}: ${seen} of ${count}`)
  }
  assert.deepEqual(errors, [])
  await context.close()
})

const CROWDED = readFileSync(join(web, '..', 'tests', 'table_screens', 'crowded.game'), 'utf8')
const JOINED = `game "Paths" { players 2; limit 99 decisions { finish draw } }
board Field hex 3 with edges Path, corners Site
the table has { path[Path]: maybe Player = none; house[Site]: maybe Player = none }
play {
  turns me from Player.first {
    choose me {
      go(p) for p in Path where path[p] == none { path[p] = me }
      build(s) for s in Site where house[s] == none { house[s] = me }
    }
  }
}
`

const WIDE = `game "Wide" { players 2; limit 99 decisions { finish draw } }
board Field 19 by 19
the table has { stone[Field]: maybe Player = none }
play { turns me from Player.first { choose me { put(c) for c in Field where stone[c] == none { stone[c] = me } } } }
`

check('signs on a board can be read and touched on a phone', async () => {
  const { page, errors, context } = await visit(PHONE)
  for (const text of [CROWDED, JOINED, WIDE]) {
    await openText(page, text)
    const { targets, letters, wide, near } = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('.board .open')].map(it => (it.querySelector('.reach') ?? it.querySelector('.cell')).getBoundingClientRect())
      const middles = boxes.map(it => [it.x + it.width / 2, it.y + it.height / 2])
      const near = Math.min(...middles.flatMap(([x, y], at) => middles.slice(at + 1).map(([a, b]) => Math.hypot(a - x, b - y))))
      const scale = document.querySelector('.board').getScreenCTM().a
      const letters = Math.min(...[...document.querySelectorAll('.board .place text')].map(it => parseFloat(getComputedStyle(it).fontSize) * scale), 99)
      return { targets: Math.min(...boxes.map(it => Math.min(it.width, it.height))), near, letters, wide: document.documentElement.scrollWidth - innerWidth }
    })
    assert.ok(targets >= 39.5, `a target of ${targets} pixels`)
    assert.ok(near >= 39.5, `targets ${near} pixels apart`)
    assert.ok(letters >= 9, `letters of ${letters} pixels`)
    assert.ok(wide <= 0, `${wide} pixels too wide`)
    assert.ok(await inSight(page, '.board .open') > 0)
  }
  assert.deepEqual(errors, [])
  await context.close()
})

check('cards that only lie there take less room than the hand, and a large screen shows all larger', async () => {
  const { page, errors, context } = await visit(PHONE)
  await open(page, 'love-letter', 4)
  for (let press = 0; press < 40 && await page.locator('.own .thing', { hasText: 'cards played' }).locator('.card').count() === 0; press++) await renewed(page, () => page.locator('.moves button.move').first().dispatchEvent('click'))
  const height = name => page.locator('.own .thing').filter({ hasText: new RegExp(`^${name}`) }).locator('.card').first().evaluate(it => it.getBoundingClientRect().height)
  const [hand, played] = [await height('hand'), await height('cards played')]
  assert.ok(played < hand / 2, `${played} of ${hand}`)
  await open(page, 'yahtzee', 4)
  assert.doesNotMatch(await page.locator('.own').innerText(), /none/)
  await context.close()
  const sizes = []
  for (const width of [1280, 3840]) {
    const large = await visit({ viewport: { width, height: width * 5 / 8 } })
    await open(large.page, 'yahtzee', 4)
    sizes.push(await large.page.evaluate(() => ['.own .number .name', '.moves .move'].map(it => document.querySelector(it).getBoundingClientRect().height)))
    assert.ok(await large.page.evaluate(() => document.querySelector('.panel.shown').scrollWidth <= document.querySelector('.panel.shown').clientWidth))
    await large.context.close()
  }
  // The letters of the page alone grow by less than half.
  for (const at of [0, 1]) assert.ok(sizes[1][at] > 1.8 * sizes[0][at], JSON.stringify(sizes))
  assert.deepEqual(errors, [])
})

check('what can be pressed near is not pressed at the seats of others', async () => {
  const { page, errors, context } = await visit()
  await open(page, 'yahtzee', 4)
  for (let press = 0; press < 30 && await page.locator('.own .open').count() === 0; press++) await renewed(page, () => page.locator('.moves button.move').last().dispatchEvent('click'))
  assert.ok(await page.locator('.own .open').count() > 0)
  assert.equal(await page.locator('.others .open').count(), 0)
  assert.deepEqual(errors, [])
  await context.close()
})

const MAP = readFileSync(join(web, '..', 'tests', 'games', 'double_tracks.game'), 'utf8')

check('the links of a map lie between their places and say what they have', async () => {
  for (const options of [{}, PHONE]) {
    const { page, errors, context } = await visit(options)
    await openText(page, MAP)
    assert.deepEqual(await page.locator('.board .fact').allTextContents(), ['2', '4', '5', '3'])
    assert.deepEqual((await page.locator('.board .name').allTextContents()).sort(), ['ash', 'dor', 'red'])
    assert.equal(await page.locator('.board .road').count(), 4)
    await page.locator('.boards').getByText('On links: miles').waitFor()
    // No two of the words lie over each other, and each is touched where it stands.
    const boxes = await page.locator('.board .place .cell').evaluateAll(cells => cells.map(it => { const { left, right, top, bottom } = it.getBoundingClientRect(); return { left, right, top, bottom } }))
    const over = boxes.some((a, at) => boxes.slice(at + 1).some(b => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom))
    assert.ok(!over, JSON.stringify(boxes))
    await renewed(page, () => page.getByRole('button', { name: 'dor-ash, miles 4' }).click())
    await page.locator('.log').getByText('build dor-ash').waitFor()
    assert.ok(await page.locator('.board .taken').count() > 0)
    assert.deepEqual(errors, [])
    await context.close()
  }
})

const HEAP = `game "Heap" { players 2; limit 99 decisions { finish draw } }
kind Face { a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r }
cards Card of Face
each player has {
  note "secret number" [1..4]: 0..9 = 0 seen by owner
  deal: 0..9 = 0
}
the table has { heap: cards = Card; gone: cards }
play {
  turns me from Player.first {
    choose me {
      wait { me.deal = 1 }
      burn { move top of heap to gone }
      pick(x) for x in heap where me.deal == 1 { move x to gone }
    }
    me.note[1] = 3
  }
}
`

check('many names of cards are folded, unless one can be pressed; what nobody here sees takes one line', async () => {
  const { page, errors, context } = await visit()
  await openText(page, HEAP)
  const heap = page.locator('.things .thing', { hasText: /^heap/ })
  assert.equal(await heap.locator('.names .chip').count(), 18)
  assert.equal(await heap.locator('.chip').first().isVisible(), false)
  assert.match(await heap.locator('summary').innerText(), /^a, b, c/)
  await heap.locator('summary').click()
  await renewed(page, () => page.locator('.moves').getByRole('button', { name: /burn/ }).click())
  assert.ok(await heap.locator('.chip').first().isVisible(), 'it stays open')
  await heap.locator('summary').click()
  // What a bot did decides whether a card can be taken now.
  for (let press = 0; press < 6 && await heap.locator('.chip.open').count() === 0; press++) await renewed(page, () => page.locator('.moves').getByRole('button', { name: /wait/ }).click())
  assert.equal(await heap.locator('details').count(), 0)
  assert.ok(await heap.locator('.chip.open').first().isVisible())
  const other = await page.locator('.others .seat').innerText()
  assert.match(other, /secret number\s+hidden/)
  assert.doesNotMatch(other, /\?/)
  assert.deepEqual(errors, [])
  await context.close()
})

const EIGHT = WIDE.replace('19 by 19', '8 by 8')

check('a phone shows a board of eight columns whole, and a set is picked from the hand alone', async () => {
  const { page, errors, context } = await visit(PHONE)
  await openText(page, EIGHT)
  const [hidden, cell] = await page.locator('.boards .wide').evaluate(it => [it.scrollWidth - it.clientWidth, it.querySelector('.cell').getBoundingClientRect().width])
  assert.ok(hidden <= 1, `${hidden} pixels are out of sight`)
  assert.ok(cell >= 39.5, `a cell of ${cell} pixels`)
  await open(page, 'hearts', 4)
  for (const at of [0, 1, 2]) await renewed(page, () => page.locator('.own .card').nth(at).dispatchEvent('click'))
  assert.equal(await page.locator('.moves .step:visible').count(), 0)
  await page.locator('.moves .move.primary').waitFor()
  await page.locator('.moves').getByText('touch it on the table').waitFor()
  assert.deepEqual(errors, [])
  await context.close()
})

check('prices stay on their cards, and the names of rows in sight', async () => {
  const { page, errors, context } = await visit()
  await open(page, 'card-dice', 4)
  const out = await page.locator('.card .price').evaluateAll(prices => prices.map(it => it.closest('.card').getBoundingClientRect().right - it.getBoundingClientRect().right))
  assert.ok(out.length > 4 && out.every(it => it > 0), JSON.stringify(out))
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, 'dice-realms', 4)
  const sheets = page.locator('.sheet .wide')
  const moved = await sheets.evaluateAll(list => list.map(it => { it.scrollLeft = 60; return { by: it.scrollLeft, at: it.querySelector('tbody th').getBoundingClientRect().left - it.getBoundingClientRect().left } }))
  assert.ok(moved.some(({ by }) => by > 0))
  assert.ok(moved.every(({ at }) => at >= 0), JSON.stringify(moved))
  assert.deepEqual(errors, [])
  await context.close()
})

const SHEET = `game "Sheet" { players 2; limit 99 decisions { finish draw } }
kind Side { left, right }
kind Row { top, low }
each player has { hit[Side, Row]: yes/no = no }
play {
  turns me from Player.first {
    choose me { strike(s, r) for s in Side for r in Row where (s == left) == (r == top) { me.hit[s, r] = yes } }
  }
}
`

check('of a sheet only the cells can be pressed that a move names with both headings', async () => {
  const { page, errors, context } = await visit()
  await openText(page, SHEET)
  const cells = await page.locator('.own .sheet tbody tr').evaluateAll(rows => rows.map(row => [...row.querySelectorAll('td')].map(it => it.querySelector('.open') !== null)))
  assert.deepEqual(cells, [[true, false], [false, true]])
  await renewed(page, () => page.locator('.own .sheet tbody tr').nth(1).locator('td').nth(1).locator('.open').click())
  await page.locator('.log').getByText('P1 Strike right low').waitFor()
  assert.deepEqual(errors, [])
  await context.close()
})

const BLIND = `game "Blind" { players 2; limit 50 decisions { finish draw } }
kind Face { a, b, c, d, e, f }
cards Card of Face
each player has { hand "card at" [1..3]: cards hidden }
the table has {
  deck: cards hidden = Card
  heap: cards
}
setup { for p in Player { for i in 1..3 { move top of deck to p.hand[i] } } }
play {
  turns me from Player.first {
    choose me { lay(i) for i in 1..3 where me.hand[i] != {} { move me.hand[i] to heap } }
    if count(heap) == 6 { finish draw }
  }
}
`

check('a card that nobody sees is pressed at its place', async () => {
  const { page, errors, context } = await visit()
  await openText(page, BLIND)
  assert.equal(await page.locator('.own .card.back.open').count(), 3)
  assert.equal(await page.locator('.others .open').count(), 0)
  await renewed(page, () => page.locator('.own .card.back.open').nth(1).click())
  await page.locator('.log').getByText('lay 2').waitFor()
  assert.equal(await page.locator('.own .card.back.open').count(), 2)
  assert.deepEqual(errors, [])
  await context.close()
})
