import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** A project that others wrote, in a package of npm. */
export interface RealProject {
  name: string
  /** The package and its exact version; of an example of a repository, that of the framework. */
  from: string
  /** The repository that has it, where its package does not: a folder below that which EXAMPLES names. */
  repository?: string
  /** Its folder in the package, or in the repository. */
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

/** An example of a framework that its package does not bring: it takes the framework by the path to its own sources. */
const example = (
  repository: string,
  folder: string,
  from: string,
  shows: RegExp,
  packages: Readonly<Record<string, string>> = {},
): RealProject => {
  const at = from.lastIndexOf('@')
  const start = repository === 'koa' ? 'app.js' : 'index.js'
  const dependencies = { [from.slice(0, at)]: from.slice(at + 1), ...packages }
  return {
    name: `${from} example ${folder}`,
    from,
    repository,
    folder: repository === 'koa' ? folder : `examples/${folder}`,
    shows,
    files: { 'package.json': JSON.stringify({ scripts: { start: `node ${start}` }, dependencies }) },
  }
}
const KOA = 'koa@3.3.0'

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
  ...['express@4.22.3', 'express@5.3.0'].flatMap((express) => [
    example('express', 'hello-world', express, /Hello World/),
    example('express', 'multi-router', express, /Hello from root route/),
    example('express', 'content-negotiation', express, /Tobi/),
    example('express', 'error', express, /Internal Server Error/, { morgan: '1.12.1' }),
  ]),
  example('koa', 'hello-world', KOA, /Hello World/),
  example('koa', '404', KOA, /Page Not Found/),
  example('koa', 'errors', KOA, /please contact Maru/),
  example('koa', 'compose', KOA, /Hello World/, { 'koa-compose': '4.2.0' }),
  example('koa', 'conditional-middleware', KOA, /Hello World/, { 'koa-logger': '4.0.0' }),
  example('koa', 'stream-objects', KOA, /"id":2/, { 'streaming-json-stringify': '3.1.0' }),
  example('ws', 'server-stats', 'ws@8.23.0', /Heap total\s+\d/, { express: '5.3.0' }),
]

const LEFT_OUT = /^(?:node_modules|benchmark|\.git)$/
const TEXT = /\.(?:[cm]?[jt]sx?|json|html|css|scss|md|svg|vue|svelte|txt|yml|xml|webmanifest|mdx)$|(?:^|\/)[._]?\w+$/

export type DefinedFiles = Record<string, { content: string; isBinary?: boolean }>

/** Where the project is: in its package, which npm fetches, or in the repository. */
function folderOf({ from, repository, folder }: RealProject, work: string, examples: string | undefined): string {
  if (repository !== undefined) return join(examples!, repository, folder)
  const place = join(work, from.replaceAll(/\W/g, '-'))
  mkdirSync(place, { recursive: true })
  if (readdirSync(place).length === 0) {
    const options = { cwd: place, encoding: 'utf8' } as const
    const archive = execFileSync('npm', ['pack', '--silent', from], options).trim()
    execFileSync('tar', ['xzf', archive, '--no-same-owner'], options)
  }
  return join(place, 'package', folder)
}

/** Reads a project as what a definition takes. `examples`: where the repositories of frameworks are. */
export function readProject(project: RealProject, work: string, examples: string | undefined): DefinedFiles {
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
  read(folderOf(project, work, examples), '')
  for (const [path, content] of Object.entries(project.files ?? {})) files[path] = { content }
  // Examples of a package reach it by a path; here it is a dependency.
  for (const file of Object.values(files)) {
    if (project.from.startsWith('fastify'))
      file.content = file.content.replaceAll("require('../fastify')", "require('./fastify')")
    if (project.repository !== undefined)
      file.content = file.content.replace(
        /require\((["'])(?:\.\.\/)+(?:\.\.)?\1\)/g,
        `require('${project.repository}')`,
      )
  }
  return files
}
