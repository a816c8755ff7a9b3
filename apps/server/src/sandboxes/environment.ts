import type { Sandbox } from './sandboxes.ts'
import type { TemplateCatalogue } from './templates.ts'

/** What a sandbox runs on, in one word, as the sources of clients name it. */
export function environmentOf(
  { environment, template }: Pick<Sandbox, 'environment' | 'template'>,
  templates: TemplateCatalogue,
): string {
  return environment ?? (template === null ? null : templates.find(template))?.environment ?? 'node'
}
