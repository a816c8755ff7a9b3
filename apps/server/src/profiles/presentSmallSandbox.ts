import type { SmallSandboxAnswer } from '@boxyard/api'
import type { User } from '../accounts/users.ts'
import { environmentOf } from '../sandboxes/environment.ts'
import { iconUrl } from '../sandboxes/presentSandbox.ts'
import { aliasOf } from '../sandboxes/sandboxIds.ts'
import type { Privacy, Sandbox } from '../sandboxes/sandboxes.ts'
import { screenshotUrl } from '../sandboxes/screenshots.ts'
import type { TemplateCatalogue } from '../sandboxes/templates.ts'

export function presentSmallSandbox(
  sandbox: Sandbox,
  author: User | null,
  templates: TemplateCatalogue,
): SmallSandboxAnswer {
  const template = sandbox.template === null ? null : templates.find(sandbox.template)
  return {
    id: sandbox.id,
    alias: aliasOf(sandbox),
    title: sandbox.title,
    description: sandbox.description,
    template: environmentOf(sandbox, templates),
    forked_template: template && { id: template.id, title: template.title, icon_url: iconUrl(template) },
    privacy: sandbox.privacy as Privacy,
    v2: sandbox.isV2,
    is_frozen: sandbox.isFrozen,
    tags: sandbox.tags,
    author: author && { id: author.id, username: author.username, name: author.name, avatar_url: author.avatarUrl },
    view_count: sandbox.viewCount,
    like_count: sandbox.likeCount,
    fork_count: sandbox.forkCount,
    screenshot_url: screenshotUrl(sandbox),
    inserted_at: sandbox.insertedAt.toISOString(),
    updated_at: sandbox.updatedAt.toISOString(),
  }
}
