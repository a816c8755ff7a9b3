import { mayDoInTeam } from '@boxyard/api'
import type { Builder } from '../graphql/builder.ts'
import { defineListLoader } from '../graphql/loader.ts'
import { requireUser } from '../graphql/requireUser.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { validInput } from '../graphql/validInput.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { standingLoader } from '../workspaces/loaders.ts'
import { findRegistries, openKey, registrySchema, removeRegistry, setRegistry } from './registries.ts'

const registryLoader = defineListLoader(
  ({ database }, teamIds) => findRegistries(database, teamIds),
  ({ teamId }) => teamId,
)

/** What the query API says about private package registries. */
export function defineRegistries(builder: Builder, types: GraphqlTypes): void {
  types.privateRegistry.implement({
    fields: (t) => ({
      authType: t.expose('authType', { type: types.authType, nullable: true }),
      enabledScopes: t.expose('enabledScopes', { type: ['String'], nullable: false }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      limitToScopes: t.expose('limitToScopes', { type: 'Boolean', nullable: true }),
      proxyEnabled: t.expose('proxyEnabled', { type: 'Boolean', nullable: true }),
      registryAuthKey: t.string({
        nullable: true,
        // Only for whoever may change it; the other members use the registry without seeing its key.
        resolve: async (registry, _args, context) => {
          const standing = await standingLoader(context).load(registry.teamId)
          return mayDoInTeam(standing, 'changeRegistry') ? openKey(context.server.sealer, registry) : null
        },
      }),
      registryType: t.expose('registryType', { type: types.registryType, nullable: false }),
      registryUrl: t.expose('registryUrl', { type: 'String', nullable: true }),
      sandpackTrustedDomains: t.expose('sandpackTrustedDomains', { type: ['String'], nullable: false }),
      teamId: t.expose('teamId', { type: 'UUID4', nullable: false }),
    }),
  })

  builder.objectField(types.team, 'privateRegistry', (t) =>
    t.field({
      type: types.privateRegistry,
      nullable: true,
      resolve: async ({ id }, _args, context) => (await registryLoader(context).load(id))[0] ?? null,
    }),
  )

  builder.mutationFields((t) => ({
    createOrUpdatePrivateNpmRegistry: t.field({
      type: types.privateRegistry,
      nullable: false,
      args: {
        authType: t.arg({ type: types.authType }),
        enabledScopes: t.arg.stringList({ required: true }),
        limitToScopes: t.arg.boolean({ required: true }),
        proxyEnabled: t.arg.boolean({ required: true }),
        registryAuthKey: t.arg.string(),
        registryType: t.arg({ type: types.registryType, required: true }),
        registryUrl: t.arg.string(),
        sandpackTrustedDomains: t.arg.stringList(),
        teamId: t.arg({ type: 'UUID4', required: true }),
      },
      resolve: (_root, { teamId, ...args }, context) => {
        const user = requireUser(context)
        const settings = validInput(registrySchema, args)
        return inTransaction(context.database, user, (work) =>
          setRegistry(work, context.server.sealer, user, teamId, settings),
        )
      },
    }),
    deletePrivateNpmRegistry: t.field({
      type: types.privateRegistry,
      nullable: true,
      args: { teamId: t.arg({ type: 'UUID4', required: true }) },
      resolve: (_root, { teamId }, context) => {
        const user = requireUser(context)
        return inTransaction(context.database, user, (work) => removeRegistry(work, user, teamId))
      },
    }),
  }))
}
