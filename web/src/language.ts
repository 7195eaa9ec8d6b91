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
    languageData: { indentOnInput: /^\s*[})\]]$/, commentTokens: { line: '#' }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
    tokenTable: { function: tags.function(tags.variableName), docComment: tags.docComment },
  }
}

const style = HighlightStyle.define([
  { tag: tags.definitionKeyword, color: 'light-dark(#1f4f8a, #8fbcf0)', fontWeight: '600' },
  { tag: tags.keyword, color: 'light-dark(#7a3e9d, #d0a2ea)' },
  { tag: tags.typeName, color: 'light-dark(#0d6e6a, #72cfc6)' },
  { tag: tags.number, color: 'light-dark(#98500c, #e8b26a)' },
  { tag: tags.string, color: 'light-dark(#4a6d1c, #b5d67c)' },
  { tag: tags.comment, color: 'light-dark(#6c6f77, #8d919a)', fontStyle: 'italic' },
  { tag: tags.docComment, color: 'light-dark(#4f6273, #9fb6c8)', fontStyle: 'italic' },
  { tag: tags.function(tags.variableName), color: 'light-dark(#2b3d8f, #b3c2ff)' },
])

export function language(words: ColouredWord[]): Extension {
  const table = new Map(words.map(({ word, declares }) => [word, declares]))
  return [StreamLanguage.define(parser(table)), syntaxHighlighting(style)]
}
