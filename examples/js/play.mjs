// Plays a game at random: `node examples/js/play.mjs FILE [ENGINE]`. `npm run engine` in web builds the engine.
import { readFileSync } from 'node:fs'

const [path, engine = new URL('../../web/dist/engine.wasm', import.meta.url)] = process.argv.slice(2)
const { instance } = await WebAssembly.instantiate(readFileSync(engine), { env: { now: () => Date.now() } })
const { memory, reserve, answer, address } = instance.exports

/** Asks the engine: a message goes in through its memory, and the answer comes out in the same place. */
function ask(message) {
  const bytes = new TextEncoder().encode(JSON.stringify(message))
  // Memory may grow, and then has another buffer.
  const room = reserve(bytes.length)
  new Uint8Array(memory.buffer, room, bytes.length).set(bytes)
  const length = answer()
  const { ok, error } = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, address(), length)))
  if (error) throw new Error(error)
  return ok
}

ask({ ask: 'read', name: path, text: readFileSync(path, 'utf8'), files: {} })
ask({ ask: 'start' })
for (;;) {
  const { view, needs_person: asked, over } = ask({ ask: 'look' })
  if (over) {
    view.seats.forEach(seat => console.log(seat.name, seat.status))
    break
  }
  // Bots and moves without a choice need nobody.
  const moves = view.actions.flatMap(group => group.actions)
  if (!asked) ask({ ask: 'advance' })
  else ask({ ask: 'act', words: moves[Math.floor(Math.random() * moves.length)].label })
}
