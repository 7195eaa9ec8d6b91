// Two browsers at one table: whole games, what each is told, a server that is killed, a wrong link.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fresh, launch, web } from './browser.mjs'
import { lacking, lay, move, playToEnd, result, sitDown } from './table.mjs'

const why = lacking()
let browser

/** How many random games of each kind two browsers play to the end. */
const games = Number(process.env.ASTRAGAL_SERVE ?? 1)

/** A busy machine may take long, but not for ever. */
const check = (name, act) => test(name, { timeout: games * 300_000, skip: why ? `left out: ${why}` : false }, act)

const sit = (link, options) => sitDown(browser, link, options)

before(async () => {
  if (!why) browser = await launch()
})
after(() => browser?.close())

/** What everybody must see lies in the window, and nothing above it. */
async function inSight(page, selector) {
  const part = page.locator(selector)
  await part.waitFor()
  const look = () => part.evaluate(it => {
    const { left, top, right, bottom } = it.getBoundingClientRect()
    const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth && (it.contains(above) || above.contains(it))
  })
  // It may be drawn anew just now.
  let seen = false
  for (let at = 0; at < 20 && !(seen = await look()); at++) await page.waitForTimeout(50)
  assert.ok(seen, `${selector} is out of sight`)
}

/** A page at a server that the test itself is: `answer` gets each message and a function that sends. */
async function alone(hash, answer) {
  const it = await fresh(browser, { viewport: { width: 390, height: 844 } })
  await it.page.routeWebSocket(/table$/, socket => socket.onMessage(text => answer(JSON.parse(text), message => socket.send(JSON.stringify(message)), socket)))
  const table = await lay(2, ['tic-tac-toe', '--port', '0'])
  await it.page.goto(table.everybody.replace(/#.*/, hash))
  return { ...it, end: async () => { await table.kill(); await it.context.close() } }
}

const room = (seats, more = {}) => ({ room: { seats: seats.map(([name, who, here]) => ({ name, who, here })), proposal: null, note: null, named: false, ...more } })

check('a name that is refused leaves the form; where names stay, nobody is asked for one', async () => {
  const seats = [['Ann', 'person', true], ['P2', 'free', false]]
  const claims = []
  const { page, end } = await alone('#table=bakotimu', ({ ask, name }, send) => {
    if (ask === 'enter') return send(room(seats))
    claims.push(name)
    send({ error: '`Ann` appears twice' })
  })
  await page.getByLabel('Your name').fill('Ann')
  await page.getByRole('button', { name: /^Sit at/ }).click()
  await page.getByText('`Ann` appears twice.').waitFor()
  assert.equal(await page.getByLabel('Your name').inputValue(), 'Ann')
  await page.getByLabel('Your name').fill('Anna')
  await page.getByRole('button', { name: /^Sit at/ }).click()
  await page.waitForTimeout(100)
  assert.deepEqual(claims, ['Ann', 'Anna'])
  await end()
  const late = await alone('#table=bakotimu', (_, send) => send(room(seats, { named: true })))
  await late.page.getByText('its names stay').waitFor()
  assert.equal(await late.page.getByLabel('Your name').count(), 0)
  await late.end()
})

check('a page without a seat tries again when somebody wants it', async () => {
  let tries = 0
  const { page, end } = await alone('#seat=00000000000000000000000000000000', (_, send, socket) => {
    if (tries++ < 1) return socket.close({ code: 4001, reason: 'this link opens no seat at this table' })
    socket.close({ code: 1001, reason: 'the table is back' })
  })
  await page.getByText('This link opens no seat at this table.').waitFor()
  assert.match(await page.title(), /^no seat/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('The table is back.').waitFor()
  await end()
})

check('a card in hand is played by a touch, and no card of somebody else is', async () => {
  const table = await lay(2, ['love-letter', '--players', '2', '--port', '0', '--seed', '3'])
  const people = await Promise.all(table.links.map(link => sit(link, { hasTouch: true, isMobile: true })))
  const touched = { plain: 0, named: 0 }
  for (let at = 0; at < 40 && touched.plain + touched.named < 12; at++) {
    for (const { page } of people) {
      await page.waitForTimeout(60)
      if (await page.locator('.moves').count() === 0) continue
      assert.equal(await page.locator('.others .card.open').count(), 0)
      const hand = page.locator('.own .thing').filter({ hasText: /^hand/ }).locator('.card.open[role=button]')
      // Only what may be played is offered: no Princess, and nothing but the Countess where she must go.
      const card = hand.nth(at % await hand.count())
      const name = (await card.locator('strong').innerText()).split('\n')[0].toLowerCase()
      const step = await page.locator('.log').innerText()
      await card.tap()
      const begun = page.locator('.begun')
      await page.waitForFunction(step => document.querySelector('.begun') || document.querySelector('.log').innerText !== step, step)
      if (await begun.count() === 0) { touched.plain++; continue }
      assert.match(await begun.innerText(), new RegExp(`^${name} …`))
      touched.named++
      await page.locator('.moves button.move').last().click()
    }
  }
  assert.ok(touched.plain > 0 && touched.named > 0, JSON.stringify(touched))
  assert.deepEqual(people.flatMap(({ errors }) => errors), [])
  await table.kill()
  await Promise.all(people.map(({ context }) => context.close()))
})

check('on a phone and on a tablet nothing runs out of its box, and what is pressed is large enough', async () => {
  for (const game of ['dice-realms', 'love-letter']) {
    const table = await lay(2, [game, '--players', '2', '--port', '0', '--seed', '3'])
    const [{ page, context }, other] = await Promise.all(table.links.map((link, at) => sit(link, { hasTouch: true, isMobile: true, ...at === 1 && { viewport: { width: 768, height: 1024 } } })))
    for (let at = 0; at < 3; at++) {
      await move({ page }, 2 * at)
      await page.waitForTimeout(150)
    }
    for (const it of [page, other.page]) {
      await it.locator('.company summary').click()
      const found = await it.evaluate(() => {
        const main = document.querySelector('main')
        const out = [...document.querySelectorAll('.seat, .things')].flatMap(box => [...box.querySelectorAll('.thing, .wide, .rest, .legend')].filter(part => !part.parentElement.closest('.wide') && part.getBoundingClientRect().right > box.getBoundingClientRect().right + 1)).map(part => part.className)
        const cut = [...document.querySelectorAll('.table .wide')].filter(part => part.scrollWidth > part.clientWidth + 4 && !part.matches('.before, .after')).map(part => part.ariaLabel)
        const low = [...document.querySelectorAll('button, a, summary, select, .check, .touch')].filter(part => part.checkVisibility() && part.getBoundingClientRect().height < 39.5).map(part => part.outerHTML.slice(0, 60))
        return { out, cut, low, sideways: main.scrollWidth - main.clientWidth }
      })
      assert.deepEqual(found, { out: [], cut: [], low: [], sideways: 0 })
    }
    await table.kill()
    await Promise.all([context, other.context].map(it => it.close()))
  }
})

check('while a seat is free the invitation lies at the top for the first person', async () => {
  const table = await lay(2, ['love-letter', '--players', '2', '--port', '0', '--seed', '3'])
  const first = await sit(table.links[0])
  await first.page.locator('svg.invitation').waitFor()
  await inSight(first.page, 'svg.invitation')
  await first.page.locator('.others').getByText('free').waitFor()
  const second = await sit(table.links[1])
  await first.page.locator('svg.invitation').waitFor({ state: 'detached' })
  assert.equal(await second.page.locator('.invite').count(), 0)
  // Motion is switched off and stays so.
  await first.page.getByText('Sound and motion').click()
  await first.page.getByLabel('motion').uncheck()
  await first.page.reload()
  await first.page.locator('body.still').waitFor()
  await table.kill()
  await Promise.all([first, second].map(({ context }) => context.close()))
})

check('two browsers play Love Letter, and neither is told what the other holds', async () => {
  const table = await lay(2, ['love-letter', '--names', 'Ann,Ben', '--port', '0', '--seed', '3', '--option', 'tokens=2'])
  const [ann, ben] = await Promise.all(table.links.map(link => sit(link)))
  await Promise.all([ann, ben].map(({ page }) => page.locator('.connection[data-state="here"]').waitFor()))
  // Nobody is told more than there is to see: the views of the two are of different seats.
  for (const [at, { told }] of [ann, ben].entries()) {
    const views = told.map(text => JSON.parse(text)).filter(it => it.news)
    assert.ok(views.length > 0 && views.every(({ news }) => news.view.head.viewer === at))
    const hand = news => news.view.players[1 - at].find(thing => /hand/i.test(thing.title))
    assert.ok(views.every(({ news }) => !hand(news)?.elements.some(it => it.value.members?.length)))
  }
  await playToEnd([ann, ben])
  assert.equal(await result(ann.page), await result(ben.page))
  assert.match(await result(ann.page), /(Ann|Ben) wins/)
  assert.deepEqual([...ann.errors, ...ben.errors], [])
  await table.kill()
  await Promise.all([ann, ben].map(({ context }) => context.close()))
})

check('a family comes in with one link, takes back by agreement, plays again and lets a bot play on', async () => {
  const table = await lay(2, ['love-letter', '--port', '0', '--seed', '3', '--option', 'tokens=1'])
  const [mia, tom] = [await sit(table.everybody), await sit(table.everybody)]
  for (const [{ page }, name, at] of [[mia, 'Mia', 0], [tom, 'Tom', 1]]) {
    await page.getByLabel('Your name').fill(name)
    await page.getByRole('button', { name: /^Sit at the seat/ }).nth(0).click()
    await page.locator('.connection[data-state="here"]').waitFor()
    assert.match(page.url(), /#seat=[0-9a-f]{32}$/, `${name} at seat ${at}`)
  }
  const people = [mia, tom]
  await mia.page.locator('.table').getByText('Tom').first().waitFor()
  const asked = async () => {
    for (;;) {
      for (const it of people) if (await it.page.locator('.moves button.move:visible').count() > 0) return it
      await mia.page.waitForTimeout(50)
    }
  }
  const first = await asked()
  const other = people.find(it => it !== first)
  const company = page => page.locator('.company summary').click()
  // The other seat decides next, and the first one wants its move back.
  while (await first.page.locator('.moves button.move:visible').count() > 0) await move(first, 0)
  await company(first.page)
  await first.page.locator('#propose-undo').click()
  await first.page.getByText(/You would like to take the last move back. Waiting for (Mia|Tom)/).waitFor()
  assert.match(await other.page.title(), /^asked: take back\? · Love Letter$/)
  for (const part of ['#agree', '#disagree']) await inSight(other.page, part)
  await inSight(first.page, '.foot .notice')
  await other.page.locator('#disagree').click()
  await other.page.getByText('You do not agree.').waitFor()
  await first.page.getByText(/(Mia|Tom) does not agree/).waitFor()
  await inSight(first.page, '.foot .notice')
  await first.page.locator('#propose-undo').click()
  await other.page.locator('#agree').click()
  await first.page.locator('.moves button.move:visible').first().waitFor()
  // Nobody else comes in where all seats are taken; the picture of the address is there.
  await inSight(first.page, '.foot .notice')
  assert.match(await first.page.title(), /your turn · Love Letter$/)
  assert.equal(await other.page.title(), `turn: ${first === mia ? 'Mia' : 'Tom'} · Love Letter`)
  await first.page.locator('#invite').click()
  await first.page.locator('svg.invitation').waitFor()
  const late = await sit(table.everybody)
  await late.page.getByText('No seat is free.').waitFor()
  await late.page.getByRole('heading', { name: 'All seats are taken' }).waitFor()
  assert.equal(await late.page.getByLabel('Your name').count(), 0)
  assert.equal(await late.page.getByRole('button', { name: /^Sit at the seat/ }).count(), 0)
  await playToEnd(people)
  for (const { page } of people) {
    await inSight(page, '.ended')
    assert.match(await page.title(), /^over: (Mia|Tom) wins · Love Letter$/)
  }
  await first.page.locator('#again').click()
  await inSight(other.page, '#agree')
  await other.page.locator('#agree').click()
  await other.page.locator('.result').waitFor({ state: 'detached' })
  const next = await asked()
  const before = people.find(it => it !== next)
  if (before !== first) await company(before.page)
  await before.page.locator('#stand-up').click()
  await before.page.getByRole('heading', { name: 'Choose a seat' }).waitFor()
  if (next !== first) await company(next.page)
  const name = before === mia ? 'Mia' : 'Tom'
  await next.page.locator('.others').getByText('free').waitFor()
  assert.match(await next.page.getByLabel(`Who plays for ${name}`).innerText(), /^Let a bot play\neasy: random/)
  await next.page.getByLabel(`Who plays for ${name}`).selectOption('random')
  await next.page.locator('.others .tag').getByText('bot', { exact: true }).waitFor()
  await playToEnd([next])
  assert.match(await result(next.page), /(Mia|Tom) wins/)
  assert.deepEqual([...mia.errors, ...tom.errors, ...late.errors], [])
  await table.kill()
  await Promise.all([mia, tom, late].map(({ context }) => context.close()))
})

// A random game of cards and dice takes more than a thousand moves, so it is cut short where one stands for many.
for (const [game, ...words] of [['love-letter'], ['card-dice', ...games > 1 ? [] : ['--option', 'max_turns=20']]]) {
  check(`two browsers play whole random games: ${game}`, async () => {
    for (let seed = 1; seed <= games; seed++) {
      const table = await lay(2, [game, ...words, '--names', 'Ann,Ben', '--port', '0', '--seed', String(seed)])
      const people = await Promise.all(table.links.map(link => sit(link)))
      await playToEnd(people, seed)
      const results = await Promise.all(people.map(({ page }) => result(page)))
      assert.equal(results[0], results[1])
      assert.deepEqual(people.flatMap(({ errors }) => errors), [])
      await table.kill()
      await Promise.all(people.map(({ context }) => context.close()))
    }
  })
}

check('two people share one page, and nothing is in sight until somebody says who is looking', async () => {
  const table = await lay(3, ['love-letter', '--port', '0', '--seed', '3'].concat('--players', '3'))
  const [shared, lea] = [await sit(table.everybody, { hasTouch: true, isMobile: true }), await sit(table.links[2])]
  const { page } = shared
  const take = async name => {
    await page.getByLabel('Your name').fill(name)
    await page.getByRole('button', { name: /^Sit at the seat/ }).first().click()
  }
  await take('Mia')
  await page.locator('.company summary').click()
  await page.locator('#more').click()
  await page.getByRole('link', { name: 'Back to the seat' }).waitFor()
  assert.equal(await page.getByLabel('Your name').inputValue(), '', 'each has a name')
  await take('Tom')
  const covered = async () => {
    await page.getByRole('heading', { name: 'Who is looking?' }).waitFor()
    assert.equal(await page.locator('.table, .card, .rulebook').count(), 0)
    assert.doesNotMatch(await page.title(), /Love Letter/)
  }
  const seen = async name => {
    await covered()
    await page.getByRole('button', { name: `I am ${name}` }).click()
    await page.locator('.own .seat-name').getByText(name).waitFor()
    assert.equal(await page.locator('.own .card strong').count() > 0, true)
  }
  await seen('Mia')
  // Both come back after a reload, covered.
  await page.reload()
  await seen('Tom')
  const handed = new Set()
  for (let at = 0; at < 60 && handed.size < 2; at++) {
    await move(shared, at)
    await move(lea, at)
    if (await page.locator('#hand').count() > 0) {
      const other = (await page.locator('#hand').innerText()).replace('Hand over to ', '')
      await page.locator('#hand').click()
      await seen(other)
      await page.locator('.moves').waitFor()
      handed.add(other)
    }
    await page.waitForTimeout(40)
  }
  assert.deepEqual([...handed].sort(), ['Mia', 'Tom'])
  await page.locator('#cover').click()
  await seen('Tom')
  await page.locator('.company summary').click()
  await page.locator('#resign').click()
  for (const part of ['#sure', '#unsure']) await inSight(page, part)
  await page.locator('#sure').click()
  await lea.page.getByText('Tom resigns: a bot plays on.').waitFor()
  // Who stands up leaves the page to the other.
  await page.locator('#stand-up').click()
  await page.locator('.own .seat-name').getByText('Mia').waitFor()
  assert.deepEqual([...shared.errors, ...lea.errors], [])
  await table.kill()
  await Promise.all([shared, lea].map(({ context }) => context.close()))
})

check('who sits chooses a name, and who stands up is at the door with all seats', async () => {
  const table = await lay(2, ['love-letter', '--players', '2', '--port', '0', '--seed', '3'])
  const [mia, tom] = await Promise.all(table.links.map(link => sit(link, { hasTouch: true, isMobile: true })))
  mia.page.on('dialog', dialog => dialog.accept('Mia'))
  const company = mia.page.locator('.company summary')
  assert.match(await company.innerText(), /take back, resign/)
  await company.click()
  await mia.page.locator('#rename').click()
  for (const { page } of [mia, tom]) await page.locator('.seat-name').getByText('Mia').first().waitFor()
  await mia.page.locator('#stand-up').click()
  await mia.page.getByRole('heading', { name: 'Choose a seat' }).waitFor()
  await mia.page.getByText('This table plays Love Letter').waitFor()
  assert.equal(await mia.page.getByText('Back to the seat').count(), 0, 'that seat is left')
  await mia.page.getByRole('button', { name: /^Sit at/ }).first().click()
  await mia.page.locator('.connection[data-state="here"]').waitFor()
  assert.deepEqual([...mia.errors, ...tom.errors], [])
  await table.kill()
  await Promise.all([mia, tom].map(({ context }) => context.close()))
})

check('on a phone what happened lies above the own hand, and contents take half of a screen', async () => {
  const table = await lay(2, ['love-letter', '--players', '2', '--port', '0', '--seed', '3'])
  const people = await Promise.all(table.links.map(link => sit(link, { hasTouch: true, isMobile: true })))
  for (let at = 0; at < 4; at++) {
    for (const it of people) await move(it, 0)
    await people[0].page.waitForTimeout(200)
  }
  for (const { page } of people) {
    const [log, own] = await Promise.all(['.table > .log', '.table > .own'].map(it => page.locator(it).boundingBox()))
    assert.ok(log.y + log.height <= own.y + 1, JSON.stringify({ log, own }))
  }
  const { page } = people[0]
  await page.getByRole('button', { name: 'Rules' }).click()
  assert.ok((await page.locator('dialog .contents').boundingBox()).height < 422)
  await table.kill()
  await Promise.all(people.map(({ context }) => context.close()))
})

check('between two the game is over when one resigns, and both may go on or play again', async () => {
  const table = await lay(2, ['tic-tac-toe', '--names', 'Ann,Ben', '--port', '0'])
  const [ann, ben] = await Promise.all(table.links.map(link => sit(link)))
  await ann.page.getByRole('button', { name: /^b2/ }).click()
  await ben.page.locator('.company summary').click()
  const resign = async () => {
    await ben.page.locator('#resign').click()
    await ben.page.locator('#sure').click()
    for (const { page } of [ann, ben]) {
      await inSight(page, '.ended')
      assert.equal(await result(page), 'Ann wins by resignation')
      await page.locator('.log').getByText('Ben resigns').first().waitFor()
    }
    assert.equal(await ben.page.locator('.moves, #resign').count(), 0)
  }
  await resign()
  await ben.page.locator('#propose-undo').click()
  await ann.page.locator('#agree').click()
  await ben.page.locator('.moves').waitFor()
  await Promise.all([ann, ben].map(({ page }) => page.locator('.ended').waitFor({ state: 'detached' })))
  await resign()
  await ann.page.locator('#again').click()
  await ben.page.locator('#agree').click()
  await ben.page.locator('.result').waitFor({ state: 'detached' })
  assert.deepEqual([...ann.errors, ...ben.errors], [])
  await table.kill()
  await Promise.all([ann, ben].map(({ context }) => context.close()))
})

check('a server that is killed and opened again finds its players', async () => {
  const table = await lay(2, ['tic-tac-toe', '--names', 'Ann,Ben', '--port', '0'])
  const [ann, ben] = await Promise.all(table.links.map(link => sit(link)))
  await ann.page.getByRole('button', { name: /^b2/ }).click()
  await ben.page.locator('.moves').waitFor()
  await table.kill()
  await ben.page.getByText('No connection').waitFor()
  assert.equal(await ben.page.locator('.moves').count(), 0)
  const again = await lay(2, ['--resume'], table.state)
  assert.deepEqual(again.links, table.links)
  await ben.page.getByRole('button', { name: /^a1/ }).click()
  await ann.page.locator('.log').getByText('mark a1').waitFor()
  // Who closes the page is away, and comes back by the link.
  await ann.context.close()
  await ben.page.getByText('Waiting for Ann, who is away.').waitFor()
  const back = await sit(table.links[0])
  await back.page.locator('.moves').waitFor()
  await ben.page.getByText('Waiting for Ann.').waitFor()
  await back.page.evaluate(readFileSync(join(web, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8'))
  const { violations } = await back.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }))
  assert.deepEqual(violations.filter(it => ['serious', 'critical'].includes(it.impact)).map(it => it.id), [])
  await again.kill()
})

check('a screen in the middle of the table sees what all may see, and rules and log are one touch away', async () => {
  const table = await lay(3, ['love-letter', '--names', 'Ann,Ben,Cem', '--port', '0', '--seed', '3', '--clock', '10m'])
  const people = await Promise.all(table.links.map(link => sit(link)))
  const screen = await sit(table.everybody)
  await screen.page.getByRole('link', { name: 'Only watch' }).click()
  await screen.page.locator('.table').waitFor()
  assert.match(screen.page.url(), /#watch=[a-z]{8}$/)
  await screen.page.getByText(/Waiting for (Ann|Ben|Cem)\./).waitFor()
  assert.equal(await screen.page.locator('.moves, .company, #again').count(), 0)
  for (let at = 0; at < 40; at++) {
    for (const person of people) await move(person, at)
    await screen.page.waitForTimeout(25)
  }
  // The screen names a card in a hand only where every seat was told of it: when hands are compared, say.
  const views = ({ told }) => told.map(text => JSON.parse(text)).filter(it => it.news).map(it => it.news.view)
  const hands = person => new Set(views(person).flatMap(view => view.players.flatMap((things, at) => things.filter(thing => /hand/i.test(thing.title))
    .flatMap(thing => thing.elements.flatMap(it => it.value.members ?? [])).map(tag => `${at} ${tag.name}`))))
  assert.ok(views(screen).length > 3 && views(screen).every(view => view.head.viewer === null && view.actions.length === 0))
  const known = people.map(hands)
  for (const card of hands(screen)) assert.ok(known.every(seat => seat.has(card)), `the screen names ${card}`)
  const { page } = people[0]
  await page.getByRole('timer').getByText(/^Ann (9:\d\d|10:00)$/).waitFor()
  await inSight(page, '.clock')
  await page.getByRole('button', { name: 'Rules', exact: true }).click()
  const rules = page.getByRole('dialog', { name: 'Rules' })
  await rules.getByRole('navigation', { name: 'Contents' }).getByRole('button', { name: 'How it ends' }).click()
  const heading = await rules.getByRole('heading', { name: 'How it ends' }).boundingBox()
  assert.ok(heading.y >= 0 && heading.y < 844, `the heading is at ${heading.y}`)
  await page.keyboard.press('Escape')
  await rules.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Log', exact: true }).click()
  const log = page.getByRole('dialog', { name: 'Log' })
  await log.locator('li.move').nth(3).waitFor()
  await page.keyboard.press('Escape')
  await log.waitFor({ state: 'hidden' })
  assert.deepEqual([...people, screen].flatMap(({ errors }) => errors), [])
  await table.kill()
  await Promise.all([...people, screen].map(({ context }) => context.close()))
})

check('a link that opens no seat says so', async () => {
  const table = await lay(2, ['tic-tac-toe', '--port', '0'])
  const stranger = await sit(table.links[0].replace(/=.*/, '=00000000000000000000000000000000'))
  await stranger.page.getByText('This link opens no seat at this table.').waitFor()
  const lost = await sit(table.links[0].replace(/#.*/, ''))
  await lost.page.getByText('If you have a link to a seat, open that').waitFor()
  assert.deepEqual(lost.told, [])
  await table.kill()
})
