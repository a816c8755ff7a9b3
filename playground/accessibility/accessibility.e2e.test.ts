import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { STATIC } from '../editor/editorPage.ts'
import { Axe } from '../support/axeFaults.ts'
import type { AxeFault } from '../support/axeFaults.ts'
import { accessibilityFaults } from '../support/accessibilityFaults.ts'
import type { AccessibilityFault } from '../support/accessibilityFaults.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// What keeps people from using a page who do not see it, or not well: the pages around the editor, large and small, dark and light.

const { story, step } = beginStory('accessibility')
/** What a large window shows is the same in each large one. */
const widths = [1440, 374]
const schemes = ['dark', 'light'] as const
const axe = new Axe([])

async function look(page: Page, name: string, prepare: (width: number) => Promise<void>): Promise<void> {
  const found: Record<string, (AccessibilityFault | AxeFault)[]> = {}
  for (const scheme of schemes) {
    await page.evaluate((wanted) => localStorage.setItem('boxyard.theme', wanted), scheme)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.reload()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      await prepare(width)
      const faults: (AccessibilityFault | AxeFault)[] = await accessibilityFaults(page)
      // In light colors it has the same elements.
      if (scheme === 'dark') faults.push(...(await axe.faults(page)))
      if (faults.length > 0) found[`${scheme} ${width}`] = faults
      await page.screenshot({ path: join(repository, 'test-results', `accessibility-${name}-${scheme}-${width}.png`) })
    }
  }
  await mkdir(join(repository, 'test-results'), { recursive: true })
  await writeFile(join(repository, 'test-results', `accessibility-${name}.json`), JSON.stringify(found, null, 1))
  expect.soft(found).toEqual({})
}

step(
  'WB807, WB1036: the dashboard, its dialogs and the settings can be used without seeing them, or with weak eyes',
  async () => {
    const { page, server } = story
    await createAccount(page, server.address, 'ada')
    await look(page, 'dashboard', () => page.getByRole('main').waitFor())
    await page.goto(`${server.address}/dashboard/recent?create=true`)
    await look(page, 'create', async () => void (await page.getByRole('option', { name: STATIC }).waitFor()))
    await page.goto(`${server.address}/account/sessions`)
    await look(page, 'sessions', () => page.getByRole('main').waitFor())
  },
)
