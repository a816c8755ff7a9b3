import { languages } from 'monaco-editor'
import type { CommentSource } from './commentSource.ts'
import { mentionQuery, mentionSuggestions, type Mentionable } from './mentions.ts'

/** What comments are written in. */
const COMMENT_INPUT = { scheme: 'comment', language: '*' }
/** An editor of comments offers nothing by itself, so each letter asks: a name may be written without the sign. */
const TRIGGERS = ['@', ...'abcdefghijklmnopqrstuvwxyz']

/** Offers people where a comment is about to name somebody. `sources` are those that have comments by now. */
export function offerMentions(
  sources: readonly Pick<CommentSource, 'people'>[],
  onError: (error: unknown) => void,
): void {
  const everybody = async (): Promise<Mentionable[]> => {
    const known = new Map<string, Mentionable>()
    for (const source of sources) for (const person of await source.people()) known.set(person.username, person)
    return [...known.values()]
  }
  languages.registerCompletionItemProvider(COMMENT_INPUT, {
    triggerCharacters: TRIGGERS,
    async provideCompletionItems(model, position) {
      const { lineNumber, column } = position
      const line = model.getLineContent(lineNumber).slice(0, column - 1)
      const query = mentionQuery(line)
      if (!query) return undefined
      const people = await everybody().catch((error: unknown) => {
        onError(error)
        return []
      })
      const range = {
        startLineNumber: lineNumber,
        startColumn: query.start + 1,
        endLineNumber: lineNumber,
        endColumn: column,
      }
      const suggestions = mentionSuggestions(people, query.words).map(({ username, name }) => ({
        label: name === null ? username : { label: name, description: username },
        kind: languages.CompletionItemKind.User,
        insertText: `@${username} `,
        // Who is meant is decided above: what is typed so far is all that counts here.
        filterText: line.slice(query.start),
        range,
      }))
      return { suggestions, incomplete: true }
    },
  })
}
