import { isEnumType, isInputObjectType, isObjectType, isSpecifiedScalarType, isUnionType } from 'graphql'
import type { GraphQLArgument, GraphQLField, GraphQLInputField, GraphQLNamedType, GraphQLSchema } from 'graphql'

export interface SchemaDifference {
  /** Members of the contract that the schema does not have, like `Sandbox.title`. */
  absent: string[]
  /** Members that only the schema has. */
  added: string[]
  /** Members of both that are not the same: what the contract says, and what the schema says. */
  different: { member: string; contract: string; schema: string }[]
}

/** Compares a schema with the contract it is held to, member by member. */
export function compareSchemas(contract: GraphQLSchema, schema: GraphQLSchema): SchemaDifference {
  const promised = membersOf(contract)
  const present = membersOf(schema)
  return {
    absent: [...promised.keys()].filter((member) => !present.has(member)).toSorted(),
    added: [...present.keys()].filter((member) => !promised.has(member)).toSorted(),
    different: [...promised].flatMap(([member, text]) => {
      const found = present.get(member)
      return found === undefined || found === text ? [] : [{ member, contract: text, schema: found }]
    }),
  }
}

/** Each member of each type, and how it is declared. */
function membersOf(schema: GraphQLSchema): Map<string, string> {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  )
  return new Map(types.flatMap((type) => [[type.name, kindOf(type)], ...declarations(type)] as const))
}

const kindOf = (type: GraphQLNamedType) => type.constructor.name

function declarations(type: GraphQLNamedType): (readonly [string, string])[] {
  if (isObjectType(type) || isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field: GraphQLField<unknown, unknown> | GraphQLInputField) => {
      const args = 'args' in field ? field.args.map(declarationOf).toSorted().join(', ') : ''
      const deprecated = field.deprecationReason == null ? '' : ' @deprecated'
      return [`${type.name}.${field.name}`, `${args && `(${args})`}: ${String(field.type)}${deprecated}`] as const
    })
  }
  if (isEnumType(type)) return type.getValues().map(({ name }) => [`${type.name}.${name}`, 'value'] as const)
  if (isUnionType(type)) return type.getTypes().map(({ name }) => [`${type.name}.${name}`, 'member'] as const)
  return []
}

function declarationOf({ name, type, defaultValue }: GraphQLArgument): string {
  return `${name}: ${String(type)}${defaultValue === undefined ? '' : ` = ${JSON.stringify(defaultValue).toLowerCase()}`}`
}
