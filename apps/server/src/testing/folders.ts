import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder that other users may pass through, as the user of a managed PostgreSQL has to when tests run as root. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `boxyard-test-${name}-`))
  chmodSync(folder, 0o711)
  return folder
}
