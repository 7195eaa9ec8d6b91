// The engine as a function that is asked and answers later.
import EngineWorker from './worker?worker&inline'
import type { Answers, Ask } from './model'

export interface Waiting { done: (value: never) => void; failed: (error: Error) => void }

/** Unpacks the engine that lies in the page. */
export async function unpack(): Promise<WebAssembly.Module> {
  const packed = document.getElementById('engine')!.textContent!
  const bytes = Uint8Array.from(atob(packed), letter => letter.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return WebAssembly.compileStreaming(new Response(stream, { headers: { 'content-type': 'application/wasm' } }))
}

/** A refusal of the engine, or its end. */
export class Refused extends Error {}

export class Engine {
  private worker: Worker
  private waiting = new Map<number, Waiting>()
  private next = 1

  constructor(private module: WebAssembly.Module) {
    this.worker = this.begin()
  }

  private begin(): Worker {
    const worker = new EngineWorker()
    worker.onmessage = ({ data }) => {
      const waiting = this.waiting.get(data.id)
      this.waiting.delete(data.id)
      if (data.crash) this.stop()
      if (data.crash) return waiting?.failed(new Refused(`the engine stopped: ${data.crash}`))
      const { ok, error } = JSON.parse(data.answer)
      if (error === undefined) waiting?.done(ok as never)
      else waiting?.failed(new Refused(error))
    }
    worker.postMessage({ module: this.module })
    return worker
  }

  ask<K extends Ask['ask']>(message: Ask & { ask: K }): Promise<Answers[K]> {
    const id = this.next++
    return new Promise((done, failed) => {
      this.waiting.set(id, { done: done as (value: never) => void, failed })
      this.worker.postMessage({ id, message: JSON.stringify(message) })
    })
  }

  /** Breaks off whatever it does. */
  stop(): void {
    this.worker.terminate()
    const waiting = [...this.waiting.values()]
    this.waiting.clear()
    this.worker = this.begin()
    waiting.forEach(({ failed }) => failed(new Refused('it was broken off')))
  }
}
