import { getTableColumns } from 'drizzle-orm'
import type { GraphQLResolveInfo } from 'graphql'
import { sandboxes } from '../database/schema.ts'
import { askedFields } from '../graphql/askedFields.ts'
import type { Sandbox } from './sandboxes.ts'

export type SandboxColumn = keyof Sandbox

const all = getTableColumns(sandboxes)

/** What somebody may do with a sandbox follows from these, so that no list goes without them. */
const always: readonly SandboxColumn[] = ['id', 'authorId', 'teamId', 'collectionId', 'privacy']

/** What fields of the query API are made of, where they have not the name of a column. */
const columnsOf: Readonly<Record<string, readonly SandboxColumn[]>> = {
  __typename: [],
  alias: ['chosenAlias', 'title'],
  author: [],
  authorization: [],
  baseGit: ['baseGitId'],
  collaborators: [],
  collection: [],
  comment: [],
  comments: [],
  customTemplate: [],
  draft: [],
  forkedTemplate: ['template'],
  git: ['gitId'],
  invitations: [],
  isSse: ['isV2'],
  lastAccessedAt: ['insertedAt'],
  originalGit: ['originalGitId'],
  permissions: ['preventSandboxExport', 'preventSandboxLeaving'],
  restricted: [],
  screenshotOutdated: ['isV2'],
  screenshotUrl: ['isV2', 'version'],
  settings: ['aiConsent'],
  source: ['sourceId', 'environment', 'template'],
  team: [],
}

/** The columns that a document needs of the sandboxes of a list; null for all of them. */
export function sandboxColumns(info: GraphQLResolveInfo): readonly SandboxColumn[] | null {
  const needed = new Set(always)
  for (const field of askedFields(info)) {
    const columns = columnsOf[field] ?? (field in all ? [field as SandboxColumn] : null)
    if (!columns) return null
    for (const column of columns) needed.add(column)
  }
  return [...needed].toSorted()
}

/** For a query that is to bring only some columns. */
export function selectionOfSandbox(columns: readonly SandboxColumn[] | null = null): typeof all {
  if (!columns) return all
  return Object.fromEntries(columns.map((column) => [column, all[column]])) as typeof all
}
