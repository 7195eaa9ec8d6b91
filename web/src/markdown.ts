// The Markdown of rulebooks as elements: headings, paragraphs, lists, tables, code. Nothing becomes HTML.
import { h } from './dom'

const INLINE = /(\\[\\`*_{}[\]()#+\-.!|<>&])|(`+)(.+?)\2|\*\*(.+?)\*\*|\*(.+?)\*|_(.+?)_|&(lt|gt|amp|quot);|\[([^\]]+)\]\([^)]+\)/gs

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' }

function inline(text: string): Node[] {
  const nodes: Node[] = []
  let at = 0
  for (const found of text.matchAll(INLINE)) {
    nodes.push(document.createTextNode(text.slice(at, found.index)))
    const [all, escaped, , code, bold, slanted, underlined, named, linked] = found
    if (escaped) nodes.push(document.createTextNode(escaped.slice(1)))
    else if (code) nodes.push(h('code', {}, code))
    else if (bold) nodes.push(h('strong', {}, ...inline(bold)))
    else if (linked) nodes.push(...inline(linked))
    else if (named) nodes.push(document.createTextNode(NAMED[named]))
    else nodes.push(h('em', {}, ...inline(slanted ?? underlined)))
    at = found.index + all.length
  }
  nodes.push(document.createTextNode(text.slice(at)))
  return nodes
}

const cells = (line: string) => line.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map(cell => cell.trim())
const indent = (line: string) => line.length - line.trimStart().length
const BULLET = /^\s*([-*+]|\d+[.)])\s+/

function list(lines: string[]): HTMLElement {
  const depth = indent(lines[0])
  const ordered = /^\s*\d/.test(lines[0])
  const items: string[][] = []
  for (const line of lines) {
    if (BULLET.test(line) && indent(line) <= depth) items.push([line.replace(BULLET, '')])
    else items[items.length - 1].push(line)
  }
  const drawn = items.map(([first, ...rest]) => {
    const below = rest.findIndex(line => BULLET.test(line))
    const own = below < 0 ? rest : rest.slice(0, below)
    return h('li', {}, ...inline([first, ...own.map(line => line.trim())].join(' ')), below >= 0 && list(rest.slice(below)))
  })
  return h(ordered ? 'ol' : 'ul', {}, ...drawn)
}

function table(lines: string[]): HTMLElement {
  const [head, , ...rows] = lines.map(cells)
  const body = rows.map(row => h('tr', {}, ...row.map(cell => h('td', {}, ...inline(cell)))))
  const top = h('tr', {}, ...head.map(cell => h('th', { scope: 'col' }, ...inline(cell))))
  return h('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Table' }, h('table', {}, h('thead', {}, top), h('tbody', {}, ...body)))
}

/** `picture` draws a board that a block of code only names. */
export function markdown(text: string, picture?: (name: string) => HTMLElement | false): HTMLElement[] {
  const lines = text.split('\n')
  const blocks: HTMLElement[] = []
  const take = (keep: (line: string) => boolean) => {
    const taken = []
    while (lines.length > 0 && keep(lines[0])) taken.push(lines.shift()!)
    return taken
  }
  while (lines.length > 0) {
    const line = lines[0]
    const heading = /^(#{1,5})\s+(.*)$/.exec(line)
    if (line.trim() === '') lines.shift()
    else if (heading) {
      lines.shift()
      blocks.push(h(`h${Math.min(heading[1].length + 1, 6)}` as 'h2', {}, ...inline(heading[2])))
    } else if (line.startsWith('```')) {
      const board = /^```text board (.*)/.exec(lines.shift()!)?.[1].trim()
      const code = take(line => !line.startsWith('```'))
      lines.shift()
      blocks.push((board && picture?.(board)) || h('pre', { tabindex: 0 }, code.join('\n')))
    } else if (line.trimStart().startsWith('|')) blocks.push(table(take(line => line.trimStart().startsWith('|'))))
    else if (BULLET.test(line)) blocks.push(list(take(line => BULLET.test(line) || (/^\s+\S/.test(line)))))
    else blocks.push(h('p', {}, ...inline(take(line => line.trim() !== '' && !BULLET.test(line) && !line.startsWith('#') && !line.startsWith('|')).join(' '))))
  }
  return blocks
}
