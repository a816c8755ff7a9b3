import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'

/** What the query API says about registries. */
export function defineRegistries(builder: Builder, types: GraphqlTypes): void {
  types.privateRegistry.implement({
    fields: (t) => ({
      authType: t.expose('authType', { type: types.authType, nullable: true }),
      enabledScopes: t.expose('enabledScopes', { type: ['String'], nullable: false }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      limitToScopes: t.expose('limitToScopes', { type: 'Boolean', nullable: true }),
      proxyEnabled: t.expose('proxyEnabled', { type: 'Boolean', nullable: true }),
      registryType: t.expose('registryType', { type: types.registryType, nullable: false }),
      registryUrl: t.expose('registryUrl', { type: 'String', nullable: true }),
      sandpackTrustedDomains: t.expose('sandpackTrustedDomains', { type: ['String'], nullable: false }),
      teamId: t.expose('teamId', { type: 'UUID4', nullable: false }),
    }),
  })
}
