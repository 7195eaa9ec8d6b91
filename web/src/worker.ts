// An engine on a thread of its own: one message after the other.

interface Engine { memory: WebAssembly.Memory; reserve(bytes: number): number; answer(): number; address(): number }

const encoder = new TextEncoder()
const decoder = new TextDecoder()
let engine: Promise<Engine>

async function begin(module: WebAssembly.Module): Promise<Engine> {
  const instance = await WebAssembly.instantiate(module, { env: { now: () => performance.now() } })
  return instance.exports as unknown as Engine
}

function ask(engine: Engine, message: string): string {
  const bytes = encoder.encode(message)
  const room = engine.reserve(bytes.length)
  new Uint8Array(engine.memory.buffer, room, bytes.length).set(bytes)
  const length = engine.answer()
  return decoder.decode(new Uint8Array(engine.memory.buffer, engine.address(), length))
}

self.onmessage = async ({ data }: MessageEvent) => {
  if (data.module) {
    engine = begin(data.module)
    return
  }
  try {
    self.postMessage({ id: data.id, answer: ask(await engine, data.message) })
  } catch (error) {
    self.postMessage({ id: data.id, crash: String(error) })
  }
}
