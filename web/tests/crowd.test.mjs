// Four people at one table of a game with secrets, whose server is killed in the middle.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { launch, web } from './browser.mjs'
import { lacking, lay, playOn, sitDown } from './table.mjs'

const strangers = join(web, '..', '..', 'shared', 'strangers')
let browser

before(async () => {
  if (!lacking()) browser = await launch()
})
after(() => browser?.close())

/** What must be face down for a seat: in Hanabi the own cards, in Catan what others bought unseen. */
const HIDDEN = {
  hanabi: { title: /^card at/i, isHidden: (of, viewer) => of === viewer },
  catan: { title: /^(development|bought)/i, isHidden: (of, viewer) => of !== viewer },
}

/** The cards in sight that the view of a seat shows of hidden hands. */
function disclosed(told, viewer, { title, isHidden }) {
  const views = told.map(text => JSON.parse(text)).filter(it => it.news).map(it => it.news.view)
  assert.ok(views.length > 0 && views.every(view => view.head.viewer === viewer))
  const hands = views.flatMap(view => view.players.flatMap((things, of) => isHidden(of, viewer) ? things.filter(thing => title.test(thing.title)) : []))
  return hands.flatMap(hand => hand.elements).flatMap(element => element.value.members ?? [])
}

for (const game of ['hanabi', 'catan']) {
  const file = join(strangers, `${game}.game`)
  const skip = lacking() || !existsSync(file) && 'it is not here'
  test(`four pages play ${game}, and go on when the server was killed`, { timeout: 600_000, skip }, async () => {
    const names = ['--names', 'Ann,Ben,Cem,Dee']
    const table = await lay(4, [file, ...names, '--port', '0', '--seed', '5'])
    const people = await Promise.all(table.links.map(link => sitDown(browser, link)))
    await Promise.all(people.map(({ page }) => page.locator('.connection[data-state="here"]').waitFor()))
    const step = person => Math.max(...person.told.map(text => JSON.parse(text)).map(it => it.news?.step ?? 0))
    for (let round = 0; round < 90 && step(people[0]) < 4; round++) await playOn(people, 3 + round, 2)
    assert.ok(step(people[0]) >= 4, `${step(people[0])} moves were made`)
    await table.kill()
    await Promise.all(people.map(({ page }) => page.getByText('No connection').waitFor()))
    const last = () => Promise.all(people.map(async ({ page }) => (await page.locator('.log').first().innerText()).split('\n').at(-1)))
    const before = await last()
    const again = await lay(4, ['--resume'], table.state)
    assert.deepEqual(again.links, table.links)
    await Promise.all(people.map(({ page }) => page.locator('.connection[data-state="here"]').waitFor()))
    assert.deepEqual(await last(), before)
    await playOn(people, 4, 60)
    for (const [viewer, person] of people.entries()) {
      assert.deepEqual(disclosed(person.told, viewer, HIDDEN[game]), [])
      assert.deepEqual(person.errors.filter(error => !/WebSocket|ERR_CONNECTION/.test(error)), [])
    }
    const waits = people.flatMap(({ waits }) => waits).toSorted((a, b) => a - b)
    console.log(`${game}: ${waits.length} moves, answered after ${waits[waits.length >> 1]} ms (median)`)
    await again.kill()
    await Promise.all(people.map(({ context }) => context.close()))
  })
}
