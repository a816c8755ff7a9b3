/** Somebody who can be named in a comment. */
export interface Mentionable {
  username: string
  name: string | null
}

/** What somebody is about to name: where that begins in the text, and the letters so far. */
export interface MentionQuery {
  start: number
  words: string
}

const MOST_SUGGESTIONS = 5

/** Behind the start of the text, a space or an opening parenthesis; a name may have spaces. */
const MENTION = /(?:^|[\s(])(@([\p{L}\p{N}_ -]{0,75}))$/u
/** A name that is written without the sign is one from the third letter on. */
const CAPITALISED = /(?:^|[\s(])(\p{Lu}[\p{L}\p{N}]{2,74})$/u

/** Whom the text in front of the caret is about to name; undefined for nobody. */
export function mentionQuery(before: string): MentionQuery | undefined {
  const [, sign, words] = MENTION.exec(before) ?? []
  if (sign !== undefined && words !== undefined) return { start: before.length - sign.length, words }
  const name = CAPITALISED.exec(before)?.[1]
  return name === undefined ? undefined : { start: before.length - name.length, words: name }
}

/** Those whose name or user name has the words in it, in any case. */
export function mentionSuggestions<Person extends Mentionable>(people: readonly Person[], words: string): Person[] {
  const wanted = words.toLowerCase()
  const has = (text: string | null) => text !== null && text.toLowerCase().includes(wanted)
  return people.filter(({ username, name }) => has(username) || has(name)).slice(0, MOST_SUGGESTIONS)
}

/** Who is named in a text by their user name, each once. */
export function mentionedIn<Person extends Mentionable>(text: string, people: readonly Person[]): Person[] {
  const longestFirst = people.toSorted((one, other) => other.username.length - one.username.length)
  const found = new Set<Person>()
  for (const { index } of text.matchAll(/(?<=^|[\s(])@/g)) {
    const rest = text.slice(index + 1).toLowerCase()
    const person = longestFirst.find(
      ({ username }) => rest.startsWith(username.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(rest.slice(username.length)),
    )
    if (person) found.add(person)
  }
  return [...found]
}
