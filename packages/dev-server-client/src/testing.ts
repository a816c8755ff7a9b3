export type { Author, Retraction } from './testing/author.ts'
export { WireTable } from './testing/wireTable.ts'
export type { WireTableOptions } from './testing/wireTable.ts'
