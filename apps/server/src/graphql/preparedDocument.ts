import { getArgumentValues, getVariableValues, GraphQLError, Kind } from 'graphql'
import type {
  DocumentNode,
  FieldNode,
  GraphQLField,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql'
import type { GraphqlAnswer } from './executor.ts'
import type { GraphqlContext } from './graphqlContext.ts'

/** A document that was parsed, checked and compiled. */
export interface PreparedDocument {
  /** Tells documents apart. */
  id: string
  document: DocumentNode
  operation: OperationDefinitionNode
  run(root: unknown, context: GraphqlContext, variables: Record<string, unknown>): Promise<GraphqlAnswer>
}

/** The one field that a subscription follows, with its arguments. Throws GraphQLError for variables that do not fit. */
export function followedField(
  schema: GraphQLSchema,
  { document, operation }: PreparedDocument,
  variables: Record<string, unknown>,
): { field: GraphQLField<unknown, unknown>; args: Record<string, unknown> } {
  const node = firstField(document, operation.selectionSet)
  const field = node && schema.getSubscriptionType()?.getFields()[node.name.value]
  if (!field) throw new GraphQLError('A subscription selects one field of the subscription type')
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables)
  if (errors) throw errors[0]!
  return { field, args: getArgumentValues(field, node, coerced) }
}

function firstField(document: DocumentNode, { selections }: SelectionSetNode): FieldNode | null {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) return selection
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : document.definitions.find(
            (definition) =>
              definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
          )
    const found =
      inner && 'selections' in inner
        ? firstField(document, inner)
        : inner && 'selectionSet' in inner
          ? firstField(document, inner.selectionSet!)
          : null
    if (found) return found
  }
  return null
}
