import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder with templates of the given descriptions, and the task files of those that have one. */
export function writeTemplates(
  descriptions: Record<string, unknown>,
  taskFiles: Record<string, unknown> = {},
): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'boxyard-test-templates-'))
  for (const [name, description] of Object.entries(descriptions)) {
    mkdirSync(join(folder, name, '.codesandbox'), { recursive: true })
    writeFileSync(join(folder, name, '.codesandbox', 'template.json'), JSON.stringify(description))
    if (name in taskFiles) {
      writeFileSync(join(folder, name, '.codesandbox', 'tasks.json'), JSON.stringify(taskFiles[name]))
    }
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}
