import type { ProjectFiles } from '../common/projectFiles.ts'
import { readJson } from './readJson.ts'

/** For which browsers a project is made, in the words of browserslist; undefined when it does not say. */
export function browserTargets(files: ProjectFiles): string[] | undefined {
  const { browserslist } = (readJson('/package.json', files) ?? {}) as { browserslist?: unknown }
  const own = textsOf(browserslist)
  if (own) return own
  if (typeof browserslist === 'object' && browserslist !== null) {
    const { development, defaults } = browserslist as Record<string, unknown>
    return textsOf(development) ?? textsOf(defaults)
  }
  const text = files.get('/.browserslistrc')
  if (typeof text !== 'string') return undefined
  const lines: string[] = []
  let isMeant = true
  for (const line of text.split('\n').map((one) => one.replace(/#.*/, '').trim())) {
    const section = /^\[(.+)\]$/.exec(line)?.[1]
    if (section !== undefined) isMeant = section.split(/\s+/).includes('development')
    else if (isMeant && line !== '') lines.push(line)
  }
  return lines.length > 0 ? lines : undefined
}

function textsOf(given: unknown): string[] | undefined {
  if (typeof given === 'string') return [given]
  return Array.isArray(given) && given.every((one) => typeof one === 'string') ? given : undefined
}
