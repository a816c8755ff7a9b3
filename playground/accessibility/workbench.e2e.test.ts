import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { chooseTheme, createDevbox, runCommand, STATIC } from '../editor/editorPage.ts'
import { accessibilityFaults } from '../support/accessibilityFaults.ts'
import type { AccessibilityFault } from '../support/accessibilityFaults.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// The workbench for people who do not see it, or not well: each of its surfaces in each kind of theme, large and small.

const { story, step } = beginStory('accessibility-workbench')
const widths = [1440, 836, 374]
const themes = [
  ['dark', 'Boxyard Dark', '#0e0f11'],
  ['light', 'Boxyard Light', '#ffffff'],
  ['high-contrast', 'GitHub Dark High Contrast', '#0a0c10'],
] as const
const results = join(repository, 'test-results')

const view = (name: RegExp) => story.page.locator('.activitybar').getByRole('tab', { name }).click()
const sideBar = (title: string) =>
  story.page.locator('.part.sidebar .composite.title', { hasText: new RegExp(title, 'i') }).waitFor()

/** What is looked at, and how it is shown. */
const surfaces: Record<string, () => Promise<void>> = {
  code: async () => {
    // A window that became small shows the pane that somebody was in.
    const pane = story.page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Code' })
    if (await pane.isVisible()) await pane.click()
    await story.page.locator('.editor-instance .view-line').first().waitFor()
  },
  explorer: async () => {
    await story.page.keyboard.press('Control+Shift+e')
    await sideBar('Explorer')
  },
  search: async () => {
    await view(/^Search/)
    await sideBar('Search')
  },
  box: async () => {
    await view(/^Devbox/)
    await story.page.locator('.boxyard-box').getByText('Tasks').first().waitFor()
  },
  'source-control': async () => {
    await view(/^Source Control/)
    await sideBar('Source Control')
  },
  extensions: async () => {
    await view(/^Extensions/)
    await sideBar('Extensions')
  },
  problems: async () => {
    await runCommand(story.page, 'Problems: Focus on Problems View')
    await story.page.locator('.markers-panel').waitFor()
  },
  terminal: async () => {
    await runCommand(story.page, 'Terminal: Focus Terminal')
    await story.page.locator('.terminal-wrapper.active .xterm').waitFor()
  },
  settings: async () => {
    await runCommand(story.page, 'Preferences: Open Settings (UI)')
    await story.page.locator('.settings-editor .setting-item-contents').first().waitFor()
  },
  palette: async () => {
    await story.page.keyboard.press('F1')
    await story.page.locator('.quick-input-list .monaco-list-row').first().waitFor()
  },
}

/** Where the window is small most of them are as in a large one. */
const isShown = (name: string, width: number) =>
  width === 1440 || ['code', 'explorer', 'box', 'terminal', 'palette'].includes(name)

step('opens a devbox', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  await createDevbox(page, server.address, STATIC, 'index.html')
  await mkdir(results, { recursive: true })
})

for (const [kind, theme, ground] of themes)
  step(`WB807: every surface of the workbench can be used without seeing it, or with weak eyes: ${kind}`, async () => {
    const { page } = story
    const found: Record<string, AccessibilityFault[]> = {}
    await page.setViewportSize({ width: 1440, height: 900 })
    await chooseTheme(page, theme, ground)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      for (const [name, show] of Object.entries(surfaces)) {
        if (!isShown(name, width)) continue
        await show()
        const faults = await accessibilityFaults(page)
        if (faults.length > 0) found[`${width} ${name}`] = faults
        await page.screenshot({ path: join(results, `workbench-${name}-${kind}-${width}.png`) })
        await page.keyboard.press('Escape')
      }
      await writeFile(join(results, `accessibility-workbench-${kind}.json`), JSON.stringify(found, null, 1))
    }
    expect.soft(found).toEqual({})
  })
