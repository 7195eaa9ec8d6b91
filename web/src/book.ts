// The rulebook of the game that is open, with pictures of its boards, and what is printed beside it.
import style from '../../src/commands/pages/page.css?raw'
import { h } from './dom'
import type { Engine } from './engine'
import { markdown } from './markdown'
import { drawBoards } from './table/board'
import type { Board, Rulebook, TableView } from './model'

const still = { press: () => null, isOpen: () => false, isPicked: () => false, places: () => [], isStill: true }

const bare = (boards: Board[], name: string) => boards.filter(it => it.name === name).slice(0, 1).map(it => ({ ...it, layers: [], cells: it.cells.map(cell => ({ ...cell, pieces: [] })) }))

/** The book with a section for each part, a picture where its text names a board, and what lies on boards when a game begins. */
export async function drawBook({ title, opening, parts }: Rulebook, engine: Engine): Promise<HTMLElement> {
  const views: TableView[] = []
  for (const seed of [1, 2]) if ((await engine.ask({ ask: 'start', seed })).started) views.push((await engine.ask({ ask: 'look', step: 0, all: true })).view)
  const { boards, seats } = views[0] ?? { boards: [], seats: [] }
  const figure = (boards: Board[]) => boards.length > 0 && h('figure', {}, ...drawBoards(boards, seats, still))
  const empty = (name: string) => figure(bare(boards, name))
  // What chance has laid out differs from game to game.
  const isFixed = JSON.stringify(boards) === JSON.stringify(views[1]?.boards)
  const laid = isFixed && figure(boards.filter(board => board.cells.some(cell => cell.pieces.length > 0)))
  return h('div', {}, ...markdown(`# ${title}\n\n${opening}`),
    ...parts.map(({ word, heading, text }) => h('section', { class: `part part-${word}` }, ...markdown(`## ${heading}\n\n${text}`, empty), word === 'setup' && laid)))
}

const INKS = ['fill', 'stroke', 'stroke-width', 'font-size', 'font-family', 'text-anchor']

/** Cards, score sheets, boards and tokens as `astragal cards` prints them, in a frame where nothing runs. */
export async function drawSheets(html: string, engine: Engine): Promise<HTMLIFrameElement> {
  await engine.ask({ ask: 'start', seed: 1 })
  const { view: { boards, seats } } = await engine.ask({ ask: 'look', step: 0, all: true })
  const tray = h('div', { class: 'unseen', style: 'color-scheme: light' })
  document.body.append(tray)
  // The stylesheet of the page is not that of the frame: a board takes its colours along.
  const figure = (name: string) => {
    tray.replaceChildren(...drawBoards(bare(boards, name), seats, still))
    for (const part of tray.querySelectorAll('svg *')) part.setAttribute('style', INKS.map(it => `${it}: ${getComputedStyle(part).getPropertyValue(it)}`).join('; ').replaceAll('"', "'"))
    return tray.querySelector('svg')?.outerHTML ?? ''
  }
  const body = html.replace(/<figure data-board="([^"]*)"><\/figure>/g, (_, name) => figure(name))
  tray.remove()
  return h('iframe', { sandbox: 'allow-same-origin allow-modals', title: 'Sheets to print', srcdoc: `<!doctype html><style>${style}</style><body class="cards">${body}` })
}
