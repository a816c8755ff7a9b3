import { isObjectType } from 'graphql'
import type { GraphQLSchema } from 'graphql'

/**
 * Takes the resolver from every field that only shows the property of its own name. A compiled document then reads the property where it
 * writes the answer; for a resolver it makes a function and a description of the field for each of them, in each entry of a list.
 */
export function readProperties(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (field.extensions['pothosExposedField'] === field.name) delete field.resolve
    }
  }
  return schema
}
