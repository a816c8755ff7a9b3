import { abilitiesOf } from '@boxyard/api'
import type { SandboxAnswer } from '@boxyard/api'
import type { User } from '../accounts/users.ts'
import type { CustomTemplate } from './graphqlTypes.ts'
import type { Team } from '../workspaces/teams.ts'
import { presentDirectory, presentModule } from './presentFiles.ts'
import type { SandboxFiles } from './sandboxFiles.ts'
import { aliasOf } from './sandboxIds.ts'
import type { Privacy, Sandbox, SandboxAccess } from './sandboxes.ts'
import type { OfficialTemplate } from './templates.ts'

export interface SandboxSurroundings {
  author: User | null
  team: Team
  template: OfficialTemplate | null
  /** What it was forked from, if whoever asks may see that. */
  forkedFrom: Sandbox | null
  /** What it is as a template of its workspace, if it is one. */
  customTemplate: CustomTemplate | null
  /** Whether it is beyond what the plan of its workspace includes. */
  restricted: boolean
  /** Whether whoever asks likes it. */
  liked: boolean
  /** The branch of a repository that it is the box of. */
  branch: SandboxAnswer['git']
  /** Empty for a devbox, which has its files on its machine. */
  files: SandboxFiles
}

export function iconUrl(template: OfficialTemplate): string | null {
  return template.icon === null ? null : `/api/v1/sandboxes/templates/${encodeURIComponent(template.name)}/icon.svg`
}

export function presentSandbox({ sandbox, role }: SandboxAccess, around: SandboxSurroundings): SandboxAnswer {
  const { author, team, template, forkedFrom, customTemplate } = around
  return {
    id: sandbox.id,
    alias: aliasOf(sandbox),
    title: sandbox.title,
    description: sandbox.description,
    v2: sandbox.isV2,
    privacy: sandbox.privacy as Privacy,
    is_frozen: sandbox.isFrozen,
    draft: sandbox.collectionId === null,
    restricted: around.restricted,
    owned: role === 'owner',
    authorization: role,
    abilities: abilitiesOf(role),
    author: author && { id: author.id, username: author.username, name: author.name, avatar_url: author.avatarUrl },
    team: { id: team.id, name: team.name, avatar_url: team.avatarUrl },
    template: template?.environment ?? 'node',
    entry: template?.entry ?? null,
    custom_template: customTemplate && {
      id: customTemplate.id,
      title: customTemplate.title,
      color: customTemplate.color,
      icon_url: customTemplate.iconUrl,
      published: customTemplate.published,
    },
    forked_template: template && {
      id: template.id,
      title: template.title,
      icon_url: iconUrl(template),
      url: null,
      v2: true,
    },
    forked_from_sandbox: forkedFrom && { id: forkedFrom.id, title: forkedFrom.title, alias: aliasOf(forkedFrom) },
    tags: sandbox.tags,
    view_count: sandbox.viewCount,
    fork_count: sandbox.forkCount,
    like_count: sandbox.likeCount,
    user_liked: around.liked,
    modules: around.files.modules.map(presentModule),
    directories: around.files.directories.map(presentDirectory),
    external_resources: sandbox.externalResources,
    npm_registries: [],
    npm_dependencies: {},
    environment_variables: null,
    feature_flags: {},
    git: around.branch,
    original_git: null,
    base_git: null,
    room_id: null,
    source_id: sandbox.id,
    version: sandbox.version,
    screenshot_url: sandbox.screenshotUrl,
    permissions: {
      prevent_sandbox_leaving: sandbox.preventSandboxLeaving || team.preventSandboxLeaving,
      prevent_sandbox_export: sandbox.preventSandboxExport || team.preventSandboxExport,
    },
    inserted_at: sandbox.insertedAt.toISOString(),
    updated_at: sandbox.updatedAt.toISOString(),
  }
}
