import { environmentSchema, settingDocumentation } from './configuration.ts'
import type { SettingName } from './configuration.ts'

/** The guide to the settings, in Markdown, from the one schema that also checks them. */
export function configurationGuide(): string {
  const names = Object.keys(environmentSchema.shape) as SettingName[]
  const rows = names.map((name) => {
    const { description, expected, fallback } = settingDocumentation.get(environmentSchema.shape[name])!
    return `| \`${name}\` | ${[description, expected, fallback].map(cell).join(' | ')} |`
  })
  return `${[
    '# Settings',
    '',
    'The server reads its settings from the environment when it starts. A value that is not valid, or a name that begins with',
    '`BOXYARD_` and is not in this list, stops the start with a message that names it.',
    '',
    '| Setting | What it does | Expected | Without it |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    '<!-- Written by `node --import tsx apps/server/scripts/writeConfigurationGuide.ts`. -->',
  ].join('\n')}\n`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
