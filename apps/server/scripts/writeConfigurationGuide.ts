// Writes docs/guides/configuration.md from the schema of the settings.
import { mkdirSync, writeFileSync } from 'node:fs'
import { configurationGuide } from '../src/configurationGuide.ts'

const folder = new URL('../../../docs/guides/', import.meta.url)
mkdirSync(folder, { recursive: true })
writeFileSync(new URL('configuration.md', folder), configurationGuide())
