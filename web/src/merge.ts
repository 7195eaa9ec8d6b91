// Two states that go back to one: what either changed stays, and what cannot is named.
import type { Project } from './store'

interface Region { from: number; to: number; text: string }

/** The part of a text that differs in another one. */
export function region(before: string, after: string): Region {
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from++
  let same = 0
  while (same < most - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same++
  return { from, to: before.length - same, text: after.slice(from, after.length - same) }
}

/** The first line that differs in other files, with its place. */
export function firstChange(before: Record<string, string>, after: Record<string, string>): string {
  const name = Object.keys({ ...after, ...before }).find(name => after[name] !== before[name])
  if (!name) return 'as before'
  if (!(name in before) || !(name in after)) return `${name} ${name in after ? 'is new' : 'is gone'}`
  const [was, is] = [before[name].split('\n'), after[name].split('\n')]
  const at = is.findIndex((line, at) => line !== was[at])
  return at < 0 ? `line ${is.length + 1} is gone` : `line ${at + 1}: ${is[at].trim().slice(0, 60)}`
}

/** A text with the changes of both sides; nothing where they are at the same place. */
function both(base: string, mine: string, theirs: string): string | null {
  const [own, other] = [region(base, mine), region(base, theirs)]
  // One side may have seen what the other one wrote, and gone on.
  if (own.from === other.from && own.to === other.to) {
    if (own.text.startsWith(other.text)) return mine
    if (other.text.startsWith(own.text)) return theirs
    return null
  }
  const [first, second] = own.to <= other.from ? [own, other] : [other, own]
  if (first.to > second.from) return null
  return base.slice(0, first.from) + first.text + base.slice(first.to, second.from) + second.text + base.slice(second.to)
}

export interface Merged { project: Project; lost: { files: Record<string, string>; game: string | null } }

/** What two states of a project come to. Where both changed the same, `mine` stays and `lost` has the other. */
export function merge(base: Project, mine: Project, theirs: Project): Merged {
  const files: Record<string, string> = {}
  const lost: Merged['lost'] = { files: {}, game: null }
  for (const name of Object.keys({ ...base.files, ...theirs.files, ...mine.files })) {
    const [was, own, other] = [base.files[name], mine.files[name], theirs.files[name]]
    let text = own === was || own === undefined ? other : own
    if (own !== undefined && other !== undefined && own !== was && other !== was && own !== other) {
      const merged = both(was ?? '', own, other)
      text = merged ?? own
      if (merged === null) lost.files[name] = other
    }
    // Taken away on one side and unchanged on the other: it is gone.
    if ((own === undefined && other === was) || (other === undefined && own === was)) continue
    if (text !== undefined) files[name] = text
  }
  const pick = <K extends keyof Project>(key: K) => (JSON.stringify(mine[key]) === JSON.stringify(base[key]) ? theirs[key] : mine[key])
  const [game, setting] = [pick('game'), pick('setting')]
  const isOver = theirs.game !== null && theirs.game !== base.game && theirs.game !== game && !game?.startsWith(theirs.game.trimEnd())
  if (isOver) lost.game = theirs.game
  const project = { ...theirs, files, game, setting, title: pick('title'), main: pick('main'), good: pick('good'), runs: pick('runs'), deleted: pick('deleted') }
  if (!(project.main in files)) project.main = Object.keys(files).find(name => name.endsWith('.game')) ?? project.main
  return { project, lost }
}
