// Elements in one expression. Texts of games only ever become text nodes.

type Child = Node | string | number | null | undefined | false
type Props = Record<string, unknown>

const SVG = 'http://www.w3.org/2000/svg'

function fill<T extends Element>(element: T, props: Props, children: Child[]): T {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value as EventListener)
    else if (name === 'value' || name === 'checked') (element as unknown as Props)[name] = value
    else element.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : String(value))
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    element.append(child instanceof Node ? child : String(child))
  }
  return element
}

/** Makes an element of HTML; `on…` are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), props, children)
}

/** Makes an element of SVG. */
export function s<K extends keyof SVGElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), props, children)
}

/** Makes something that is no button work as one, for mouse, touch and keys. */
export function pressable<T extends Element>(element: T, label: string, act: () => void): T {
  element.setAttribute('role', 'button')
  element.setAttribute('tabindex', '0')
  element.setAttribute('aria-label', label)
  element.addEventListener('click', act)
  element.addEventListener('keydown', event => {
    const { key } = event as KeyboardEvent
    if (key !== 'Enter' && key !== ' ') return
    event.preventDefault()
    act()
  })
  return element
}

/** Opens a page over this one, with a way out of it. */
export function openDialog(label: string, kind: string, ...parts: Child[]): HTMLDialogElement {
  const dialog = h('dialog', { class: kind, 'aria-label': label, onclose: () => dialog.remove(), onclick: (event: Event) => { if (event.target === dialog) dialog.close() } }, h('button', { class: 'close', onclick: () => dialog.close() }, 'Close'), ...parts)
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/** What this device keeps under a key; some keep nothing for a page from a file, or have no room. */
export function kept(key: string, where = () => localStorage): string {
  try { return where().getItem(key) ?? '' } catch { return '' }
}

/** Keeps it, or with no value forgets it. */
export function keep(key: string, value: string | null, where = () => localStorage): void {
  try { value === null ? where().removeItem(key) : where().setItem(key, value) } catch { /* It is not kept. */ }
}

/** Calls `act` when nothing called it again for some milliseconds. */
export function calm<A extends unknown[]>(milliseconds: number, act: (...words: A) => void): (...words: A) => void {
  let timer = 0
  return (...words) => {
    clearTimeout(timer)
    timer = window.setTimeout(act, milliseconds, ...words)
  }
}

/** Whether elements are taken away to be drawn anew: a browser tells of a change in a field that is taken away. */
let isRedrawing = false

/** A field whose value counts when somebody leaves it or presses Enter, however often it was drawn anew meanwhile. */
export function field(props: Props & { 'data-key': string }, value: string, commit: (value: string) => void): HTMLInputElement {
  // A browser tells of a change only what was typed into this very element.
  let told = value
  const tell = () => { if (!isRedrawing && input.isConnected && input.value !== told) commit(told = input.value) }
  const enter = (event: KeyboardEvent) => { if (event.key === 'Enter') tell() }
  const input = h('input', { ...props, value, onchange: tell, onkeydown: enter })
  return input
}

/** Puts other children into an element, and the focus back to where it was, with what was typed there. */
export function redraw(element: HTMLElement, parts: (HTMLElement | null)[]): void {
  const focused = document.activeElement instanceof HTMLElement || document.activeElement instanceof SVGElement ? document.activeElement : null
  const held = focused && element.contains(focused) ? focused : null
  const key = held?.getAttribute('data-key')
  const role = held?.id
  const scroller = element.closest('.panel, .seat-page')
  const top = scroller?.scrollTop ?? 0
  isRedrawing = true
  element.replaceChildren(...parts.filter(part => part !== null))
  isRedrawing = false
  if (scroller) scroller.scrollTop = top
  if (!held) return
  const again = (role && document.getElementById(role)) || (key && element.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]:is([tabindex], input)`)) || element.querySelector<HTMLElement>('.moves button, .question')
  if (again instanceof HTMLInputElement && held instanceof HTMLInputElement) again.value = held.value
  if (again) (again as HTMLElement).focus({ preventScroll: true })
}

const unfolded = new Set<string>()

/** What is folded until somebody opens it; by its key it stays open however often it is drawn anew. */
export function folded(key: string, kind: string, summary: Child, ...children: Child[]): HTMLDetailsElement {
  // A browser tells of a change later, when all may be drawn anew: a press counts at once.
  const keep = (open: boolean) => { open ? unfolded.add(key) : unfolded.delete(key) }
  const details = h('details', { class: kind, open: unfolded.has(key), ontoggle: () => { if (details.isConnected) keep(details.open) } }, h('summary', { onclick: () => keep(!details.open) }, summary), ...children)
  return details
}

/** Lets keys press what a table shows: digits the moves, `u` undo, and Escape what drops a choice. */
export function listenToKeys(element: HTMLElement): void {
  document.addEventListener('keydown', event => {
    const target = event.target as HTMLElement
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('.cm-editor, input, textarea, select') || document.querySelector('dialog[open]') || !element.isConnected || element.offsetParent === null) return
    if (/^[1-9]$/.test(event.key)) element.querySelectorAll<HTMLElement>('.moves button.move')[Number(event.key) - 1]?.click()
    else if (event.key === 'u') element.querySelector<HTMLElement>('[data-undo]')?.click()
    else if (event.key === 'Escape') element.querySelector<HTMLElement>('[data-cancel]')?.click()
    else return
    event.preventDefault()
  })
}
