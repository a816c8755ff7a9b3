import { abilitiesOf } from '@boxyard/api'
import type { SandboxAnswer } from '@boxyard/api'
import type { User } from '../accounts/users.ts'
import type { Team } from '../workspaces/teams.ts'
import { aliasOf } from './sandboxIds.ts'
import type { Privacy, Sandbox, SandboxAccess } from './sandboxes.ts'
import type { OfficialTemplate } from './templates.ts'

export interface SandboxSurroundings {
  author: User | null
  team: Team
  template: OfficialTemplate | null
  /** What it was forked from, if whoever asks may see that. */
  forkedFrom: Sandbox | null
}

export function iconUrl(template: OfficialTemplate): string | null {
  return template.icon === null ? null : `/api/v1/sandboxes/templates/${encodeURIComponent(template.name)}/icon.svg`
}

export function presentSandbox({ sandbox, role }: SandboxAccess, around: SandboxSurroundings): SandboxAnswer {
  const { author, team, template, forkedFrom } = around
  return {
    id: sandbox.id,
    alias: aliasOf(sandbox),
    title: sandbox.title,
    description: sandbox.description,
    v2: sandbox.isV2,
    privacy: sandbox.privacy as Privacy,
    is_frozen: sandbox.isFrozen,
    draft: sandbox.collectionId === null,
    restricted: false,
    owned: role === 'owner',
    authorization: role,
    abilities: abilitiesOf(role),
    author: author && { id: author.id, username: author.username, name: author.name, avatar_url: author.avatarUrl },
    team: { id: team.id, name: team.name, avatar_url: team.avatarUrl },
    template: template?.environment ?? 'node',
    entry: template?.entry ?? null,
    custom_template: null,
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
    user_liked: false,
    modules: [],
    directories: [],
    external_resources: [],
    npm_registries: [],
    npm_dependencies: {},
    environment_variables: null,
    feature_flags: {},
    git: null,
    original_git: null,
    base_git: null,
    room_id: null,
    source_id: sandbox.id,
    version: 0,
    screenshot_url: null,
    permissions: { prevent_sandbox_leaving: false, prevent_sandbox_export: false },
    inserted_at: sandbox.insertedAt.toISOString(),
    updated_at: sandbox.updatedAt.toISOString(),
  }
}
