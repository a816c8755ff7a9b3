import type { Builder } from '../graphql/builder.ts'
import { defineLoader } from '../graphql/loader.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { teamFlags, userFlags } from './flags.ts'

const userFlagsLoader = defineLoader<string, Record<string, boolean>>(async ({ database }, ids) => {
  const found = await userFlags(database, ids)
  return ids.map((id) => found.get(id)!)
})
const teamFlagsLoader = defineLoader<string, Record<string, boolean>>(async ({ database }, ids) => {
  const found = await teamFlags(database, ids)
  return ids.map((id) => found.get(id)!)
})

/** What the query API says about feature flags. */
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

  builder.objectField(types.currentUser, 'featureFlags', (t) =>
    t.field({
      type: types.userFeatureFlags,
      nullable: false,
      resolve: async ({ id }, _args, context) => ({
        ubbBeta: (await userFlagsLoader(context).load(id))['ubbBeta'] ?? false,
      }),
    }),
  )
  builder.objectField(types.team, 'featureFlags', (t) =>
    t.field({
      type: types.teamFeatureFlags,
      nullable: false,
      resolve: async ({ id, usageBillingBeta }, _args, context) => {
        const flags = await teamFlagsLoader(context).load(id)
        return { friendOfCsb: flags['friendOfCsb'] ?? false, ubbBeta: usageBillingBeta || (flags['ubbBeta'] ?? false) }
      },
    }),
  )
}
