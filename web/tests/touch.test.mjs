// Everything drawn that a move names can be pressed: shown by the logic for every legal move, and by pressing only that.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { browser, fresh, open, server, shareBrowser, web } from './browser.mjs'
import { engine, moduleOf } from './engine.mjs'

const strangers = join(web, '..', '..', 'shared', 'strangers')
const BUNDLED = ['tice', 'elemento', 'card-dice', 'dice-realms', 'elemental-clash', 'love-letter', 'hearts', 'yahtzee']
const OTHERS = ['splendor', 'catan', 'quoridor', 'chess', 'hanabi']

/** What is not drawn, so that it is chosen from a list: numbers that people make up, and members that lie nowhere. */
const LISTED = {
  elemento: ['remove.line', 'remove.side', 'keep.line'], 'card-dice': ['bid.price', 'turn_up.price', 'change.n', 'put_back.c'],
  'dice-realms': ['defeat.n'], 'elemental-clash': ['attack.call', 'attack.mine', 'attack.theirs', 'revive.lost'],
  'love-letter': ['guard.guess'], quoridor: ['build.way'], chess: ['promote.into'], hanabi: ['value.v'],
}

shareBrowser()
/** How many games of each are played through in the engine. */
const games = Number(process.env.ASTRAGAL_TOUCH ?? 2)

function filesOf(game, ask) {
  if (BUNDLED.includes(game)) return ask({ ask: 'files', game })
  const main = join(strangers, `${game}.game`)
  if (!existsSync(main)) return null
  const text = readFileSync(main, 'utf8')
  const used = [...text.matchAll(/^use "([^"]+)"/gm)].map(it => [it[1], readFileSync(join(strangers, it[1]), 'utf8')])
  return [[`${game}.game`, text], ...used]
}

for (const game of [...BUNDLED, ...OTHERS]) {
  const isMissing = OTHERS.includes(game) && !existsSync(join(strangers, `${game}.game`))
  test(`every legal move of ${game} is made by pressing what is drawn`, { timeout: 300_000 * games, skip: isMissing && 'it is not here' }, async () => {
    const [ask, pick] = await Promise.all([engine(), moduleOf('table/pick.ts')])
    const files = filesOf(game, ask)
    ask({ ask: 'read', name: files[0][0], text: files[0][1], files: Object.fromEntries(files.slice(1)) })
    const listed = new Map()
    let all = 0
    for (let seed = 1; seed <= games; seed++) {
      const begun = ask({ ask: 'start', seed })
      assert.ok(begun.started, JSON.stringify(begun.findings[0]))
      let random = seed
      for (let step = 0; step < 250; step++) {
        while (ask({ ask: 'advance' }).made);
        const { view, over } = ask({ ask: 'look' })
        if (over) break
        const drawn = pick.drawnOf(view, pick.shownOf(view, false))
        const moves = pick.movesOf(view)
        for (const move of moves.length > 200 ? moves.filter((_, at) => (at + step) % 7 === 0) : moves) {
          all++
          let choice = pick.nothing()
          // Press what the move names and the table offers, until nothing of it is left.
          for (let press = 0; press < 12; press++) {
            const next = pick.open(moves, choice, drawn)
            const wanted = move.values.flatMap(value => value.members).find(tag => next.has(pick.keyOf(tag)) && count(choice, pick, tag) < copies(move, pick, tag))
            if (!wanted) break
            choice = pick.press(moves, choice, wanted)
          }
          const rest = pick.left(moves, choice)
          assert.ok(rest.includes(move), `${move.action.label} is lost`)
          move.values.forEach((value, at) => {
            const name = `${move.group.name}.${move.group.parameters[at].name}`
            const isPressed = value.members.length > 0 && value.members.every(tag => count(choice, pick, tag) > 0)
            // Where nothing else is left, there is nothing to press.
            const isSure = rest.every(it => it.group !== move.group || it.values[at].text === value.text)
            if (!isPressed && !isSure && !(value.members.length === 0 && pick.isSet(move.group, at))) listed.set(name, value.text)
          })
        }
        random = (random * 1103515245 + 12345) % 2147483648
        ask({ ask: 'act', words: moves[(random >> 8) % moves.length].action.label })
      }
    }
    const unexpected = [...listed].filter(([name]) => !(LISTED[game] ?? []).includes(name))
    assert.deepEqual(unexpected, [], `of ${all} moves`)
  })
}

const count = ({ picks }, pick, tag) => picks.filter(it => pick.keyOf(it) === pick.keyOf(tag)).length
const copies = (move, pick, tag) => move.values.flatMap(value => value.members).filter(it => pick.keyOf(it) === pick.keyOf(tag)).reduce((sum, it) => sum + it.copies, 0)

for (const game of [...BUNDLED, ...OTHERS]) {
  const isMissing = OTHERS.includes(game) && !existsSync(join(strangers, `${game}.game`))
  test(`a game of ${game} is played on the table`, { timeout: 600_000, skip: isMissing && 'it is not here' }, async () => {
    const { page, errors, context } = await fresh(browser)
    await page.goto(server.address)
    if (BUNDLED.includes(game)) await open(page, game)
    else {
      await page.waitForFunction(() => document.body.dataset.opened)
      await page.evaluate(() => { delete document.body.dataset.opened })
      const files = filesOf(game)
      await page.locator('.files input[type=file]').setInputFiles(files.map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })))
      await page.waitForFunction(() => document.body.dataset.opened)
      await page.waitForFunction(() => document.querySelector('.table') && !document.querySelector('.play[aria-busy="true"]'))
    }
    const { touched, listed } = await page.evaluate(async () => {
      const pause = () => new Promise(done => setTimeout(done, 0))
      let [touched, listed, random] = [0, 0, 11]
      for (let press = 0; press < 400; press++) {
        while (document.querySelector('.play[aria-busy="true"]')) await pause()
        if (document.querySelector('.result')) break
        const drawn = [...document.querySelectorAll('.table .open, .table .picked')].filter(it => it.getAttribute('role') === 'button' || it.tagName === 'BUTTON')
        const closing = [...document.querySelectorAll('.moves button.move.primary')]
        const buttons = [...document.querySelectorAll('.moves button.move')]
        const from = drawn.length === 0 ? buttons : random % 3 === 0 && closing.length > 0 ? closing : drawn.some(it => it.matches('.open')) ? drawn.filter(it => it.matches('.open')) : closing.length > 0 ? closing : buttons
        random = (random * 1103515245 + 12345) % 2147483648
        const target = from[(random >> 8) % from.length]
        if (!target) throw new Error(`nothing can be pressed: ${document.querySelector('.play').innerText}`)
        // Moves that name nothing are buttons; they are pressed now and then.
        const plain = buttons.filter(it => 'plain' in it.dataset)
        const other = plain.length > 0 && (random >> 4) % 4 === 0 ? plain[(random >> 8) % plain.length] : target
        other.closest('.table') ? touched++ : listed++
        other.dispatchEvent(new MouseEvent('click', { bubbles: true }))
      }
      return { touched, listed }
    })
    assert.deepEqual(errors, [])
    assert.ok(touched > (game === 'tice' ? 0 : listed / 8), `${touched} presses on the table, ${listed} buttons`)
    await context.close()
  })
}

test('what a move takes from the own seat is pressed there alone, and a card in hand for the move of its name', async () => {
  const { mineOf, facesOf } = await moduleOf('table/pick.ts')
  const tag = name => ({ kind: 'Card', name, title: name, short: '', colours: [], copies: 1 })
  const pile = (title, names, count = names.length) => ({ title, form: 'pile', grid: [], elements: [{ index: [], value: { count, members: names.map(tag) } }] })
  const group = (name, ...parameters) => ({ name, parameters: parameters.map(names => ({ values: names.map(it => ({ members: [tag(it)] })) })) })
  const view = {
    head: { viewer: 0 },
    players: [[pile('played', ['guard', 'king']), pile('hand', ['guard', 'rose'])], [pile('played', ['rose', 'king']), pile('hand', [], 2)]],
    actions: [group('guard'), group('king'), group('lay', ['guard', 'rose']), group('steal', ['king', 'prince'])],
  }
  assert.deepEqual([...mineOf(view, () => true)], ['Card guard', 'Card rose'])
  const faces = facesOf(view, () => true)
  assert.deepEqual(faces.map(({ names }) => [...names]), [['king'], ['guard']])
})
