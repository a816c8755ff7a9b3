import { abilitiesOf, mayDo, USUAL_TIER } from '@boxyard/api'
import type { SandboxAnswer, WorkspaceTemplateAnswer } from '@boxyard/api'
import type { User } from '../accounts/users.ts'
import type { ProSubscriptionRow } from '../billing/graphqlTypes.ts'
import type { gits } from '../database/schema.ts'
import type { PrivateRegistryRow } from '../registries/graphqlTypes.ts'
import type { CustomTemplate } from './graphqlTypes.ts'
import type { Team } from '../workspaces/teams.ts'
import { presentDirectory, presentModule } from './presentFiles.ts'
import type { SandboxFiles } from './sandboxFiles.ts'
import { aliasOf } from './sandboxIds.ts'
import { screenshotUrl } from './screenshots.ts'
import type { Privacy, Sandbox, SandboxAccess } from './sandboxes.ts'
import type { OfficialTemplate } from './templates.ts'

export interface SandboxSurroundings {
  author: User | null
  team: Team
  template: OfficialTemplate | null
  /** What it was forked from, if whoever asks may see that. */
  forkedFrom: Sandbox | null
  /** What that is as a template of its workspace, and where in a repository. */
  forkedTemplate: CustomTemplate | null
  forkedGit: GitPlace | null
  /** What it runs on. */
  forkedEnvironment: string
  /** What is said about the author beside the name. */
  authorBadges: readonly { id: string; name: string; visible: boolean }[]
  authorSubscription: Pick<ProSubscriptionRow, 'insertedAt' | 'origin'> | null
  /** What it is as a template of its workspace, if it is one. */
  customTemplate: CustomTemplate | null
  /** Whether it is beyond what the plan of its workspace includes. */
  restricted: boolean
  /** Whether whoever asks likes it. */
  liked: boolean
  /** Empty for a devbox, which has its files on its machine. */
  files: SandboxFiles
  /** Where in repositories it is from: its own place or the branch that it is the box of, what it was forked from, and what that goes back to. */
  git: GitPlace | null
  originalGit: GitPlace | null
  baseGit: GitPlace | null
  /** Where private packages of its workspace come from; never with the key. */
  registries: readonly PrivateRegistryRow[]
  featureFlags: Record<string, boolean>
  /** Whether artificial intelligence may read it. */
  aiConsent: boolean
  /** Path of the folder of its workspace that it is in; null for a draft. */
  folder: string | null
  /** The live session that runs in it. */
  roomId: string | null
}

type GitPlace = Pick<typeof gits.$inferSelect, 'username' | 'repo' | 'branch' | 'path' | 'commitSha'>

export function iconUrl(template: OfficialTemplate): string | null {
  return template.icon === null ? null : `/api/v1/sandboxes/templates/${encodeURIComponent(template.name)}/icon.svg`
}

export function presentSandbox({ sandbox, role }: SandboxAccess, around: SandboxSurroundings): SandboxAnswer {
  const { author, team, template, forkedFrom, customTemplate, forkedTemplate, authorSubscription } = around
  const forked = forkedFrom && presentForked(forkedFrom, around)
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
    author: author && {
      id: author.id,
      username: author.username,
      name: author.name,
      avatar_url: author.avatarUrl,
      badges: around.authorBadges.filter(({ visible }) => visible),
      subscription_since: authorSubscription?.insertedAt.toISOString() ?? null,
      subscription_plan: authorSubscription && (authorSubscription.origin === 'patron' ? 'patron' : 'pro'),
    },
    team: { id: team.id, name: team.name, avatar_url: team.avatarUrl },
    template: sandbox.environment ?? template?.environment ?? 'node',
    entry: sandbox.entry ?? template?.entry ?? null,
    custom_template: customTemplate && presentTemplate(customTemplate, sandbox),
    forked_template: template
      ? {
          id: template.id,
          title: template.title,
          color: null,
          icon_url: iconUrl(template),
          published: true,
          url: null,
          v2: true,
        }
      : (forked?.custom_template ?? null),
    forked_template_sandbox: forkedTemplate && forked,
    forked_from_sandbox: forked,
    tags: sandbox.tags,
    view_count: sandbox.viewCount,
    fork_count: sandbox.forkCount,
    like_count: sandbox.likeCount,
    user_liked: around.liked,
    modules: around.files.modules.map(presentModule),
    directories: around.files.directories.map(presentDirectory),
    external_resources: sandbox.externalResources,
    npm_registries: mayDo(role, 'edit') ? around.registries.map(presentRegistry) : [],
    npm_dependencies: dependenciesIn(around.files),
    // They are asked for by a call of their own, which only those answer to who may change them.
    environment_variables: null,
    feature_flags: around.featureFlags,
    git: presentGit(around.git),
    original_git: presentGit(around.originalGit),
    base_git: presentGit(around.baseGit),
    original_git_commit_sha: around.originalGit?.commitSha ?? null,
    base_git_commit_sha: around.baseGit?.commitSha ?? null,
    // The call for one sandbox puts in what only the git host and the session of whoever asks can say.
    original_git_changes: null,
    preview_secret: null,
    pr_number: sandbox.prNumber,
    room_id: around.roomId,
    source_id: sandbox.id,
    source: { template: sandbox.environment ?? template?.environment ?? 'node' },
    collection: around.folder === null ? null : { path: around.folder },
    vm_tier: sandbox.isV2 ? (sandbox.vmTier ?? USUAL_TIER) : null,
    ai_consent: around.aiConsent,
    version: sandbox.version,
    screenshot_url: screenshotUrl(sandbox),
    permissions: {
      prevent_sandbox_leaving: sandbox.preventSandboxLeaving || team.preventSandboxLeaving,
      prevent_sandbox_export: sandbox.preventSandboxExport || team.preventSandboxExport,
    },
    inserted_at: sandbox.insertedAt.toISOString(),
    updated_at: sandbox.updatedAt.toISOString(),
  }
}

function presentTemplate(template: CustomTemplate, sandbox: Sandbox): WorkspaceTemplateAnswer {
  const { id, title, color, iconUrl, published } = template
  return { id, title, color, icon_url: iconUrl, published, url: templateUrl(sandbox), v2: sandbox.isV2 }
}

function presentForked(
  sandbox: Sandbox,
  { forkedTemplate, forkedGit, forkedEnvironment }: SandboxSurroundings,
): SandboxAnswer['forked_from_sandbox'] {
  return {
    id: sandbox.id,
    alias: aliasOf(sandbox),
    title: sandbox.title,
    template: forkedEnvironment,
    custom_template: forkedTemplate && presentTemplate(forkedTemplate, sandbox),
    privacy: sandbox.privacy as Privacy,
    git: presentGit(forkedGit),
    inserted_at: sandbox.insertedAt.toISOString(),
    updated_at: sandbox.updatedAt.toISOString(),
  }
}

/** Where the sandbox that is a template of its workspace is looked at. */
export function templateUrl({ id, isV2 }: Pick<Sandbox, 'id' | 'isV2'>): string {
  return `/${isV2 ? 'devbox' : 'sandbox'}/${id}`
}

export function presentGit(place: GitPlace | null): SandboxAnswer['git'] {
  if (!place) return null
  const { username, repo, branch, path, commitSha } = place
  return { username, repo, branch, path, commit_sha: commitSha }
}

function presentRegistry(registry: PrivateRegistryRow): SandboxAnswer['npm_registries'][number] {
  return {
    enabled_scopes: registry.enabledScopes,
    limit_to_scopes: registry.limitToScopes,
    proxy_enabled: registry.proxyEnabled,
    registry_url: registry.registryUrl,
    registry_auth_type: registry.authType,
  }
}

/** What package.json at the top asks for; nothing while it can not be read. */
function dependenciesIn({ modules }: SandboxFiles): Record<string, string> {
  const manifest = modules.find(({ title, directoryShortid }) => title === 'package.json' && directoryShortid === null)
  if (!manifest) return {}
  try {
    const { dependencies } = JSON.parse(manifest.code) as { dependencies?: unknown }
    return Object.fromEntries(
      Object.entries(dependencies ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch (error) {
    // People are in the middle of writing it.
    if (error instanceof SyntaxError || error instanceof TypeError) return {}
    throw error
  }
}
