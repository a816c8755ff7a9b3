import { z } from 'zod'
import type { App } from '../App.ts'

/** The pages about sandboxes read their lists again. */
export const sandboxesChanged = (app: App) =>
  Promise.all(['recent', 'sandbox', 'sandboxes'].map((key) => app.queries.invalidateQueries({ queryKey: [key] })))

async function change(app: App, document: string, variables: Record<string, unknown>): Promise<void> {
  await app.graphql.query(document, { variables, schema: z.unknown() })
  await sandboxesChanged(app)
}

export const renameSandbox = (app: App, id: string, title: string) =>
  change(app, `mutation renameSandbox($id: ID!, $title: String!) { renameSandbox(id: $id, title: $title) { id } }`, {
    id,
    title,
  })

/** Moves sandboxes to the trash, from which they can be restored for 30 days. */
export const deleteSandboxes = (app: App, sandboxIds: readonly string[]) =>
  change(app, `mutation deleteSandboxes($sandboxIds: [ID!]!) { deleteSandboxes(sandboxIds: $sandboxIds) { id } }`, {
    sandboxIds,
  })

export const permanentlyDeleteSandboxes = (app: App, sandboxIds: readonly string[]) =>
  change(
    app,
    `mutation permanentlyDeleteSandboxes($sandboxIds: [ID!]!) { permanentlyDeleteSandboxes(sandboxIds: $sandboxIds) { id } }`,
    { sandboxIds },
  )

/** Files sandboxes in a folder of a workspace; without a path they become drafts. Also takes them out of the trash. */
export const moveSandboxes = (
  app: App,
  sandboxIds: readonly string[],
  { teamId, path }: { teamId: string; path: string | null },
) =>
  change(
    app,
    `mutation addToCollectionOrTeam($sandboxIds: [ID], $teamId: UUID4, $collectionPath: String) { addToCollectionOrTeam(sandboxIds: $sandboxIds, teamId: $teamId, collectionPath: $collectionPath) { id } }`,
    { sandboxIds, teamId, collectionPath: path },
  )

export const setPrivacy = (app: App, sandboxIds: readonly string[], privacy: number) =>
  change(
    app,
    `mutation setSandboxesPrivacy($sandboxIds: [ID!]!, $privacy: Int) { setSandboxesPrivacy(sandboxIds: $sandboxIds, privacy: $privacy) { id } }`,
    { sandboxIds, privacy },
  )

export const setFrozen = (app: App, sandboxIds: readonly string[], isFrozen: boolean) =>
  change(
    app,
    `mutation setSandboxesFrozen($sandboxIds: [ID!]!, $isFrozen: Boolean!) { setSandboxesFrozen(sandboxIds: $sandboxIds, isFrozen: $isFrozen) { id } }`,
    { sandboxIds, isFrozen },
  )

export const setTemplates = (app: App, sandboxIds: readonly string[], areTemplates: boolean) => {
  const name = areTemplates ? 'makeSandboxesTemplates' : 'unmakeSandboxesTemplates'
  return change(app, `mutation ${name}($sandboxIds: [ID!]!) { ${name}(sandboxIds: $sandboxIds) { id } }`, {
    sandboxIds,
  })
}

export const createFolder = (app: App, teamId: string, path: string) =>
  change(
    app,
    `mutation createCollection($path: String!, $teamId: UUID4) { createCollection(path: $path, teamId: $teamId) { path } }`,
    { path, teamId },
  )

export const renameFolder = (app: App, teamId: string, path: string, newPath: string) =>
  change(
    app,
    `mutation renameCollection($path: String!, $newPath: String!, $teamId: UUID4, $newTeamId: UUID4) { renameCollection(path: $path, newPath: $newPath, teamId: $teamId, newTeamId: $newTeamId) { path } }`,
    { path, newPath, teamId, newTeamId: teamId },
  )

export const deleteFolder = (app: App, teamId: string, path: string) =>
  change(
    app,
    `mutation deleteCollection($path: String!, $teamId: UUID4) { deleteCollection(path: $path, teamId: $teamId) { path } }`,
    { path, teamId },
  )
