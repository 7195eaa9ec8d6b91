// The page of one seat at a table elsewhere: the table, what happened, and the moves of this seat.
import './style.css'
import { folded, h, keep, kept, listenToKeys, openDialog, redraw } from './dom'
import { ASKED, askWord, drawDoor, drawInvitation, drawProposal, drawRoom, goToSeat, isBotAt, type Invitation, type RoomAsk, type RoomNews } from './room'
import { markdown } from './markdown'
import { Socket, type Clock, type Greeting, type State } from './socket'
import { DrawnTable, drawLog, type Table } from './table/table'
import type { Told } from './model'

/** How a turn is announced, and what else may disturb; each can be off, and stays so on this device. */
const SIGNALS = ['sound', 'vibration', 'motion', 'mark in the title', 'keep the screen on'] as const
type Signal = (typeof SIGNALS)[number]

const isOn = (signal: Signal) => kept(`astragal ${signal}`) !== 'off'

/** Tells a person who looks away that it is their turn. */
function signal(): void {
  // A browser allows it once somebody has touched the page.
  if (isOn('vibration') && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.([90, 60, 90])
  if (!isOn('sound')) return
  try {
    const audio = new AudioContext()
    const [tone, volume] = [audio.createOscillator(), audio.createGain()]
    tone.frequency.value = 660
    volume.gain.setValueAtTime(0.12, audio.currentTime)
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.5)
    tone.connect(volume).connect(audio.destination)
    tone.start()
    tone.stop(audio.currentTime + 0.5)
    tone.onended = () => void audio.close()
  } catch { /* This device makes no sound. */ }
}

/** Minutes and seconds. */
const minutes = (left: number) => `${Math.floor(left / 60_000)}:${String(Math.floor(left / 1000) % 60).padStart(2, '0')}`

/** The page of a seat, or of somebody who only watches. */
class SeatPage implements Table {
  readonly element = h('div', { class: 'play' })
  readonly connection = h('span', { class: 'connection', role: 'status' })
  private told: Told | null = null
  private here: boolean[] = []
  private state: State = { is: 'joining' }
  private warning = ''
  private isBusy = false
  private clock: (Clock & { at: number }) | null = null
  private clockFace = h('p', { class: 'clock', role: 'timer', 'aria-label': 'Time left' })
  private room: RoomNews | null = null
  private invitation: Invitation | null = null
  private table = new DrawnTable(this)
  readonly everything = false
  private socket: Socket

  constructor(address: string, readonly greeting: Greeting, private device: Device) {
    listenToKeys(this.element)
    this.socket = new Socket(address, greeting, {
      told: told => this.hear(told),
      here: seats => { this.here = seats; this.draw() },
      room: room => this.meet(room),
      clock: clock => { this.clock = { ...clock, at: performance.now() }; this.drawClock() },
      state: state => { this.state = state; this.draw() },
    })
    setInterval(() => this.drawClock(), 500)
  }

  /** What each seat has left; nobody's time runs while there is no connection. */
  private drawClock(): void {
    const { clock, told } = this
    if (!clock || !told) return
    const passed = (at: number) => (at === clock.runs ? performance.now() - clock.at : 0)
    const seats = clock.left.map((left, at) => h(at === clock.runs ? 'b' : 'span', {}, `${told.view.seats[at].name} ${minutes(Math.max(0, left - passed(at)))}`))
    this.clockFace.replaceChildren(...seats)
  }

  /** The whole log, and the rules as they are played here, each one touch away. */
  readonly books = [
    this.book('Rules', async () => {
      const { title, opening, parts } = await this.socket.ask({ ask: 'rules' })
      const [name, ...text] = markdown([`# ${title}`, opening, ...parts.map(part => `## ${part.heading}\n\n${part.text}`)].join('\n\n'))
      const headings = text.filter(it => it.matches('h3, h4')).map(it => h('li', { class: it.tagName }, h('button', { class: 'quiet', onclick: () => it.scrollIntoView() }, it.textContent)))
      return [name, h('nav', { 'aria-label': 'Contents' }, h('ul', { class: 'contents' }, ...headings)), ...text]
    }),
    this.book('Log', async () => {
      const log = await this.socket.ask({ ask: 'log' })
      return [h('h2', {}, 'What happened'), h('ol', { class: 'log' }, ...drawLog(this.told!.view, log))]
    }),
  ]

  private book(title: string, read: () => Promise<HTMLElement[]>): HTMLElement {
    const open = async () => {
      const parts = await read().catch((error: Error) => [h('p', {}, sentence(error.message))])
      const dialog = openDialog(title, '', h('div', { class: 'rulebook' }, ...parts))
      dialog.scrollTop = title === 'Log' ? dialog.scrollHeight : 0
    }
    return h('button', { onclick: () => void open() }, title)
  }

  private hear(told: Told): void {
    if (told.needs_person && this.told && !this.told.needs_person) signal()
    this.told = told
    this.table.forget()
    this.warning = ''
    this.draw()
    this.device.heard(this)
  }

  /** Makes a move; what follows comes as news. A second press waits for the answer to the first. */
  async act(words: string): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    this.element.setAttribute('aria-busy', 'true')
    try {
      const step = this.told?.step
      const answer = await this.socket.ask({ ask: 'act', words, step })
      this.hear(await this.socket.ask({ ask: 'look' }))
      if ('why' in answer) this.warning = answer.why?.message ?? ''
    } catch (error) {
      this.warning = (error as Error).message
    }
    this.isBusy = false
    this.draw()
    this.element.setAttribute('aria-busy', 'false')
  }

  /** Says something in the room; what follows comes as news. */
  private async say<T = object>(message: RoomAsk): Promise<T | null> {
    try {
      this.warning = ''
      return await this.socket.askRoom(message)
    } catch (error) {
      this.warning = (error as Error).message
      this.draw()
      return null
    }
  }

  /** The news of the room; who is asked for something hears it, too. */
  private meet(room: RoomNews): void {
    const before = this.isAsked()
    this.room = room
    if (this.isAsked() && !before) signal()
    if (!this.invitation && this.greeting.ask === 'sit') this.socket.askRoom<Invitation>({ ask: 'invite' }).then(it => { this.invitation = it; this.draw() }, () => {})
    this.draw()
    this.device.heard(this)
  }

  private word = () => this.invitation?.address.split('#table=')[1] ?? ''

  live = () => this.state.is === 'here'

  private own = () => this.told?.view.head.viewer ?? null

  name = () => this.told?.view.seats[this.own() ?? 0].name ?? 'the other seat'

  /** Whether the person at this seat has something to decide. */
  isWanted = () => this.state.is === 'here' && (this.told?.needs_person === true || this.isAsked())

  private isAsked(): boolean {
    const own = this.own()
    return own !== null && this.room?.proposal?.agreed.includes(own) === false
  }

  /** Who sits at a seat, where it is no person that is here. */
  note(seat: number): string | null {
    const it = this.room?.seats[seat]
    return it && isBotAt(it) ? 'bot' : it?.who === 'free' ? 'free' : this.here[seat] === false ? 'away' : null
  }

  private seated() {
    return {
      own: this.own(),
      bot: (seat: number, bot: string) => void this.say({ ask: 'bot', seat, bot }),
      propose: (what: 'undo' | 'rematch') => void this.say({ ask: 'propose', what }),
      answer: (agrees: boolean) => void this.say({ ask: 'answer', agrees }),
      standUp: async () => { if (await this.say({ ask: 'stand_up' })) this.device.leave(this, this.word()) },
      rename: (name: string) => void this.say({ ask: 'claim', seat: this.own()!, name }),
      resign: this.told?.over ? null : () => { this.isResigning = true; this.draw() },
      more: () => { location.hash = `#table=${this.word()}&seats=${this.device.seats()}` },
      invite: () => { this.isInviting = !this.isInvitationOpen(); this.draw() },
    }
  }

  draw(): void {
    const { told, state } = this
    document.body.classList.toggle('still', !isOn('motion'))
    this.connection.dataset.state = state.is
    this.connection.textContent = { joining: 'Connecting …', here: 'Connected', away: 'No connection', refused: 'No seat' }[state.is]
    if (this.device.shows(this)) document.title = [isOn('mark in the title') && this.status(), told?.view.head.title, 'astragal'].filter(Boolean).slice(0, 2).join(' · ')
    const invitation = this.isInvitationOpen() && this.invitation ? drawInvitation(this.invitation, this.seated().invite) : null
    const wasInviting = this.element.querySelector('.invite')
    redraw(this.element, [invitation, told && this.table.draw(told), this.company(), this.settings(), h('div', { class: 'foot' }, this.notice(), this.end(), this.clock && this.clockFace, told && this.table.bar(told))])
    if (!wasInviting) invitation?.scrollIntoView({ block: 'end' })
  }

  /** What somebody who looks at another page is told in the title of this one. */
  private status(): string {
    const { told, state, room } = this
    if (state.is === 'away' || state.is === 'refused') return this.connection.textContent!.toLowerCase()
    if (this.isAsked()) return `asked: ${ASKED[room!.proposal!.what]}`
    if (told?.over) return `over: ${told.view.head.result?.replace(/\.$/, '')}`
    if (told?.needs_person) return '▶ your turn'
    return told ? `turn: ${told.view.seats.filter(seat => seat.status === 'decides').map(seat => seat.name).join(' and ')}` : ''
  }

  /** While seats are free and nobody has decided, the first person at the table has the invitation open; everybody can open and hide it. */
  private isInvitationOpen(): boolean {
    const seats = this.room?.seats ?? []
    return this.isInviting ?? (seats.some(it => it.who === 'free') && !this.room?.named && seats.findIndex(it => it.who === 'person') === this.own())
  }

  private isInviting: boolean | null = null

  /** Who won, and the next game. */
  private end(): HTMLElement | null {
    if (!this.told?.over) return null
    const again = this.greeting.ask !== 'watch' && !this.room?.proposal
    return h('p', { class: 'turn ended', role: 'status' }, h('b', {}, this.told.view.head.result), again && h('button', { class: 'primary', id: 'again', onclick: () => void this.say({ ask: 'propose', what: 'rematch' }) }, 'Play again'))
  }

  /** Who is at the table, and what they may do together. */
  private company(): HTMLElement | null {
    if (!this.room || this.greeting.ask === 'watch') return null
    return folded('company', 'sitting company', 'Who is at the table · bots, take back, resign, invite', drawRoom(this.room, this.seated()))
  }

  private settings(): HTMLElement {
    const box = (signal: Signal) => h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: isOn(signal), onchange: (event: Event) => {
      keep(`astragal ${signal}`, (event.target as HTMLInputElement).checked ? 'on' : 'off')
      void stayAwake()
      this.draw()
    } }), signal)
    return folded('signals', 'sitting', 'Sound and motion', h('div', { class: 'settings' }, ...SIGNALS.map(box)))
  }

  private isResigning = false

  /** Whether the person means it. */
  private resignation(): HTMLElement | null {
    if (!this.isResigning || this.told?.over) return null
    const answer = (isSure: boolean) => { this.isResigning = false; isSure ? void this.say({ ask: 'resign' }) : this.draw() }
    return h('p', {}, 'Give this game up? Between two it is over then; among more, or where all play together, a bot plays on. ', h('button', { id: 'sure', class: 'primary', onclick: () => answer(true) }, 'Resign'), ' ', h('button', { id: 'unsure', onclick: () => answer(false) }, 'No'))
  }

  private notice(): HTMLElement | null {
    const { state, told } = this
    const words = []
    if (state.is === 'away') words.push(`${sentence(state.reason || 'the table does not answer')} This page tries again in ${state.seconds} s.`)
    if (state.is === 'refused') words.push(`${sentence(state.reason)} Ask whoever opened the table for your link. This page tries again now and then.`)
    if (told?.broken) words.push('The rules of this game have a mistake, and it cannot go on.')
    if (this.warning) words.push(sentence(this.warning))
    const proposal = this.room && drawProposal(this.room, this.seated())
    const resignation = this.resignation()
    if (words.length === 0 && !proposal && !resignation) return null
    const again = (state.is === 'away' || state.is === 'refused') && h('button', { id: 'try', onclick: () => this.socket.hurry() }, state.is === 'away' ? 'Try now' : 'Try again')
    return h('div', { class: 'notice', role: 'alert' }, ...words.map(it => h('p', {}, it)), proposal, resignation, again)
  }

  /** Whose turn it is, where this seat is not asked. */
  pause(): HTMLElement | null {
    if (!this.told || this.state.is !== 'here' || this.told.needs_person || this.told.over) return null
    const { view } = this.told
    const deciding = view.seats.map((seat, at) => ({ seat, at })).filter(({ seat }) => seat.status === 'decides')
    if (deciding.length === 0) return null
    const names = deciding.map(({ seat, at }) => `${seat.name}${{ away: ', who is away', free: ', a free seat' }[this.note(at) ?? ''] ?? ''}`)
    return h('p', { class: 'turn', role: 'status' }, `Waiting for ${names.join(' and ')}. `, this.device.handing(this))
  }
}

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/[.!?]$/, '')}.`

/** The page of somebody in the room without a seat. */
function standing(address: string, word: string, own: string): HTMLElement {
  const element = h('main', { class: 'seat-page', role: 'status' }, 'Connecting …')
  const say = (words: string) => element.replaceChildren(h('p', { class: 'waiting' }, words))
  // What was refused stands beside the form, which stays.
  const door = (room: RoomNews, problem: string) => redraw(element, [drawDoor(room, word, own, problem, (seat, name) => {
    socket.askRoom<{ token: string }>({ ask: 'claim', seat, name }).then(({ token }) => goToSeat(word, own ? `${own},${token}` : token), error => door(room, sentence(error.message)))
  })])
  const socket = new Socket(address, { ask: 'enter', word }, {
    told: () => {},
    here: () => {},
    room: room => door(room, ''),
    state: state => {
      if (state.is === 'away') say(`${sentence(state.reason || 'the table does not answer')} This page tries again in ${state.seconds} s.`)
      if (state.is === 'refused') redraw(element, [h('p', { class: 'waiting', role: 'alert' }, sentence(state.reason), ' ', h('button', { id: 'try', onclick: () => socket.hurry() }, 'Try again')), askWord()])
    },
  })
  return element
}

let awake: WakeLockSentinel | null = null

/** A screen that goes dark in the middle of a game is switched on for every move. */
async function stayAwake(): Promise<void> {
  const wants = isOn('keep the screen on') && !document.hidden
  try {
    if (wants) awake ??= await navigator.wakeLock.request('screen')
    else await awake?.release()
  } catch { /* Not every browser can, and not without encryption. */ }
  if (!wants || awake?.released) awake = null
}

/** The seats of one device. Of several one is in sight, and none while the device goes from hand to hand. */
class Device {
  private pages: SeatPage[]
  private shown: SeatPage | null

  constructor(private app: HTMLElement, address: string, greetings: Greeting[]) {
    this.pages = greetings.map(greeting => new SeatPage(address, greeting, this))
    this.shown = this.pages.length > 1 ? null : this.pages[0]
    this.draw()
  }

  shows = (page: SeatPage) => this.shown === page

  /** The keys of all seats here. */
  seats = (pages = this.pages) => pages.map(({ greeting }) => (greeting.ask === 'sit' ? greeting.token : '')).join(',')

  leave(page: SeatPage, word: string): void {
    const left = this.seats(this.pages.filter(it => it !== page))
    left ? location.hash = `#seat=${left}` : goToSeat(word, null)
  }

  heard(page: SeatPage): void {
    if (!this.shown) this.draw()
    else if (this.shown !== page) this.shown.draw()
  }

  /** Gives the device to another seat here that is asked. */
  handing(page: SeatPage): HTMLElement | null {
    const other = this.pages.find(it => it !== page && it.isWanted())
    return other ? h('button', { class: 'primary', id: 'hand', onclick: () => this.show(null) }, `Hand over to ${other.name()}`) : null
  }

  private show(page: SeatPage | null): void {
    this.shown = page
    this.draw()
    page?.draw()
  }

  private draw(): void {
    const page = this.shown
    const cover = h('button', { id: 'cover', onclick: () => this.show(null) }, 'Hand over')
    this.app.replaceChildren(head(...page ? [...this.pages.length > 1 ? [cover] : [], ...page.books, page.connection] : []), h('main', { class: 'seat-page' }, page?.element ?? this.curtain()))
  }

  /** Nothing is in sight until somebody says who is looking. */
  private curtain(): HTMLElement {
    const wanted = this.pages.filter(it => it.isWanted()).map(it => it.name())
    document.title = [wanted.length > 0 && `turn: ${wanted.join(' and ')}`, 'astragal'].filter(Boolean).join(' · ')
    return h('div', { class: 'door' }, h('h1', {}, 'Who is looking?'), h('p', {}, 'Cards and other secrets are covered until you say who you are.'),
      h('ul', {}, ...this.pages.map(page => h('li', {}, h('button', { class: page.isWanted() ? 'primary' : '', onclick: () => this.show(page) }, `I am ${page.name()}`), page.isWanted() && ' to decide'))))
  }
}

const head = (...parts: Node[]) => h('header', { class: 'page-head' }, h('span', { class: 'brand' }, 'astragal'), h('span', { class: 'space' }), ...parts)

function begin(): void {
  const app = document.getElementById('app')!
  const address = new URL('table', location.href.split('#')[0])
  address.protocol = address.protocol.replace('http', 'ws')
  const [, way, said = '', own = ''] = /^#(seat|table|watch)=([^&]+)(?:&seats=([\w,]+))?$/.exec(location.hash) ?? []
  const word = decodeURIComponent(said)
  if (way !== 'seat' && way !== 'watch') return app.replaceChildren(head(), way ? standing(address.href, word, own) : h('main', { class: 'seat-page' }, askWord()))
  new Device(app, address.href, way === 'watch' ? [{ ask: 'watch', word }] : word.split(',').map(token => ({ ask: 'sit', token })))
  void stayAwake()
  document.addEventListener('visibilitychange', () => void stayAwake())
}

// Another link in the same window is another seat.
addEventListener('hashchange', () => location.reload())
begin()
