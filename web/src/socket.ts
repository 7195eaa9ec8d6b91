// A table elsewhere as a function that is asked and answers later; it also tells what happens there.
import { Refused, type Waiting } from './engine'
import type { Ask, SeatAnswers, Told } from './model'
import type { RoomAsk, RoomNews } from './room'

export type State =
  | { is: 'joining' }
  | { is: 'here' }
  | { is: 'away'; reason: string; seconds: number }
  /** The link opens nothing, at least now: another table may come back at this address. */
  | { is: 'refused'; reason: string }

export interface Listener {
  told(told: Told): void
  /** Which seats somebody sits at. */
  here(seats: boolean[]): void
  /** Who sits where, and what is proposed. */
  room(room: RoomNews): void
  /** The time that seats have left. */
  clock?(clock: Clock): void
  state(state: State): void
}

const FIRST_PAUSE = 500
const LONGEST_PAUSE = 20_000
/** After so long a link that opened nothing is tried again. */
const REFUSED_PAUSE = 15_000
/** A table that does not answer for so long is taken for gone. */
const PATIENCE = 10_000

/** How a page comes in: with the link to a seat, or with the word of the table. */
export type Greeting = { ask: 'sit'; token: string } | { ask: 'enter' | 'watch'; word: string }

/** The milliseconds of each seat, and whose run. */
export interface Clock { left: number[]; runs: number | null }

/** The server closes with this code if the link opens nothing. */
const NO_SEAT = 4001

export class Socket {
  private socket: WebSocket | null = null
  private waiting: Waiting[] = []
  private pause = FIRST_PAUSE
  private timer = 0
  private reason = ''
  private isRefused = false

  constructor(private address: string, private greeting: Greeting, private listener: Listener) {
    addEventListener('online', () => this.hurry())
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.wake() })
    this.join()
  }

  /** The table answers in the order of the questions. */
  ask = <K extends keyof SeatAnswers>(message: Ask & { ask: K }) => this.say<SeatAnswers[K]>(message)

  /** The same about the room. */
  askRoom = <T>(message: RoomAsk) => this.say<T>(message)

  private say<T>(message: object): Promise<T> {
    return new Promise((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) return failed(new Refused('there is no connection to the table'))
      this.waiting.push({ done: done as (value: never) => void, failed })
      this.socket.send(JSON.stringify(message))
    })
  }

  /** A device that slept may hold a connection that is no more: looks whether the table answers. */
  private wake(): void {
    const socket = this.socket
    if (socket?.readyState !== WebSocket.OPEN) return this.hurry()
    const timer = setTimeout(() => {
      if (socket !== this.socket) return
      socket.close()
      this.leave(0, '')
    }, PATIENCE)
    this.ask({ ask: 'look' }).then(told => this.listener.told(told), () => {}).finally(() => clearTimeout(timer))
  }

  /** Comes back at once, where it waits to do so. */
  hurry(): void {
    if (this.socket) return
    clearTimeout(this.timer)
    this.pause = FIRST_PAUSE
    this.join()
  }

  private join(): void {
    if (!this.isRefused) this.listener.state({ is: 'joining' })
    const socket = new WebSocket(this.address)
    this.socket = socket
    this.reason = ''
    socket.onopen = () => socket.send(JSON.stringify(this.greeting))
    socket.onmessage = ({ data }) => { if (socket === this.socket) this.hear(JSON.parse(data)) }
    socket.onclose = ({ code, reason }) => { if (socket === this.socket) this.leave(code, reason || this.reason) }
  }

  private hear(message: { news?: Told; here?: boolean[]; room?: RoomNews; clock?: Clock; ok?: unknown; error?: string }): void {
    if (message.news || message.room) {
      this.pause = FIRST_PAUSE
      this.listener.state({ is: 'here' })
    }
    if (message.news) this.listener.told(message.news)
    else if (message.here) this.listener.here(message.here)
    else if (message.room) this.listener.room(message.room)
    else if (message.clock) this.listener.clock?.(message.clock)
    else {
      const waiting = this.waiting.shift()
      if (message.error === undefined) waiting?.done(message.ok as never)
      else if (waiting) waiting.failed(new Refused(message.error))
      else this.reason = message.error
    }
  }

  private leave(code: number, reason: string): void {
    this.socket = null
    const waiting = this.waiting
    this.waiting = []
    this.isRefused = code === NO_SEAT
    if (this.isRefused) {
      this.timer = window.setTimeout(() => this.join(), REFUSED_PAUSE)
      this.listener.state({ is: 'refused', reason })
    } else {
      // Pages that lost the same server do not all come back at the same moment.
      const pause = this.pause * (0.75 + Math.random() / 2)
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE)
      this.listener.state({ is: 'away', reason, seconds: Math.ceil(pause / 1000) })
      this.timer = window.setTimeout(() => this.join(), pause)
    }
    waiting.forEach(({ failed }) => failed(new Refused('the connection to the table was lost')))
  }
}
