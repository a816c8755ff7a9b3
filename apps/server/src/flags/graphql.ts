import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'

/** What the query API says about flags. */
export function defineFlags(builder: Builder, types: GraphqlTypes): void {
  types.teamFeatureFlags.implement({
    fields: (t) => ({
      friendOfCsb: t.expose('friendOfCsb', { type: 'Boolean', nullable: false }),
      ubbBeta: t.expose('ubbBeta', { type: 'Boolean', nullable: false }),
    }),
  })

  types.userFeatureFlags.implement({
    fields: (t) => ({
      ubbBeta: t.expose('ubbBeta', { type: 'Boolean', nullable: false }),
    }),
  })
}
