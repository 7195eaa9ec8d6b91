// The editor: colours, findings as they arise, explanations, completion and repairs, all from the engine.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput, indentService, indentUnit } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, type Text } from '@codemirror/state'
import { Decoration, EditorView, MatchDecorator, ViewPlugin, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from '@codemirror/view'
import { h } from './dom'
import { region } from './merge'
import { isScript } from './templates'
import type { Completion, Finding, HoverAnswer, TextPlace } from './model'

export interface Asking {
  hover(place: { line: number; column: number }): Promise<HoverAnswer | null>
  complete(place: { line: number; column: number }): Promise<Completion>
  definition(place: { line: number; column: number }): Promise<TextPlace | null>
}

/** An offset as a line and a column, both from 1; columns count characters. */
function placeOf(doc: Text, offset: number): { line: number; column: number } {
  const line = doc.lineAt(offset)
  return { line: line.number, column: [...line.text.slice(0, offset - line.from)].length + 1 }
}

export function offsetOf(doc: Text, line: number | null, column: number | null): number {
  const found = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines))
  const units = [...found.text].slice(0, (column ?? 1) - 1).join('').length
  return Math.min(found.from + units, found.to)
}

/** Notes wrap; what stands in columns moves sideways. */
const notes = new MatchDecorator({ regexp: /^\s*##?(?!#|\s*\|).*/g, decorate: (add, from, _, [text]) => add(from, from, Decoration.line({ class: 'wraps', attributes: { style: `--in: ${text.search(/[^\s#]|$/)}ch` } })) })
const wrapping = ViewPlugin.define(view => ({ lines: notes.createDeco(view), update(update) { this.lines = notes.updateDeco(update, this.lines) } }), { decorations: it => it.lines })

/** A line begins below the one above it, further in behind a bracket that opens, further out where one closes. */
const indenting = indentService.of((context, pos) => {
  const { doc } = context.state
  let number = doc.lineAt(pos).number - Number(context.simulatedBreak === null)
  while (number > 1 && doc.line(number).text.trim() === '') number--
  const above = number < 1 ? '' : doc.line(number).text.slice(0, pos - doc.line(number).from)
  const steps = Number(/[{([]\s*(#[^"]*)?$/.test(above)) - Number(/^\s*[})\]]/.test(context.textAfterPos(pos)))
  return Math.max(0, above.search(/\S|$/) + steps * context.unit)
})

/** What a line of a script may begin with. */
const LINES = Object.entries({ '? ': 'what must hold here: ? P1.points == 3', '! ': 'a move that must be illegal: ! pass', '= ': 'how it ends: = P1 wins', '* ': 'what is drawn: * roll cup: 3', 'set ': 'changes the position: set P1.points = 3', 'bot 5': 'bots make five decisions' }).map(([label, detail]) => ({ label, detail }))

export class Editor {
  readonly view: EditorView
  name = ''
  /** The file that a place without a name is in. */
  main = ''
  /** Files that are not shown, with what can be undone in them. */
  private states = new Map<string, EditorState>()
  private begin: (text: string) => EditorState

  /** `elsewhere` opens the file of a place that is not in this one. */
  constructor(parent: HTMLElement, language: Extension, private asking: Asking, changed: (name: string, text: string) => void, private elsewhere: (place: TextPlace) => void) {
    const listener = EditorView.updateListener.of(update => {
      if (update.docChanged) changed(this.name, update.state.doc.toString())
    })
    const extensions = [
      lineNumbers(), highlightActiveLineGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
      highlightActiveLine(), highlightSelectionMatches(), indentUnit.of('  '), EditorState.tabSize.of(2), lintGutter(),
      language, listener, wrapping, indenting,
      autocompletion({ override: [context => this.complete(context)], icons: false }),
      hoverTooltip((_, offset) => this.hover(offset)),
      keymap.of([
        { key: 'F12', run: view => this.define(view) },
        ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab,
      ]),
      EditorView.contentAttributes.of({ 'aria-label': 'Rules of the game', tabindex: '0' }),
    ]
    this.begin = doc => EditorState.create({ doc, extensions })
    this.view = new EditorView({ parent, state: this.begin('') })
  }

  /** Forgets all files: another project is at hand. */
  forget(): void {
    this.states.clear()
    this.name = ''
  }

  open(name: string, text: string): void {
    if (this.name === name) return this.change(name, text)
    if (this.name) this.states.set(this.name, this.view.state)
    const kept = this.states.get(name)
    this.name = name
    const isKept = kept?.doc.toString() === text
    this.view.setState(isKept ? kept : this.begin(text))
    if (!isKept) this.view.scrollDOM.scrollTo(0, 0)
  }

  /** Another text for a file, with the cursor and what can be undone as they are. */
  change(name: string, text: string): void {
    if (name !== this.name) return
    const changes = ({ from, to, text }: ReturnType<typeof region>) => ({ from, to, insert: text })
    const before = this.view.state.doc.toString()
    if (before !== text) this.view.dispatch({ changes: changes(region(before, text)) })
  }

  /** Shows what is wrong, each with its repair. */
  show(findings: Finding[]): void {
    const own = findings.filter(finding => this.isHere(finding) || finding.related.some(it => this.isHere(it)))
    this.view.dispatch(setDiagnostics(this.view.state, own.map(finding => this.diagnostic(finding))))
  }

  goTo(place: TextPlace): void {
    if (!this.isHere(place)) this.elsewhere(place)
    const doc = this.view.state.doc
    const anchor = offsetOf(doc, place.line, place.column)
    const head = place.end_line ? offsetOf(doc, place.end_line, place.end_column) : anchor
    this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
    this.view.focus()
  }

  private isHere = (place: TextPlace) => (place.file ?? this.main) === this.name

  private diagnostic(finding: Finding): Diagnostic {
    const doc = this.view.state.doc
    const place = this.isHere(finding) ? finding : (finding.related.find(it => this.isHere(it)) ?? { line: 1, column: 1, end_line: 1, end_column: 1 })
    const from = offsetOf(doc, place.line, place.column)
    const to = Math.max(offsetOf(doc, place.end_line, place.end_column), from)
    return {
      from, to, severity: finding.severity === 'advice' ? 'hint' : finding.severity, source: finding.code ?? undefined,
      message: finding.message, actions: this.repairs(finding), renderMessage: () => explain(finding, place => this.goTo(place), false),
    }
  }

  /** What mends a finding in the file that is shown, if that is known. */
  repairs({ fix }: Finding): { name: string; apply(): void }[] {
    const { view } = this
    const apply = () => {
      const [from, to] = [offsetOf(view.state.doc, fix!.line, fix!.column), offsetOf(view.state.doc, fix!.end_line, fix!.end_column)]
      view.dispatch({ changes: { from, to, insert: fix!.text } })
    }
    return fix && this.isHere(fix) ? [{ name: fix.text === '' ? 'Take it out' : `Write ${fix.text.trim()}`, apply }] : []
  }

  private async complete(context: CompletionContext): Promise<CompletionResult | null> {
    const word = context.matchBefore(/[\p{L}\p{N}_]+/u)
    const dot = context.matchBefore(/\./)
    if (isScript(this.name)) return context.explicit ? { from: context.state.doc.lineAt(context.pos).from, options: LINES } : null
    if (!word && !dot && !context.explicit) return null
    const { at, proposals } = await this.asking.complete(placeOf(context.state.doc, context.pos))
    if (proposals.length === 0) return null
    const from = offsetOf(context.state.doc, at.line, at.column)
    const kinds: Record<string, string> = { kind: 'class', member: 'enum', column: 'property', rule: 'function', moves: 'function', constant: 'constant', word: 'keyword' }
    const options = proposals.map(it => ({
      label: it.text, type: kinds[it.sort] ?? 'variable', detail: it.detail.length > 40 ? undefined : it.detail || undefined,
      info: it.notes.length > 0 ? it.notes.join(' ') : undefined, boost: -it.rank * 10,
    }))
    return { from, options, validFor: /^[\p{L}\p{N}_]*$/u }
  }

  private async hover(offset: number) {
    const doc = this.view.state.doc
    const found = await this.asking.hover(placeOf(doc, offset))
    if (!found) return null
    const dom = h('div', { class: 'hover' }, found.code && h('pre', {}, found.code), ...[...found.notes, ...found.more].map(line => h('p', {}, line.replaceAll('`', ''))))
    return { pos: offsetOf(doc, found.at.line, found.at.column), end: offsetOf(doc, found.at.end_line, found.at.end_column), above: true, create: () => ({ dom }) }
  }

  private define(view: EditorView): boolean {
    this.asking.definition(placeOf(view.state.doc, view.state.selection.main.head)).then(place => {
      if (place) this.goTo(place)
    })
    return true
  }
}

/** A finding in words: where it is, unless that is plain, what is wrong, what helps, what else it is about. */
export function explain(finding: Finding, goTo: (place: TextPlace) => void, isElsewhere = true): HTMLElement {
  const related = finding.related.filter(it => it.message && it.line !== null)
  const place = (it: TextPlace) => [h('button', { class: 'quiet', onclick: () => goTo(it) }, `line ${it.line}`), ': ']
  return h('div', { class: 'finding' },
    h('p', {}, ...isElsewhere && finding.line !== null ? place(finding) : [], ...marked(finding.message)),
    ...(finding.help ?? '').split('\n').filter(Boolean).map(line => h('p', { class: 'help' }, ...marked(line))),
    ...related.map(it => h('p', { class: 'related' }, ...place(it), ...marked(it.message))))
}

/** A line with its words in backticks as code. */
export function marked(line: string): (string | HTMLElement)[] {
  return line.split('`').map((part, at) => (at % 2 === 1 ? h('code', {}, part) : part))
}
