// What stands between rules and table, and can be moved.
import { h } from './dom'

/** Between rules and table: it is dragged, or moved with the arrow keys. */
export function divider(): HTMLElement {
  const place = (share: number) => {
    const part = Math.min(80, Math.max(15, share))
    bar.setAttribute('aria-valuenow', part.toFixed(0))
    document.documentElement.style.setProperty('--split', `${part}%`)
  }
  const drag = (event: PointerEvent) => { if (bar.hasPointerCapture(event.pointerId)) place((event.clientX / innerWidth) * 100) }
  const keys = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -4, ArrowRight: 4 }[event.key]
    if (by) place(Number(bar.getAttribute('aria-valuenow')) + by)
  }
  const bar = h('div', { class: 'divider', role: 'separator', tabindex: 0, 'aria-orientation': 'vertical', 'aria-label': 'Width of the rules', 'aria-valuemin': 15, 'aria-valuemax': 80, 'aria-valuenow': 42, onpointerdown: (event: PointerEvent) => bar.setPointerCapture(event.pointerId), onpointermove: drag, onkeydown: keys })
  return bar
}
