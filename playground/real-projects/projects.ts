import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** A project that others wrote, in a package of npm. */
export interface RealProject {
  name: string
  /** The package and its exact version. */
  from: string
  /** Its folder in the package. */
  folder: string
  /** What the page says when it runs. */
  shows: RegExp
  /** Files beside those of the folder, or instead of them, for what the package's own program would write. */
  files?: Readonly<Record<string, string>>
  /** Why it does not run, for one that does not. */
  fails?: string
}

const VITE = 'create-vite@9.3.0'
const vite = (template: string, shows: RegExp, rest: Partial<RealProject> = {}): RealProject => ({
  name: `create-vite ${template}`,
  from: VITE,
  folder: `template-${template}`,
  shows,
  ...rest,
})
/** An example of Fastify as a project: it takes the package by its name. */
const fastify = (example: string, shows: RegExp): RealProject => ({
  name: `fastify examples/${example}.js`,
  from: 'fastify@5.12.8',
  folder: 'examples',
  shows,
  files: {
    'package.json': `{"scripts":{"start":"node ${example}.js"},"dependencies":{"fastify":"5.12.8"}}`,
    'fastify.js': `module.exports = require('fastify')`,
  },
})

export const realProjects: readonly RealProject[] = [
  ...['react', 'react-ts', 'vue', 'vue-ts', 'svelte', 'svelte-ts', 'solid', 'solid-ts', 'preact', 'preact-ts'].map(
    (one) => vite(one, /Get started/),
  ),
  ...['lit', 'lit-ts', 'vanilla', 'vanilla-ts'].map((one) => vite(one, /Get started/)),
  vite('qwik', /Get started/, { fails: 'its optimizer is a plug-in of Vite' }),
  {
    name: 'create-preact',
    from: 'create-preact@0.5.3',
    folder: 'templates/base',
    shows: /Get Started building Vite-powered Preact Apps/,
  },
  {
    name: 'html5-boilerplate',
    from: 'html5-boilerplate@9.0.1',
    folder: 'dist',
    shows: /Hello world! This is HTML5 Boilerplate/,
  },
  { name: 'impress.js', from: 'impress.js@1.1.0', folder: '.', shows: /Aren’t you just/ },
  {
    name: 'cra-template',
    from: 'cra-template@1.3.0',
    folder: 'template',
    shows: /Learn React/,
    files: {
      'package.json':
        '{"dependencies":{"react":"^19.0.0","react-dom":"^19.0.0","react-scripts":"5.0.1","web-vitals":"^4.2.4"}}',
    },
  },
  fastify('simple', /"hello":"world"/),
  fastify('asyncawait', /"hello":"world"/),
  fastify('hooks', /"hello":"world"/),
  fastify('shared-schema', /"hello":"world"/),
]

const LEFT_OUT = /^(?:node_modules|benchmark|\.git)$/
const TEXT = /\.(?:[cm]?[jt]sx?|json|html|css|scss|md|svg|vue|svelte|txt|yml|xml|webmanifest|mdx)$|(?:^|\/)[._]?\w+$/

export type DefinedFiles = Record<string, { content: string; isBinary?: boolean }>

/** Fetches the package with npm and reads its project as what a definition takes. */
export function readProject(project: RealProject, work: string): DefinedFiles {
  const folder = join(work, project.from.replaceAll(/\W/g, '-'))
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length === 0) {
    const options = { cwd: folder, encoding: 'utf8' } as const
    const archive = execFileSync('npm', ['pack', '--silent', project.from], options).trim()
    execFileSync('tar', ['xzf', archive, '--no-same-owner'], options)
  }
  const files: DefinedFiles = {}
  const read = (path: string, inside: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (LEFT_OUT.test(entry.name)) continue
      const place = inside === '' ? entry.name : `${inside}/${entry.name}`
      if (entry.isDirectory()) read(join(path, entry.name), place)
      else if (TEXT.test(place))
        files[place.replace(/(^|\/)_gitignore$/, '$1.gitignore')] = {
          content: readFileSync(join(path, entry.name), 'utf8'),
        }
      else {
        const type = `image/${extname(entry.name).slice(1) || 'x'}`
        const content = `data:${type};base64,${readFileSync(join(path, entry.name)).toString('base64')}`
        files[place] = { content, isBinary: true }
      }
    }
  }
  read(join(folder, 'package', project.folder), '')
  for (const [path, content] of Object.entries(project.files ?? {})) files[path] = { content }
  // Examples of a package reach it by a path; here it is a dependency.
  for (const file of Object.values(files)) {
    if (project.from.startsWith('fastify'))
      file.content = file.content.replaceAll("require('../fastify')", "require('./fastify')")
  }
  return files
}
