import { GraphQLError, Kind, Lexer, Source, TokenKind } from 'graphql'
import type { ASTVisitor, FragmentDefinitionNode, SelectionSetNode, ValidationContext, ValidationRule } from 'graphql'

export const MAX_TOKENS = 5000
export const MAX_DEPTH = 12
export const MAX_FIELDS = 1000
export const MAX_ALIASES = 30
/** Brackets in brackets, of values as well. Reading deeper ones could take more stack than there is. */
export const MAX_NESTING = 100

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** Throws GraphQLError for a text that is too long or too deep to be parsed. */
export function checkNesting(text: string): void {
  const lexer = new Lexer(new Source(text))
  let depth = 0
  for (let count = 0; lexer.advance().kind !== TokenKind.EOF; count += 1) {
    const { kind } = lexer.token
    if (opening.has(kind)) depth += 1
    if (closing.has(kind)) depth -= 1
    if (depth > MAX_NESTING) throw new GraphQLError(`The document is nested deeper than ${MAX_NESTING} levels`)
    if (count >= MAX_TOKENS) throw new GraphQLError(`The document has more than ${MAX_TOKENS} tokens`)
  }
}

interface Size {
  depth: number
  fields: number
  aliases: number
}

/**
 * Refuses documents that ask for too much, before anything runs. Fragments count as often as they are spread. Introspection is
 * free: what it can ask for is bounded by the schema.
 */
export const limits: ValidationRule = (context: ValidationContext): ASTVisitor => {
  // Each fragment is measured once, so that fragments of fragments do not make the measuring itself grow.
  const measured = new Map<string, Size>()

  function measure(set: SelectionSetNode, visiting: ReadonlySet<string>): Size {
    const total: Size = { depth: 0, fields: 0, aliases: 0 }
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        if (selection.name.value.startsWith('__')) continue
        const inner = selection.selectionSet ? measure(selection.selectionSet, visiting) : null
        add(total, {
          depth: 1 + (inner?.depth ?? 0),
          fields: 1 + (inner?.fields ?? 0),
          aliases: (selection.alias ? 1 : 0) + (inner?.aliases ?? 0),
        })
      } else if (selection.kind === Kind.INLINE_FRAGMENT) add(total, measure(selection.selectionSet, visiting))
      else {
        const fragment = context.getFragment(selection.name.value)
        // A fragment in itself is refused by another rule.
        if (fragment && !visiting.has(fragment.name.value)) add(total, measureFragment(fragment, visiting))
      }
    }
    return total
  }

  function measureFragment(fragment: FragmentDefinitionNode, visiting: ReadonlySet<string>): Size {
    const name = fragment.name.value
    const known = measured.get(name)
    if (known) return known
    const size = measure(fragment.selectionSet, new Set([...visiting, name]))
    measured.set(name, size)
    return size
  }

  return {
    OperationDefinition(node) {
      const { depth, fields, aliases } = measure(node.selectionSet, new Set())
      const problem =
        depth > MAX_DEPTH
          ? `is ${depth} levels deep; ${MAX_DEPTH} are allowed`
          : fields > MAX_FIELDS
            ? `asks for ${fields} fields; ${MAX_FIELDS} are allowed`
            : aliases > MAX_ALIASES
              ? `has ${aliases} aliases; ${MAX_ALIASES} are allowed`
              : null
      if (problem) context.reportError(new GraphQLError(`The operation ${problem}`, { nodes: node }))
    },
  }
}

function add(total: Size, part: Size): void {
  total.depth = Math.max(total.depth, part.depth)
  total.fields += part.fields
  total.aliases += part.aliases
}
