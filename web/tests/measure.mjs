// Numbers of docs/performance.md: the size of the engine, the first table, a keystroke on card-dice.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fresh, launch, open, serve, web } from './browser.mjs'

const median = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
const high = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * 0.95)]
const size = file => (statSync(join(web, 'dist', file)).size / 1e6).toFixed(2)

console.log(`engine: ${size('engine.wasm')} MB, ${size('engine.gz')} MB compressed; page in one file: ${size('index.html')} MB`)
const server = await serve()
const browser = await launch()
const tables = []
for (let run = 0; run < 7; run++) {
  const { page, context } = await fresh(browser)
  await page.goto(server.address)
  await page.locator('.table').waitFor()
  tables.push(await page.evaluate(() => performance.now()))
  await context.close()
}
console.log(`first table: ${median(tables).toFixed(0)} ms (of ${tables.length} visits, the slowest ${Math.max(...tables).toFixed(0)})`)

const { page } = await fresh(browser)
await page.goto(server.address)
await open(page, 'card-dice')
await page.locator('.cm-content').click()
await page.keyboard.press('Control+Home')
const keys = []
for (const letter of '# a remark that is typed key by key, slowly ') {
  await page.evaluate(() => {
    globalThis.answered = new Promise(done => {
      addEventListener('keydown', () => {
        const start = performance.now()
        const watch = new MutationObserver(() => {
          watch.disconnect()
          done(performance.now() - start)
        })
        watch.observe(document.body, { attributes: true, attributeFilter: ['data-checked'] })
      }, { once: true, capture: true })
    })
  })
  await page.keyboard.type(letter)
  keys.push(await page.evaluate(() => globalThis.answered))
  await page.waitForTimeout(400)
}
console.log(`a keystroke on card-dice: ${median(keys).toFixed(0)} ms, nine of ten below ${high(keys).toFixed(0)} ms`)
await browser.close()
server.close()
