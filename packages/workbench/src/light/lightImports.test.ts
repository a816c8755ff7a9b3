import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** The packages of the editor that a module and what it imports statically of ours bring into its page. */
function servicesOf(entry: string): string[] {
  const files = new Set([join(dirname(fileURLToPath(import.meta.url)), entry)])
  const services = new Set<string>()
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    for (const [, names, from] of text.matchAll(/^(?:import|export) (?:([^'"]*?) from )?'([^']+)'/gms)) {
      // Types are gone when it is built.
      if (/^(?:type\b|\{(?:\s*type [^,}]+,?)+\s*\}$)/.test(names?.trim() ?? '')) continue
      if (from!.startsWith('.') && /\.tsx?$/.test(from!)) files.add(join(dirname(file), from!))
      const service = /^@codingame\/monaco-vscode-(.+)-service-override/.exec(from!)?.[1]
      if (service) services.add(service)
    }
  }
  return [...services].toSorted()
}

it('WB1014: the light editor brings the services of editors and of a status bar, and no other', () => {
  expect(servicesOf('openLight.ts')).toEqual([
    'base',
    'configuration',
    'dialogs',
    'extensions',
    'files',
    'languages',
    'lifecycle',
    'log',
    'model',
    'notifications',
    'quickaccess',
    'storage',
    'textmate',
    'theme',
    'user-data-profile',
    'view-status-bar',
    'views',
    'working-copy',
  ])
})

it('WB1014: what the workbench alone has is not among them', () => {
  const light = new Set(servicesOf('openLight.ts'))
  const alone = servicesOf('../open.ts').filter((service) => !light.has(service))
  expect(alone).toEqual(
    expect.arrayContaining(['workbench', 'terminal', 'search', 'scm', 'explorer', 'extension-gallery', 'comments']),
  )
})
