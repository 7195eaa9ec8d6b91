// What stopped people who did not build the page: designers at their first game, and tables that were hard to read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, fresh, renewed, server, shareBrowser } from './browser.mjs'

shareBrowser()

const check = (name, act) => test(name, { timeout: 120_000 }, act)

/** A page with a game of one's own. */
async function write(text, options = {}) {
  const it = await fresh(browser, options)
  const { page } = it
  await page.goto(server.address)
  await page.waitForFunction(() => document.body.dataset.opened)
  await page.evaluate(() => { delete document.body.dataset.opened })
  await page.locator('.files input[type=file]').setInputFiles([{ name: 'own.game', mimeType: 'text/plain', buffer: Buffer.from(text) }])
  await page.waitForFunction(() => document.body.dataset.opened && !document.querySelector('.play[aria-busy="true"]'))
  return it
}

const lines = page => page.evaluate(() => document.querySelector('.cm-content').innerText.split('\n'))
const status = page => page.locator('.write .status').innerText()

/** A goat that slips below the foot of the hill. */
const GOAT = `game "Goat" { players 2 }
option goal: 5..50 = 6 "steps to the top"
each player has { steps: 0.. = 0 }
the table has { die leap = 1..6 }
play {
  turns me from Player.first {
    choose me { jump { roll leap; me.steps += leap }; slip { me.steps -= 1 } }
    if me.steps >= goal { finish win me }
  }
}
`

check('help is a button away: what keys do, and the language with dice and decisions', async () => {
  const { page, errors, context } = await write(GOAT)
  await page.getByRole('button', { name: 'Help' }).click()
  const help = page.getByRole('dialog', { name: 'Help' })
  for (const words of ['Ctrl+Space', '? P1.points == 3', 'die cube = 1..6', 'choose me']) await help.getByText(words).first().waitFor()
  assert.doesNotMatch(await help.innerText(), /\]\(/, 'no address of the manual is left over')
  await page.getByRole('button', { name: 'Close' }).click()
  await help.waitFor({ state: 'detached' })
  assert.deepEqual(errors, [])
  await context.close()
})

check('lines begin further in behind a brace, and a brace that closes goes back', async () => {
  const { page, context } = await write(GOAT)
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('play {')
  await page.keyboard.press('Delete')
  await page.keyboard.type('\nrepeat {')
  await page.keyboard.press('Delete')
  await page.keyboard.type('\nbreak\n}\nfinish draw\n}')
  assert.deepEqual(await lines(page), ['play {', '  repeat {', '    break', '  }', '  finish draw', '}'])
  await context.close()
})

check('the repair stands beside the message, and Tidy says why it does nothing', async () => {
  const { page, context } = await write(GOAT.replace('me.steps >= goal', 'me.steps = goal'))
  await page.locator('.write .status.wrong').waitFor()
  await page.getByRole('button', { name: 'Tidy' }).click()
  await page.locator('.said').getByText('mend them first').waitFor()
  const repair = page.locator('.status .repair')
  assert.ok((await repair.boundingBox()).height > 25)
  await repair.click()
  await page.locator('.write .status').getByText('No errors').waitFor()
  assert.match((await lines(page))[7], /me\.steps == goal/)
  await context.close()
})

check('a script says beside it what it may hold, and below it what is wrong', async () => {
  const { page, context } = await write(GOAT)
  await page.getByRole('tab', { name: 'Tests' }).click()
  await page.locator('#panel-tests').getByText('? P1.points == 3').waitFor()
  await page.getByRole('button', { name: 'Add the game so far' }).click()
  await page.locator('.tests .test').waitFor()
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+Space')
  await page.locator('.cm-tooltip-autocomplete li').first().waitFor()
  const offered = await page.locator('.cm-tooltip-autocomplete li').allInnerTexts()
  assert.ok(offered.some(it => it.startsWith('? ')) && !offered.some(it => it.startsWith('board')), offered.join(', '))
  await page.keyboard.press('Escape')
  await page.keyboard.type('? P1.steps == 99')
  await page.locator('.write .status.wrong').getByText('does not hold').waitFor()
  await page.getByRole('tab', { name: 'Tests' }).click()
  await page.locator('.tests .finding').getByRole('button', { name: /^line \d+$/ }).waitFor()
  await context.close()
})

check('what goes wrong in the lab and at the table names its line, and the lab offers numbers', async () => {
  const { page, context } = await write(GOAT)
  await page.getByRole('tab', { name: 'Lab' }).click()
  await page.locator('#panel-lab').getByLabel('steps to the top').fill('7')
  await page.locator('#panel-lab').getByLabel('steps to the top').press('Enter')
  await page.getByRole('button', { name: /^Play 1,000/ }).click()
  await page.locator('#panel-lab .finding').getByRole('button', { name: 'line 7' }).click()
  assert.equal(await page.locator('.cm-activeLineGutter').first().innerText(), '7')
  await page.getByRole('tab', { name: 'Play' }).click()
  await page.locator('.moves button.move', { hasText: 'slip' }).click()
  await page.locator('.play .finding').getByRole('button', { name: 'line 7' }).waitFor()
  await context.close()
})

/** Sixteen cells to play, pieces with a colour of their own, cards with a price, equal cards, and boxes to fill; the second player wins. */
const HARD = `game "Hard to read" {
  players 2 {
           colour
    white  white
    black  black
  }
}
kind Man { pawn, rook }
kind Piece {
      title         owner: Player  man: Man  colour  glyph
  wp  "white pawn"  white          pawn      white   "p"
  wr  "white rook"  white          rook      white   "r"
  bp  "black pawn"  black          pawn      red     "P"
  br  "black rook"  black          rook      red     "R"
}
board Square 4 by 4 {
  begins: maybe Piece {
    br bp -  -
    -  -  -  -
    -  -  -  -
    wp wr -  -
  }
}
kind Box { ones, twos, threes, fours, fives, sixes, chance }
kind Good { brick, ore }
kind Deal {
            cost  title             text
  scouting  9     "Reconnaissance"  "Look at a hand."
  midas     7     "Midas Touch"     "All is gold."
}
cards Ware of Good copies 5
cards Offer of Deal
each player has { written[Box]: maybe 0..30 = none; points: 0.. = 0 }
the table has {
  piece[Square]: maybe Piece = none
  bank[Good]: cards of Ware
  shop: cards of Offer = Offer
  stock: cards of Ware = Ware
}
setup {
  for s in Square { piece[s] = s.begins }
  for g in Good { for c in stock where c == g { move c to bank[g] } }
}
play {
  turns me from Player.first {
    choose me "Where?" {
      put(s) for s in Square where piece[s] == none { piece[s] = if me == white then wp else bp }
      take(g) for g in Good { me.points += 1 }
      buy(d) for d in shop when d.cost > 0 { me.points += 1 }
      guess(p, n) for p in others(me) for n in 1..3 { me.points += 1 }
    }
    if turn == 4 { finish win black }
  }
}
`

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const box = (page, selector) => page.locator(selector).first().boundingBox()

check('moves that are drawn do not cover the table with buttons, and what they share is said once', async () => {
  const { page, context } = await write(HARD)
  const put = page.locator('.group', { hasText: /^put/i })
  await put.getByText('touch it on the table').waitFor()
  assert.equal(await put.locator('.move:visible').count(), 0)
  assert.deepEqual(await page.locator('.group', { hasText: /^guess/i }).locator('.group-title').allInnerTexts(), ['Guess P2'])
  assert.deepEqual(await page.locator('.group', { hasText: /^guess/i }).locator('.move').evaluateAll(all => all.map(it => it.lastChild.textContent)), ['1', '2', '3'])
  await renewed(page, () => page.locator('.board .open').first().click())
  assert.match(await page.locator('.timeline .step').innerText(), /^2 /)
  await context.close()
})

check('a piece has the colour that the file gives it, and where it stood at first is no ground', async () => {
  const { page, context } = await write(HARD)
  const black = page.locator('.board .place', { has: page.locator('title', { hasText: /^a1, .*black rook/ }) })
  const [disc, letter, cell] = await Promise.all(['.piece circle', '.piece text', '.cell'].map(it => black.locator(it).first().evaluate(part => part.getAttribute('style'))))
  assert.match(disc, /#cf4444/)
  assert.match(letter, /#ffffff|#1b1c1f/)
  assert.equal(cell, null)
  await context.close()
})

check('titles stay in their cards, prices are round, and equal cards are a number', async () => {
  for (const options of [{}, PHONE]) {
    const { page, context } = await write(HARD, options)
    const shop = page.locator('.thing', { hasText: /^shop/ })
    for (const card of await shop.locator('.card').all()) {
      const [whole, title, price] = await Promise.all([card, card.locator('strong > :first-child'), card.locator('.price')].map(it => it.boundingBox()))
      const right = await card.locator('strong > :first-child').evaluate(it => { const range = document.createRange(); range.selectNodeContents(it); return range.getBoundingClientRect().right })
      assert.ok(title.x >= whole.x && right <= whole.x + whole.width, JSON.stringify({ whole, title, right }))
      assert.ok(price.height < 24, JSON.stringify(price))
    }
    const bank = page.locator('.thing', { hasText: /^bank/ })
    assert.deepEqual(await bank.locator('.chip').allInnerTexts(), ['5 × brick', '5 × ore'])
    assert.equal(await bank.locator('.card, .pile-name').count(), 0)
    assert.ok((await bank.boundingBox()).height < 60)
    await context.close()
  }
})

check('many numbers stand in columns, and the way through the game in one row', async () => {
  const { page, context } = await write(HARD.replace('maybe 0..30 = none', '0..30 = 1'), PHONE)
  await page.locator('.sitting summary').click()
  await page.getByText('Show everything').click()
  await page.waitForFunction(() => document.querySelectorAll('.own .numbers .number').length >= 7)
  const rows = await page.locator('.own .numbers').filter({ has: page.locator(':nth-child(7)') }).first().locator('.number b').evaluateAll(all => all.map(it => Math.round(it.getBoundingClientRect().right)))
  assert.ok(rows.length === 7 && new Set(rows).size <= 2, rows.join(' '))
  const [undo, step] = [await box(page, '#undo'), await box(page, '.timeline .step')]
  assert.ok(Math.abs(undo.y + undo.height / 2 - step.y - step.height / 2) < 8, JSON.stringify({ undo, step }))
  await context.close()
})

check('who won comes first at the end', async () => {
  const { page, context } = await write(HARD)
  for (let at = 0; at < 8 && await page.locator('.result').count() === 0; at++) await renewed(page, () => page.locator('.moves .move', { hasText: 'brick' }).first().click())
  assert.match((await page.locator('.end li').allInnerTexts())[0], /won/)
  await context.close()
})
