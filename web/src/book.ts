// The rulebook of the game that is open, with pictures of its boards, for the screen and for paper.
import { h } from './dom'
import type { Engine } from './engine'
import { markdown } from './markdown'
import { drawBoards } from './table/board'
import type { Board, Rulebook, TableView } from './model'

const still = { press: () => null, isOpen: () => false, isPicked: () => false, places: () => [] }

/** The book with a section for each part, a picture where its text names a board, and what lies on boards when a game begins. */
export async function drawBook({ title, opening, parts }: Rulebook, engine: Engine): Promise<HTMLElement> {
  const views: TableView[] = []
  for (const seed of [1, 2]) if ((await engine.ask({ ask: 'start', seed })).started) views.push((await engine.ask({ ask: 'look', step: 0, all: true })).view)
  const { boards, seats } = views[0] ?? { boards: [], seats: [] }
  const figure = (boards: Board[]) => boards.length > 0 && h('figure', {}, ...drawBoards(boards, seats, still))
  const empty = (name: string) => figure(boards.filter(it => it.name === name).slice(0, 1).map(it => ({ ...it, layers: [], cells: it.cells.map(cell => ({ ...cell, pieces: [] })) })))
  // What chance has laid out differs from game to game.
  const isFixed = JSON.stringify(boards) === JSON.stringify(views[1]?.boards)
  const laid = isFixed && figure(boards.filter(board => board.cells.some(cell => cell.pieces.length > 0)))
  return h('div', {}, ...markdown(`# ${title}\n\n${opening}`),
    ...parts.map(({ word, heading, text }) => h('section', { class: `part part-${word}` }, ...markdown(`## ${heading}\n\n${text}`, empty), word === 'setup' && laid)))
}
