// An engine on a thread of its own: one message after the other.

interface Engine { memory: WebAssembly.Memory; reserve(bytes: number): number; answer(): number; address(): number }

const encoder = new TextEncoder()
const decoder = new TextDecoder()
let engine: Promise<Engine>

function ask(engine: Engine, message: string): string {
  const bytes = encoder.encode(message)
  const room = engine.reserve(bytes.length)
  new Uint8Array(engine.memory.buffer, room, bytes.length).set(bytes)
  const length = engine.answer()
  return decoder.decode(new Uint8Array(engine.memory.buffer, engine.address(), length))
}

self.onmessage = async ({ data }: MessageEvent) => {
  if (data.module) {
    engine = WebAssembly.instantiate(data.module as WebAssembly.Module, { env: { now: () => performance.now() } }).then(it => it.exports as unknown as Engine)
    return
  }
  try { self.postMessage({ id: data.id, answer: ask(await engine, data.message) }) } catch (error) { self.postMessage({ id: data.id, crash: String(error) }) }
}
