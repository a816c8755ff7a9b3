import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'

/** The subscriptions of the query API: none until the socket delivers them. */
export function defineSubscriptions(_builder: Builder, _types: GraphqlTypes): void {}
