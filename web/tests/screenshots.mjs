// Pictures of the designs in play at the width of a phone and of a laptop, and of a seat: web/screenshots.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fresh, launch, open, renewed, serve, web } from './browser.mjs'
import { lacking, lay } from './table.mjs'

const folder = process.argv[2] ?? join(web, 'screenshots')
mkdirSync(folder, { recursive: true })
const server = await serve()
const browser = await launch()
const only = process.argv[3]?.split(',')

for (const game of ['tice', 'elemento', 'card-dice', 'dice-realms', 'elemental-clash']) {
  if (only && !only.includes(game)) continue
  for (const [width, height, scheme] of [[1280, 800, 'light'], [390, 844, 'dark']]) {
    const { page, context } = await fresh(browser, { viewport: { width, height }, colorScheme: scheme })
    await page.goto(server.address)
    await open(page, game, 4)
    for (let press = 0; press < 24; press++) {
      const buttons = page.locator('.moves button.move:visible, .table .open[role=button]:visible')
      const count = await buttons.count()
      if (count === 0) break
      await renewed(page, () => buttons.nth((press * 7) % count).dispatchEvent('click'))
    }
    // Where a game is over soon, its middle says more.
    if (await page.locator('.result').count() > 0) {
      await page.locator('#undo').click()
      await page.locator('.moves').waitFor()
    }
    await page.mouse.move(0, 0)
    await page.screenshot({ path: join(folder, `${game}-${width}.jpg`), type: 'jpeg', quality: 76 })
    await context.close()
  }
}
if (lacking()) console.log(`no picture of a seat: ${lacking()}`)
else if (!only || only.includes('seat')) {
  const table = await lay(2, ['love-letter', '--names', 'Ann,Ben', '--port', '0', '--seed', '3'])
  const people = await Promise.all(table.links.map(link => fresh(browser, { viewport: { width: 390, height: 844 }, colorScheme: 'light' }).then(async it => {
    await it.page.goto(link)
    await it.page.locator('.connection[data-state="here"]').waitFor()
    return it
  })))
  for (let press = 0; press < 5; press++) {
    const [asked] = await Promise.race(people.map(it => it.page.locator('.moves').waitFor().then(() => [it])))
    await asked.page.locator('.moves button.move:visible, .table .open[role=button]:visible').first().dispatchEvent('click')
    await asked.page.locator('.play[aria-busy="false"]').waitFor()
  }
  const asked = await Promise.race(people.map(it => it.page.locator('.moves').waitFor().then(() => it)))
  await asked.page.screenshot({ path: join(folder, 'seat-390.jpg'), type: 'jpeg', quality: 76 })
  await table.kill()
}
await browser.close()
server.close()
