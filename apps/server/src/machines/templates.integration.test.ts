import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installation } from '../installation.ts'
import { hasProgram, readTemplates } from '../sandboxes/templates.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { askPreview, previewToken } from '../testing/preview.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { createMachines } from './createMachines.ts'
import type { presentProgress } from './presentProgress.ts'

/** What the dev server of each template serves: a path, and words of its own that are in the answer. */
const pages: Record<string, [path: string, words: string][]> = {
  go: [['/', 'Hello Go']],
  lit: [
    ['/', 'Lit app'],
    ['/src/HelloPage.ts', 'Hello Lit'],
  ],
  nextjs: [['/', 'Hello Next.js']],
  'node-express': [['/', 'Hello Express']],
  preact: [
    ['/', 'Preact app'],
    ['/src/App.tsx', 'Hello Preact'],
  ],
  python: [['/', 'Hello Python']],
  'react-vite': [
    ['/', 'React app'],
    ['/src/App.jsx', 'Hello React'],
  ],
  'react-vite-ts': [
    ['/', 'React app'],
    ['/src/App.tsx', 'Hello React'],
  ],
  solid: [
    ['/', 'Solid app'],
    ['/src/App.tsx', 'Hello Solid'],
  ],
  static: [['/', 'Hello HTML']],
  svelte: [
    ['/', 'Svelte app'],
    ['/src/App.svelte', 'Hello Svelte'],
  ],
  // Nothing runs in it before somebody starts it.
  universal: [],
  'vanilla-vite': [
    ['/', 'JavaScript app'],
    ['/src/main.js', 'Hello JavaScript'],
  ],
  'vanilla-vite-ts': [
    ['/', 'TypeScript app'],
    ['/src/main.ts', 'Hello TypeScript'],
  ],
  vue: [
    ['/', 'Vue app'],
    ['/src/App.vue', 'Hello Vue'],
  ],
}

const MINUTES = 60_000
let server: TestServer
let owner: TestBrowser

beforeAll(async () => {
  if (!existsSync(join(installation.devServer, 'main.js'))) {
    throw new Error(`${installation.devServer} is missing. Build it with: node packages/dev-server/build.mjs`)
  }
  // The registry of this machine, as a person who starts it gets it.
  server = await startTestServer(
    { BOXYARD_DRIVER: 'bwrap', BOXYARD_NPM_REGISTRY: '', BOXYARD_PIP_INDEX: '' },
    { machines: createMachines },
  )
  owner = await server.signedIn('owner')
})
afterAll(() => server.close())

async function createDevbox(template: string): Promise<string> {
  const { body } = await owner.call('POST', `/api/v1/sandboxes/${template}/fork`, { v2: true })
  return (body as { data: { id: string } }).data.id
}

async function start(id: string): Promise<string> {
  const { status, body } = await owner.call('POST', `/api/vm/${id}/start`)
  expect(status, JSON.stringify(body)).toBe(200)
  return (body as { data: { bootup_type: string } }).data.bootup_type
}

async function stop(id: string): Promise<void> {
  expect((await owner.call('POST', `/api/vm/${id}/shutdown`)).status).toBe(200)
}

/** The phases that the last start of a devbox went through, from the first event of its progress. */
function phasesOf(id: string): Promise<string[]> {
  const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ')
  const headers = { host: new URL(server.origin).host, cookie }
  const path = `/api/vm/${id}/start/progress`
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: server.port, path, headers, agent: false }, (answer) => {
      let text = ''
      answer.on('error', reject).setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
        const event = /^data: (.*)\n\n/m.exec(text)?.[1]
        if (event === undefined) return
        answer.off('error', reject).destroy()
        const { phases } = JSON.parse(event) as ReturnType<typeof presentProgress>
        resolve(phases.map(({ phase }) => phase))
      })
    })
      .on('error', reject)
      .end()
  })
}

/** The only preview port that the tasks of a template name: that of the task which runs at the start. */
function previewPort(template: string): number {
  const text = readFileSync(join(installation.templates, template, '.codesandbox/tasks.json'), 'utf8')
  const ports = [...text.matchAll(/"port":\s*(\d+)/g)].map(([, port]) => Number(port))
  expect(ports).toHaveLength(1)
  return ports[0]!
}

/** Asks until a server behind the preview answers; 502 is the page of the platform that says what it waits for. */
async function served(id: string, port: number, path: string): Promise<{ status: number; text: string }> {
  const token = await previewToken(owner, id)
  for (;;) {
    const answer = await askPreview(server, { id, port, token, path })
    if (answer.status !== 502) return answer
    // Neither gets better by waiting, and the page says why.
    if (/The set-up stopped|ended with an error/.test(answer.text)) throw new Error(answer.text)
    await pause(250)
  }
}

/** Templates that need a program of the host are tested where it is. */
function isListed(template: string): boolean {
  return readTemplates(installation.templates).find(template) !== null
}

describe('the official templates', () => {
  it.skipIf(isListed('go'))('go is not tried, because this host has no go', () => {
    expect(hasProgram('go')).toBe(false)
  })

  it('are all known here', () => {
    expect(Object.keys(pages).toSorted()).toEqual(readdirSync(installation.templates).toSorted())
  })

  it.each(Object.entries(pages).filter(([template]) => isListed(template)))(
    '%s is prepared, starts and shows its page',
    { timeout: 5 * MINUTES },
    async (template, expected) => {
      const id = await createDevbox(template)
      await start(id)
      expect(await phasesOf(id)).toContain('template')
      for (const [path, words] of expected) {
        const { status, text } = await served(id, previewPort(template), path)
        expect([status, text.includes(words)], text).toEqual([200, true])
      }
      await stop(id)
    },
  )

  it('are prepared once: the next devbox forks the prepared disk', { timeout: 5 * MINUTES }, async () => {
    const id = await createDevbox('react-vite-ts')
    expect(await start(id)).toBe('FORK')
    expect(await phasesOf(id)).not.toContain('template')
    const { status, text } = await served(id, previewPort('react-vite-ts'), '/')
    expect([status, text.includes('React app')], text).toEqual([200, true])
    await stop(id)
  })
})
