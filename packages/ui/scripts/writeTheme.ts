// Writes theme.css from the tokens: npx tsx packages/ui/scripts/writeTheme.ts
import { writeFileSync } from 'node:fs'
import { themeCss } from '../src/themeCss.ts'

writeFileSync(new URL('../src/theme.css', import.meta.url), themeCss())
