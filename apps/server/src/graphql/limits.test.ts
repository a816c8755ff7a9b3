import { buildSchema, getIntrospectionQuery, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { limits, MAX_ALIASES, MAX_DEPTH, MAX_FIELDS } from './limits.ts'

const schema = buildSchema('type Query { node: Node } type Node { id: ID child: Node }')
const problems = (text: string) => validate(schema, parse(text), [limits]).map(({ message }) => message)
const nested = (depth: number) => `{ node { ${'child { '.repeat(depth - 2)} id ${'} '.repeat(depth - 2)} } }`

describe('the limits of documents', () => {
  it('allow the deepest allowed one and refuse a deeper one', () => {
    expect(problems(nested(MAX_DEPTH))).toEqual([])
    expect(problems(nested(MAX_DEPTH + 1))).toEqual([
      `The operation is ${MAX_DEPTH + 1} levels deep; ${MAX_DEPTH} are allowed`,
    ])
  })

  it('count aliases wherever they are', () => {
    const aliased = (count: number) => `{ node { ${Array.from({ length: count }, (_, n) => `a${n}: id`).join(' ')} } }`
    expect(problems(aliased(MAX_ALIASES))).toEqual([])
    expect(problems(aliased(MAX_ALIASES + 1))).toEqual([
      `The operation has ${MAX_ALIASES + 1} aliases; ${MAX_ALIASES} are allowed`,
    ])
  })

  it('count a fragment each time it is spread, however the fragments nest', () => {
    const levels = 40
    const fragments = Array.from(
      { length: levels },
      (_, n) => `fragment f${n} on Node { ...f${n + 1} ...f${n + 1} }`,
    ).join('\n')
    const [message] = problems(`{ node { ...f0 } } ${fragments} fragment f${levels} on Node { id }`)
    expect(message).toMatch(new RegExp(`^The operation asks for \\d+ fields; ${MAX_FIELDS} are allowed$`))
  })

  it('end on fragments that spread themselves', () => {
    expect(problems('{ node { ...a } } fragment a on Node { id ...b } fragment b on Node { id ...a }')).toEqual([])
  })

  it('let introspection through', () => {
    expect(problems(getIntrospectionQuery())).toEqual([])
  })
})
