// Elements in one expression. Texts of games only ever become text nodes.

type Child = Node | string | number | null | undefined | false
type Props = Record<string, unknown>

const SVG = 'http://www.w3.org/2000/svg'

function fill<T extends Element>(element: T, props: Props, children: Child[]): T {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value as EventListener)
    else if (name === 'value' || name === 'checked') (element as unknown as Props)[name] = value
    else element.setAttribute(name, value === true ? '' : String(value))
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

/** Calls `act` when nothing called it again for some milliseconds. */
export function calm(milliseconds: number, act: () => void): () => void {
  let timer = 0
  return () => {
    clearTimeout(timer)
    timer = window.setTimeout(act, milliseconds)
  }
}
