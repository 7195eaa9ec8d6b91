// Colours of the text: words of the language, names, numbers, texts, comments.
import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StreamParser } from '@codemirror/language'
import { tags } from '@lezer/highlight'
import type { Extension } from '@codemirror/state'
import type { ColouredWord } from './model'

/** A text may have holes with expressions, and these texts of their own. */
interface Inside { holes: number[]; text: boolean }

function parser(words: Map<string, boolean>): StreamParser<Inside> {
  return {
    name: 'astragal',
    startState: () => ({ holes: [], text: false }),
    copyState: state => ({ holes: [...state.holes], text: state.text }),
    token(stream, state) {
      if (stream.sol()) Object.assign(state, { holes: [], text: false })
      if (state.text) {
        if (stream.eat('{')) {
          state.holes.push(0)
          state.text = false
          return 'punctuation'
        }
        if (stream.eat('"')) state.text = false
        else if (!stream.eatWhile(/[^"{]/)) stream.next()
        return 'string'
      }
      if (stream.eatSpace()) return null
      const note = stream.match('##') ? 'docComment' : stream.match('#') && 'comment'
      if (note) {
        stream.skipToEnd()
        return note
      }
      if (stream.eat('"')) {
        state.text = true
        return 'string'
      }
      const holes = state.holes
      const brace = holes.length > 0 && stream.match(/^[{}]/) && stream.current()
      if (brace) {
        holes[holes.length - 1] += brace === '{' ? 1 : -1
        state.text = holes.at(-1)! < 0
        if (state.text) holes.pop()
        return 'punctuation'
      }
      if (stream.match(/^\d+/)) return 'number'
      const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u)
      if (word) {
        const name = (word as RegExpMatchArray)[0]
        const declares = words.get(name)
        if (declares !== undefined) return declares ? 'definitionKeyword' : 'keyword'
        if (/^\p{Lu}/u.test(name)) return 'typeName'
        return stream.peek() === '(' ? 'function' : 'variableName'
      }
      stream.next()
      return 'operator'
    },
    languageData: { commentTokens: { line: '#' }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
    tokenTable: { function: tags.function(tags.variableName), docComment: tags.docComment },
  }
}

const style = HighlightStyle.define([
  { tag: tags.definitionKeyword, color: 'var(--code-declare)', fontWeight: '600' },
  { tag: tags.keyword, color: 'var(--code-word)' },
  { tag: tags.typeName, color: 'var(--code-kind)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: tags.string, color: 'var(--code-text)' },
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: tags.docComment, color: 'var(--code-note)', fontStyle: 'italic' },
  { tag: tags.function(tags.variableName), color: 'var(--code-rule)' },
])

export function language(words: ColouredWord[]): Extension {
  const table = new Map(words.map(({ word, declares }) => [word, declares]))
  return [StreamLanguage.define(parser(table)), syntaxHighlighting(style)]
}
