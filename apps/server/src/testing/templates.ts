import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder with templates of the given descriptions. */
export function writeTemplates(descriptions: Record<string, unknown>): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'boxyard-test-templates-'))
  for (const [name, description] of Object.entries(descriptions)) {
    mkdirSync(join(folder, name, '.codesandbox'), { recursive: true })
    writeFileSync(join(folder, name, '.codesandbox', 'template.json'), JSON.stringify(description))
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}
