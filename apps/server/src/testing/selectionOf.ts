import { getNamedType, isLeafType, isNonNullType, isObjectType, isUnionType } from 'graphql'
import type { GraphQLNamedType, GraphQLObjectType } from 'graphql'

/** Plain fields that are asked of a member of a union: each costs an alias, of which a document may have only so many. */
const MOST_OF_A_MEMBER = 3

/** Every field of a type that needs no arguments, and `depth` levels of them; of what is deeper the least. */
export function selectionOf(type: GraphQLNamedType, depth: number): string {
  if (isLeafType(type)) return ''
  if (isUnionType(type)) {
    const members = type.getTypes().map((member) => `... on ${member.name} { ${aliased(member)} }`)
    return `{ __typename ${members.join(' ')} }`
  }
  if (!isObjectType(type)) throw new Error(`${type.name} can not be selected from`)
  const fields = Object.values(type.getFields()).filter(({ args }) => args.every(({ type }) => !isNonNullType(type)))
  const plain = fields.filter((field) => isLeafType(getNamedType(field.type)))
  if (depth === 0) return `{ __typename ${plain[0]?.name ?? ''} }`
  const further = fields.filter((field) => !isLeafType(getNamedType(field.type)))
  return `{ __typename ${plain.map(({ name }) => name).join(' ')} ${further
    .map((field) => `${field.name} ${selectionOf(getNamedType(field.type), depth - 1)}`)
    .join(' ')} }`
}

/** The plain fields of a member of a union, renamed: two members may have one of the same name with another type. */
function aliased(type: GraphQLObjectType): string {
  const plain = Object.values(type.getFields()).filter((field) => isLeafType(getNamedType(field.type)))
  return plain
    .map(({ name }) => `${type.name}_${name}: ${name}`)
    .slice(0, MOST_OF_A_MEMBER)
    .join(' ')
}
