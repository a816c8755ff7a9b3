import type { Builder } from '../graphql/builder.ts'
import type { privateRegistries } from '../database/schema.ts'

export type AuthTypeValue = 'basic' | 'bearer'
export type RegistryTypeValue = 'custom' | 'github' | 'npm'
export type PrivateRegistryRow = typeof privateRegistries.$inferSelect

/** The types of this domain, so that others can refer to them before they have fields. */
export function registriesTypes(builder: Builder) {
  const authType = builder.enumType('AuthType', {
    values: { BASIC: { value: 'basic' }, BEARER: { value: 'bearer' } } satisfies Record<
      string,
      { value: AuthTypeValue }
    >,
  })
  const registryType = builder.enumType('RegistryType', {
    values: { CUSTOM: { value: 'custom' }, GITHUB: { value: 'github' }, NPM: { value: 'npm' } } satisfies Record<
      string,
      { value: RegistryTypeValue }
    >,
  })
  const privateRegistry = builder.objectRef<PrivateRegistryRow>('PrivateRegistry')
  return { authType, registryType, privateRegistry }
}
