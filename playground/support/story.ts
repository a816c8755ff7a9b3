import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, it as test } from 'vitest'
import { openBrowser, openPages } from './browser.ts'
import { freePort, startServer } from './server.ts'
import type { RunningServer } from './server.ts'

export const repository = resolve(import.meta.dirname, '../..')

/** What the steps of a story share. */
export interface Story {
  /** A folder of the story's own, removed at its end. */
  folder: string
  server: RunningServer
  browser: BrowserContext
  page: Page
  /** What the browser's console has said since the step began. */
  said: string[]
}

/**
 * A server with an empty data folder and one browser for a file of tests that build on each other. After a step that failed the rest says
 * nothing, and waiting for it would take very long, so it is not tried. With `isLeftOut` none of it runs.
 */
export function beginStory(name: string, settings: Record<string, string> = {}, isLeftOut = false) {
  const story = {} as Story
  beforeAll(async () => {
    story.said = []
    story.folder = await mkdtemp(join(tmpdir(), `boxyard-${name}-`))
    const environment = { BOXYARD_HOME: join(story.folder, 'home'), PORT: String(await freePort()), ...settings }
    story.server = await startServer(repository, environment)
    story.browser = await openBrowser()
    const listen = (page: Page) => {
      page.on('console', (message) => story.said.push(`${message.type()}: ${message.text()}`))
      page.on('pageerror', (error) => story.said.push(`error: ${error.stack ?? error.message}`))
    }
    story.browser.on('page', listen)
    story.page = story.browser.pages()[0]!
    listen(story.page)
  })
  afterAll(async () => {
    await story.browser?.close()
    await story.server?.end('SIGTERM').catch(() => undefined)
    await rm(story.folder, { recursive: true, force: true })
  })

  let brokenAt: string | undefined
  const step = (title: string, perform: () => Promise<void>): void => {
    test.skipIf(isLeftOut)(title, async () => {
      if (brokenAt !== undefined) throw new Error(`not tried, because this step failed: ${brokenAt}`)
      brokenAt = title
      story.said.length = 0
      try {
        await perform()
      } catch (error) {
        const pictures = openPages().map((page, index) => {
          const path = join(repository, 'test-results', `${name}-broken-step${index === 0 ? '' : index + 1}.png`)
          return page.screenshot({ path, timeout: 10_000 }).catch(() => undefined)
        })
        await Promise.all(pictures)
        const said = story.said.slice(-30).join('\n')
        throw new Error(`${title}\n${said}\n${story.server?.output().slice(-3000)}`, { cause: error })
      }
      brokenAt = undefined
    })
  }
  return { story, step }
}
