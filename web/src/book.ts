// The rulebook of the game that is open, with pictures of its boards, for the screen and for paper.
import { h } from './dom'
import type { Engine } from './engine'
import { markdown } from './markdown'
import { drawBoards } from './table/board'
import type { Board, Rulebook, TableView } from './model'

const still = { press: () => null, isOpen: () => false, isPicked: () => false, places: () => [] }

const empty = (board: Board): Board => ({ ...board, layers: [], cells: board.cells.map(cell => ({ ...cell, pieces: [] })) })

/** The table at the beginning, and whether it is the same in every game. */
export async function opening(engine: Engine): Promise<{ view: TableView; isFixed: boolean } | null> {
  const views: TableView[] = []
  for (const seed of [1, 2]) {
    if (!(await engine.ask({ ask: 'start', seed })).started) return null
    views.push((await engine.ask({ ask: 'look', step: 0, all: true })).view)
  }
  return { view: views[0], isFixed: JSON.stringify(views[0].boards) === JSON.stringify(views[1].boards) }
}

/** The book with a section for each part: pictures where its text names a board, and what lies there at the beginning. */
export function drawBook({ title, opening: words, parts }: Rulebook, begun: { view: TableView; isFixed: boolean } | null): HTMLElement {
  const { boards, seats } = begun?.view ?? { boards: [], seats: [] }
  const figure = (boards: Board[]) => h('figure', {}, ...drawBoards(boards, seats, still))
  const picture = (name: string) => {
    const board = boards.find(it => it.name === name)
    return board ? figure([empty(board)]) : null
  }
  const laid = begun?.isFixed ? boards.filter(board => board.cells.some(cell => cell.pieces.length > 0)) : []
  return h('div', {}, ...markdown(`# ${title}\n\n${words}`),
    ...parts.map(({ word, heading, text }) => h('section', { class: `part part-${word}` }, ...markdown(`## ${heading}\n\n${text}`, picture), word === 'setup' && laid.length > 0 && figure(laid))))
}
