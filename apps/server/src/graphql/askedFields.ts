import { Kind } from 'graphql'
import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql'

/** Compiled documents give the same nodes each time. */
const found = new WeakMap<readonly FieldNode[], ReadonlySet<string>>()

/** Names of the fields that a document asks of what a resolver answers with, also in fragments and behind conditions. */
export function askedFields({
  fieldNodes,
  fragments,
}: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>): ReadonlySet<string> {
  const known = found.get(fieldNodes)
  if (known) return known
  const names = new Set<string>()
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value)
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet)
      else collect(fragments[selection.name.value]!.selectionSet)
    }
  }
  for (const { selectionSet } of fieldNodes) if (selectionSet) collect(selectionSet)
  found.set(fieldNodes, names)
  return names
}
