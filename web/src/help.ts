// The language on one page, as the manual has it, below what the keys do.
import { h, openDialog } from './dom'
import { markdown } from './markdown'
import HELP from '../help.md?raw'
import SHEET from '../../docs/language/cheat-sheet.md?raw'

const [begin, end] = ['A complete game:', '## Chapters'].map(words => SHEET.indexOf(words))

export const showHelp = () => openDialog('Help', 'shelf', h('article', { class: 'rulebook' }, ...markdown(`${HELP}\n## The language\n\n${SHEET.slice(begin, end)}`)))
