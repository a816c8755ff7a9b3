import { Column, is } from 'drizzle-orm'

/** The parts of a prepared query of Drizzle that say how its rows are read. */
interface Prepared {
  fields?: readonly { path: readonly string[]; field: unknown }[] | undefined
  customResultMapper?: ((rows: readonly (readonly unknown[])[]) => unknown[]) | undefined
}

/**
 * Lets a prepared query of columns of one table know once how its cells are read. Drizzle looks at each cell of each row for what it is, which
 * takes longer than reading it. Every other query stays as it is.
 */
export function compileRows<Query extends object>(query: Query): Query {
  const prepared: Prepared = query
  const { fields, customResultMapper } = prepared
  if (!fields || customResultMapper) return query
  const cells: { name: string; column: Column; plain: boolean }[] = []
  for (const { path, field } of fields) {
    // With a longer path it is of a joined table, of which there may be no row.
    if (path.length !== 1 || !is(field, Column)) return query
    const plain = field.mapFromDriverValue === Column.prototype.mapFromDriverValue
    cells.push({ name: path[0]!, column: field, plain })
  }
  prepared.customResultMapper = (rows) =>
    rows.map((row) => {
      const entry: Record<string, unknown> = {}
      for (let index = 0; index < cells.length; index += 1) {
        const { name, column, plain } = cells[index]!
        const value = row[index]
        entry[name] = plain || value === null ? value : column.mapFromDriverValue(value)
      }
      return entry
    })
  return query
}
