// The engine without a browser: it is asked and answers at once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { web } from './browser.mjs'

export async function engine() {
  const module = readFileSync(join(web, 'dist', 'engine.wasm'))
  const { exports } = (await WebAssembly.instantiate(module, { env: { now: () => performance.now() } })).instance
  return message => {
    const bytes = new TextEncoder().encode(JSON.stringify(message))
    const room = exports.reserve(bytes.length)
    new Uint8Array(exports.memory.buffer, room, bytes.length).set(bytes)
    const length = exports.answer()
    const { ok, error } = JSON.parse(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.address(), length)))
    if (error !== undefined) throw new Error(error)
    return ok
  }
}

/** A module of the page that needs no browser. */
export async function moduleOf(path) {
  const { code } = await transform(readFileSync(join(web, 'src', path), 'utf8'), { loader: 'ts', format: 'esm' })
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}
