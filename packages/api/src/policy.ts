import { ApiError } from './errors.ts'

/** Who may do what: one row an operation, the roles that may. */
export interface Policy<Role extends string, Operation extends string> {
  /** Weakest first. */
  roles: readonly Role[]
  operations: readonly Operation[]
  table: Readonly<Record<Operation, readonly Role[]>>
  mayDo(role: Role, operation: Operation): boolean
  /** The column of a role, for clients: what it may do, by operation. */
  abilitiesOf(role: Role): Record<Operation, boolean>
  /** Throws FORBIDDEN unless the role may do it. `detail` says it more exactly than the catalogue. */
  authorize(role: Role, operation: Operation, detail?: string): void
  stronger(a: Role, b: Role): Role
}

export function definePolicy<Role extends string, Operation extends string>(
  roles: readonly Role[],
  table: Readonly<Record<Operation, readonly Role[]>>,
): Policy<Role, Operation> {
  const operations = Object.keys(table) as Operation[]
  const mayDo = (role: Role, operation: Operation) => table[operation].includes(role)
  return {
    roles,
    operations,
    table,
    mayDo,
    abilitiesOf: (role) =>
      Object.fromEntries(operations.map((operation) => [operation, mayDo(role, operation)])) as Record<
        Operation,
        boolean
      >,
    authorize(role, operation, detail) {
      if (!mayDo(role, operation)) throw new ApiError('FORBIDDEN', detail === undefined ? {} : { detail })
    },
    stronger: (a, b) => (roles.indexOf(a) >= roles.indexOf(b) ? a : b),
  }
}
