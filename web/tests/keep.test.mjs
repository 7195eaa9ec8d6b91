// Nothing that people wrote or played is lost: reloads, tabs, links, files, other games, whatever the moment.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { aMove, browser, fresh, launchProfile, open, renewed, server, shareBrowser } from './browser.mjs'

shareBrowser()

/** At how many random moments the page is reloaded, closed, killed or left. */
const moments = Number(process.env.ASTRAGAL_MOMENTS ?? 24)

const check = (name, act) => test(name, { timeout: 600_000 + moments * 5000 }, act)

async function visit(context) {
  const it = context ? { context, page: await context.newPage(), errors: [] } : await fresh(browser)
  it.page.on('pageerror', error => it.errors.push(String(error)))
  await it.page.goto(server.address)
  await opened(it.page)
  return it
}

const opened = page => page.waitForFunction(() => document.body.dataset.opened)
const saved = page => page.waitForFunction(() => document.body.dataset.saved === 'true')
const steps = page => page.locator('.timeline .step').innerText()
const reload = async page => { await page.reload(); await opened(page) }
const title = page => page.locator('#projects').innerText()

/** The whole text of the file that is shown: the editor draws only the lines in sight. */
const text = page => page.evaluate(() => document.querySelector('.cm-content').cmTile?.view.state.doc.toString() ?? document.querySelector('.cm-content').cmView.view.state.doc.toString())

async function type(page, words) {
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(words)
}

async function move(page) {
  // What was found may be drawn elsewhere when it is pressed.
  const press = async (tries = 10) => {
    try {
      await (await aMove(page)).click({ timeout: 5000 })
    } catch (error) {
      if (tries === 0) throw error
      await press(tries - 1)
    }
  }
  do await renewed(page, () => press())
  while (await page.locator('.begun').count() > 0)
}

const shelf = async (page, act) => {
  await page.locator('#projects').click()
  await page.locator('dialog.shelf[open]').waitFor()
  await act(page.locator('dialog.shelf'))
}
const settled = page => page.waitForFunction(() => !document.querySelector('.play[aria-busy="true"]'))

check('after a link was copied, what is written and played still comes back', async () => {
  const { page, context } = await visit()
  await open(page, 'tic-tac-toe')
  await page.locator('#share summary').click()
  await page.locator('#copy-link').click()
  await page.waitForFunction(() => document.getElementById('link').value)
  assert.ok(!page.url().includes('#'))
  await type(page, '\n# written after the link')
  await renewed(page, () => page.getByRole('button', { name: /^b2/ }).click())
  const before = await steps(page)
  await reload(page)
  assert.match(await text(page), /# written after the link$/)
  assert.equal(await steps(page), before)
  await context.close()
})

check('a link opens as a copy and leaves the address, and what was there stays', async () => {
  const { page, context } = await visit()
  await open(page, 'nim')
  await page.locator('#share summary').click()
  await page.locator('#copy-link').click()
  await page.waitForFunction(() => document.getElementById('link').value)
  const address = await page.inputValue('#link')
  await open(page, 'pig')
  await type(page, '\n# my own pig')
  await page.evaluate(() => { delete document.body.dataset.opened })
  await page.goto(address)
  await opened(page)
  await page.waitForFunction(() => /Nim/.test(document.getElementById('projects').textContent))
  assert.ok(!page.url().includes('#g='))
  await type(page, '\n# written into the copy')
  await reload(page)
  assert.match(await text(page), /# written into the copy$/)
  await shelf(page, dialog => dialog.locator('li[data-project="Pig"] .title').click())
  await page.waitForFunction(() => /Pig/.test(document.getElementById('projects').textContent))
  assert.match(await text(page), /# my own pig$/)
  await context.close()
})

check('another game replaces nothing: each is a project of its own', async () => {
  const { page, context } = await visit()
  await open(page, 'pig')
  await type(page, '\n# my own pig')
  await open(page, 'nim')
  await open(page, 'pig')
  assert.doesNotMatch(await text(page), /my own pig/, 'a changed one is not taken for the bundled one')
  await shelf(page, async dialog => {
    assert.equal(await dialog.locator('li[data-project="Pig"]').count(), 2)
    await dialog.locator('li[data-project="Pig"] .title').nth(1).click()
  })
  await page.waitForTimeout(300)
  await opened(page)
  const texts = [await text(page)]
  await shelf(page, dialog => dialog.locator('li[data-project="Pig"]:not(.on) .title').click())
  await page.waitForTimeout(300)
  texts.push(await text(page))
  assert.ok(texts.some(it => /# my own pig$/.test(it)))
  await context.close()
})

check('two tabs of one project agree, and none overwrites the other', async () => {
  const { page, context, errors } = await visit()
  await open(page, 'nim')
  await saved(page)
  const other = await visit(context)
  assert.match(await title(other.page), /Nim/)
  await page.bringToFront()
  await type(page, '\n# from the first tab')
  await other.page.waitForFunction(() => /# from the first tab/.test(document.querySelector('.cm-content').innerText))
  await other.page.bringToFront()
  await other.page.locator('.cm-content').click()
  await other.page.keyboard.press('Control+Home')
  await other.page.keyboard.type('# from the second tab\n')
  await page.waitForFunction(() => /# from the second tab/.test(document.querySelector('.cm-content').innerText))
  assert.equal(await text(page), await text(other.page))
  await page.bringToFront()
  await move(page)
  // A bot may answer meanwhile.
  let made = await steps(page)
  for (let tries = 0; tries < 200 && await steps(other.page) !== made; tries++) {
    await page.waitForTimeout(100)
    made = await steps(page)
  }
  await reload(other.page)
  assert.equal(await steps(other.page), made)
  assert.deepEqual([...errors, ...other.errors], [])
  await context.close()
})

check('a new game or another bot does not throw the game away', async () => {
  const { page, context } = await visit()
  await open(page, 'pig')
  await move(page)
  await move(page)
  const before = await steps(page)
  await page.locator('.sitting summary').click()
  await renewed(page, () => page.locator('.settings select').nth(2).selectOption('greedy'))
  const later = await steps(page)
  assert.ok(parseInt(later, 10) >= parseInt(before, 10), `another bot goes on: ${before}, then ${later}`)
  await renewed(page, () => page.locator('#new-game').click())
  await saved(page)
  await reload(page)
  await shelf(page, async dialog => {
    await dialog.locator('li.on .past summary').click()
    await dialog.locator('li[data-past="game"] button').first().click()
  })
  await page.waitForFunction(later => document.querySelector('.timeline .step')?.textContent === later, later)
  await context.close()
})

check('a reload while the rules have an error keeps the game and the table', async () => {
  const { page, context } = await visit()
  await open(page, 'tic-tac-toe')
  await renewed(page, () => page.getByRole('button', { name: /^b2/ }).click())
  const before = await steps(page)
  await type(page, '\nrule broken(')
  await page.locator('.write .status.wrong').waitFor()
  await reload(page)
  assert.equal(await steps(page), before)
  await page.getByText('this table is of the last file without').waitFor()
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+End')
  for (const _ of 'rule broken()') await page.keyboard.press('Backspace')
  await page.waitForFunction(() => document.body.dataset.followed)
  assert.equal(await steps(page), before)
  await context.close()
})

check('a change that the moves do not fit keeps them, also after a reload', async () => {
  const { page, context } = await visit()
  await open(page, 'tic-tac-toe')
  await renewed(page, () => page.getByRole('button', { name: /^b2/ }).click())
  const before = await steps(page)
  const rounds = () => page.evaluate(() => document.body.dataset.followed ?? '')
  const changed = async act => { const was = await rounds(); await act(); await page.waitForFunction(was => (document.body.dataset.followed ?? '') !== was, was); await settled(page) }
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find' }).pressSequentially('mark(')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await changed(() => page.keyboard.type('put('))
  assert.match(await steps(page), /^0 /)
  await saved(page)
  await reload(page)
  assert.match(await steps(page), /^0 /)
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find' }).pressSequentially('put(')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await changed(() => page.keyboard.type('mark('))
  assert.equal(await steps(page), before)
  await context.close()
})

check('a downloaded page remembers what is changed in it', async () => {
  const { page, context } = await visit()
  await open(page, 'pig')
  await page.locator('#share summary').click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save-page').click()])
  const file = join(mkdtempSync(join(tmpdir(), 'astragal-page-')), 'game.html')
  writeFileSync(file, readFileSync(await download.path()))
  await page.goto(`file://${file}`)
  await opened(page)
  await type(page, '\n# at home')
  await move(page)
  const before = await steps(page)
  await reload(page)
  assert.match(await text(page), /# at home$/)
  assert.equal(await steps(page), before)
  await context.close()
})

check('projects are made from templates, renamed, copied, varied, deleted and brought back', async () => {
  const { page, context, errors } = await visit()
  for (const [template, words] of [['', 'Blank one'], ['pig', 'Dice "one"'], ['go-fish', 'Cards one'], ['tic-tac-toe', 'Board one'], ['yahtzee', 'Rolls one']]) {
    await page.evaluate(() => { delete document.body.dataset.opened })
    await shelf(page, async dialog => {
      await dialog.locator('#new-title').fill(words)
      await dialog.locator('#template').selectOption(template)
      await dialog.locator('#create').click()
    })
    await opened(page)
    assert.match(await text(page), new RegExp(`^(game|variant) "${words.replaceAll('"', '')}"`, 'm'))
    assert.equal(await page.locator('.write .status.wrong').count(), 0)
    assert.equal(await page.locator('.tests li').count(), 0, 'a new game has no tests of another one')
    await page.locator('.moves button.move').first().waitFor()
  }
  page.once('dialog', dialog => dialog.accept('Rolled'))
  await shelf(page, dialog => dialog.locator('li.on').getByRole('button', { name: 'Rename' }).click())
  await page.waitForFunction(() => /Rolled/.test(document.getElementById('projects').textContent))
  assert.match(await text(page), /^game "Rolled"/m)
  await page.evaluate(() => { delete document.body.dataset.opened })
  await page.locator('dialog.shelf li.on').getByRole('button', { name: 'Make a variant' }).click()
  await opened(page)
  assert.match(await text(page), /^variant "A variant" of "/m)
  await page.locator('.moves button.move').first().waitFor()
  // The base is there to be read and changed.
  await page.locator('.files .file').nth(1).click()
  assert.match(await text(page), /^game "Rolled"/m)
  await page.evaluate(() => { delete document.body.dataset.opened })
  await shelf(page, dialog => dialog.locator('li.on').getByRole('button', { name: 'Delete' }).click())
  await opened(page)
  assert.doesNotMatch(await title(page), /variant/)
  await page.locator('#close-projects').click()
  await page.evaluate(() => { delete document.body.dataset.opened })
  await page.locator('.said').getByRole('button', { name: 'Undo' }).click()
  await opened(page)
  assert.match(await title(page), /variant/)
  assert.deepEqual(errors, [])
  await context.close()
})

check('files are opened, dropped, saved and removed with a way back', async () => {
  const { page, context } = await visit()
  await open(page, 'nim')
  const given = (name, words) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(words) })
  await page.locator('.files input[type=file]').setInputFiles([given('mine.script', 'game nim\n')])
  await page.locator('.files select.on').waitFor()
  await page.locator('.files input[type=file]').setInputFiles([given('mine.script', 'game nim\n# another one\n')])
  await page.waitForFunction(() => [...document.querySelectorAll('.files select option')].some(it => it.value === 'mine-2.script'))
  assert.deepEqual(await page.locator('.files select option').allInnerTexts().then(it => it.filter(name => /^mine/.test(name))), ['mine-2.script', 'mine.script'])
  await page.locator('.files .menu summary').click()
  await page.getByRole('button', { name: 'Remove this file' }).click()
  await page.locator('.said').getByRole('button', { name: 'Undo' }).click()
  await page.waitForFunction(() => [...document.querySelectorAll('.files select option')].some(it => it.value === 'mine.script'))
  const [download] = await Promise.all([page.waitForEvent('download'), page.evaluate(() => { delete globalThis.showSaveFilePicker }).then(() => page.keyboard.press('Control+s'))])
  assert.match(download.suggestedFilename(), /\.(game|script)$/)
  await page.evaluate(() => { delete document.body.dataset.opened })
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.items.add(new File(['game "Dropped" { players 2 }\n\nplay {\n  finish draw\n}\n'], 'dropped.game'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
  })
  await opened(page)
  assert.match(await title(page), /Dropped/)
  await context.close()
})

check('what was counted in the lab stays when it is stopped', async () => {
  const { page, context } = await visit()
  await open(page, 'card-dice')
  await page.getByRole('tab', { name: 'Lab' }).click()
  await page.getByRole('button', { name: /Play 1,000 games/ }).click()
  await page.locator('.lab .results').first().waitFor({ timeout: 60000 })
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.locator('.lab').getByText('Broken off').waitFor()
  assert.ok(await page.locator('.lab .results').count() > 0)
  await context.close()
})

check('a journal that comes back after it was thrown away takes nothing back', async () => {
  const { page, context } = await visit()
  await open(page, 'nim')
  await type(page, '\n# first')
  await saved(page)
  // Each change stands in the journal before it is in the database.
  await page.evaluate(() => {
    const put = Storage.prototype.setItem
    Storage.prototype.setItem = function (key, text) {
      put.call(this, key, text)
      if (key.startsWith('astragal/')) globalThis.journal = [key, text]
    }
  })
  await move(page)
  await saved(page)
  const journal = await page.evaluate(() => globalThis.journal)
  await move(page)
  await move(page)
  await saved(page)
  const made = await steps(page)
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), journal)
  await reload(page)
  assert.equal(await steps(page), made)
  await context.close()
})

check('what was typed in one project does not begin another one anew', async () => {
  const { page, context } = await visit()
  await open(page, 'tic-tac-toe')
  await type(page, '\n# more')
  await page.evaluate(() => { delete document.body.dataset.opened })
  await page.selectOption('#games', 'nim')
  await opened(page)
  await page.evaluate(() => document.querySelector('.table').setAttribute('data-old', ''))
  // The table follows when the keys rested for a quarter of a second.
  await page.waitForTimeout(1000)
  assert.equal(await page.locator('.table[data-old]').count(), 1)
  await context.close()
})

check('a number that is being typed stays when the table is drawn anew', async () => {
  const { page, context } = await visit()
  await open(page, 'nim')
  await page.locator('.sitting summary').click()
  const seed = page.getByLabel('Seed', { exact: true })
  await seed.fill('5')
  await renewed(page, () => page.evaluate(() => document.getElementById('new-game').click()))
  assert.equal(await seed.inputValue(), '5')
  // What is half typed begins no game: only Enter does.
  await page.waitForTimeout(500)
  await renewed(page, () => page.keyboard.press('Enter'))
  await page.locator('.sitting summary').focus()
  await renewed(page, async () => (await aMove(page)).click())
  assert.equal(await seed.inputValue(), '5')
  await context.close()
})

check(`at ${moments} random moments nothing is lost`, async () => {
  const profile = mkdtempSync(join(tmpdir(), 'astragal-profile-'))
  let random = 20261128
  const next = below => {
    random = (random * 1103515245 + 12345) % 2147483648
    return (random >> 8) % below
  }
  let { context, kill } = await launchProfile(profile)
  let page = await context.newPage()
  await page.goto(server.address)
  await opened(page)
  await open(page, 'tic-tac-toe')
  await page.locator('#share summary').click()
  await page.locator('#copy-link').click()
  await page.waitForFunction(() => document.getElementById('link').value)
  const address = await page.inputValue('#link')
  await page.keyboard.press('Escape')
  const id = await page.evaluate(() => sessionStorage.getItem('astragal-open'))
  let written = await text(page)
  let made = await steps(page)
  const back = async () => {
    page = await context.newPage()
    await page.goto(server.address)
    await opened(page)
  }
  /** The project of this test, whatever is open now. */
  const come = async () => {
    if (await page.evaluate(() => sessionStorage.getItem('astragal-open')) === id) return
    await page.evaluate(id => { sessionStorage.setItem('astragal-open', id); delete document.body.dataset.opened }, id)
    await reload(page)
  }
  for (let moment = 0; moment < moments; moment++) {
    const word = `\n# ${moment}`
    const what = next(6)
    const pause = next(120)
    // A letter is written when it stands in the editor, a move is made when the table shows it.
    await type(page, word)
    if (next(2) === 0) {
      await settled(page)
      const [result] = await Promise.all([page.locator('.result').count()])
      await renewed(page, () => (result > 0 ? page.locator('#new-game') : page.locator('.moves button.move').nth(next(3) % 3)).click())
    }
    written = await text(page)
    made = await steps(page)
    await page.waitForTimeout(pause)
    if (what === 0) await reload(page)
    else if (what === 1) {
      await page.close({ runBeforeUnload: false })
      await back()
    } else if (what === 2) {
      // The whole browser dies; what it says is saved is there.
      await saved(page)
      await kill()
      ;({ context, kill } = await launchProfile(profile))
      await back()
    } else if (what === 3) {
      const other = page
      await back()
      await come()
      await other.close()
    } else if (what === 4) {
      await page.evaluate(() => { delete document.body.dataset.opened })
      await page.goto(address)
      await opened(page)
      await page.waitForFunction(() => !location.hash)
    } else await open(page, ['nim', 'pig'][next(2)])
    await come()
    assert.equal(await text(page), written, `moment ${moment}, ${what}`)
    assert.equal(await steps(page), made, `moment ${moment}, ${what}`)
  }
  await kill()
})
