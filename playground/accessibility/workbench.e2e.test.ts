import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { chooseTheme, openFile, runCommand, runInTerminal, STATIC } from '../editor/editorPage.ts'
import { Axe } from '../support/axeFaults.ts'
import type { AxeFault } from '../support/axeFaults.ts'
import { accessibilityFaults } from '../support/accessibilityFaults.ts'
import type { AccessibilityFault } from '../support/accessibilityFaults.ts'
import { password } from '../support/createAccount.ts'
import { isPreview, PREVIEW_FRAME } from '../support/previewFrame.ts'
import { beginStory, repository } from '../support/story.ts'
import { tabTo } from '../support/tabTo.ts'
import { faultsOfTheWorkbench } from './faultsOfTheWorkbench.ts'

// The workbench for people who do not see it, or not well: each of its surfaces in each kind of theme, large and small.

const { story, step } = beginStory('accessibility-workbench')
/** What a large window shows is the same in each large one. */
const widths = [1440, 374]
const themes = [
  ['dark', 'Boxyard Dark', '#0e0f11'],
  ['light', 'Boxyard Light', '#ffffff'],
  ['high-contrast', 'GitHub Dark High Contrast', '#0a0c10'],
] as const
const results = join(repository, 'test-results')
const axe = new Axe(faultsOfTheWorkbench)

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

/** What is looked at once: it is the same in each theme, or looked at elsewhere too. */
const once: Record<string, () => Promise<void>> = {
  preview: async () => {
    await story.page.locator('.tab', { hasText: 'Preview 8080' }).click()
    await preview().getByText('Made with keys').waitFor()
  },
  notifications: async () => {
    await surfaces['explorer']!()
    const choosing = story.page.waitForEvent('filechooser')
    await story.page.locator('.explorer-folders-view').click({ button: 'right', position: { x: 60, y: 420 } })
    await story.page.getByRole('menuitem', { name: /^Upload/ }).hover()
    await story.page.keyboard.press('Enter')
    const name = `${'long'.repeat(80)}.txt`
    await (await choosing).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('x') })
    await story.page.locator('.notification-toast', { hasText: 'Not uploaded' }).waitFor()
    await runCommand(story.page, 'Notifications: Show Notifications')
    await story.page.locator('.notifications-center.visible', { hasText: 'Not uploaded' }).waitFor()
  },
  'editor-dialog': async () => {
    await story.page.getByRole('treeitem', { name: 'count.txt', exact: true }).click()
    await story.page.keyboard.press('Delete')
    await story.page.getByRole('dialog', { name: /count\.txt/ }).waitFor()
  },
  'page-dialog': async () => {
    await story.page.locator('header').getByRole('button', { name: 'Live session' }).click()
    await story.page.getByRole('dialog').waitFor()
  },
  menu: async () => {
    await story.page.locator('header').getByRole('button', { name: 'More', exact: true }).click()
    await story.page.getByRole('menuitem').first().waitFor()
  },
}

/** Where the window is small most of them are as in a large one. */
const shownAt = (width: number, kind: string) => {
  if (width === 1440) return kind === 'dark' ? { ...surfaces, ...once } : surfaces
  const { code, explorer, box, terminal, palette } = surfaces
  return { code, explorer, box, terminal, palette } as typeof surfaces
}

const preview = () => story.page.frameLocator(PREVIEW_FRAME).first()

step('WB996: from signing in to the preview of a devbox everything is done with the keyboard alone', async () => {
  const { page, server } = story
  await page.goto(server.address)
  await tabTo(page, page.getByRole('button', { name: /sign in/i }).first())
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: /sign in with/i }))
  const opened = page.context().waitForEvent('page')
  await page.keyboard.press('Enter')
  const popup = await opened
  for (const [label, text] of [
    ['User name', 'ada'],
    [/^Email/, 'ada@example.org'],
    [/^Password/, password],
  ] as const) {
    await tabTo(popup, popup.getByLabel(label))
    await popup.keyboard.type(text)
  }
  await popup.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/recent')

  await tabTo(page, page.getByRole('button', { name: /create/i }).first())
  await page.keyboard.press('Enter')
  await page.locator('[role="combobox"]:focus').waitFor()
  await page.keyboard.type('Static HTML')
  await page.getByRole('option', { name: STATIC, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/devbox/*')
  await page.getByRole('treeitem', { name: 'index.html', exact: true }).waitFor()

  await openFile(page, 'index.html')
  await page.locator('.editor-instance .monaco-editor.focused').waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Made with keys')
  await page.keyboard.press('Control+s')
  await preview().getByText('Made with keys').waitFor()

  await runInTerminal(page, 'grep -c "with keys" index.html > count.txt')
  await page.getByRole('treeitem', { name: 'count.txt', exact: true }).waitFor()

  // The preview stands in the second group of editors.
  await page.keyboard.press('Control+2')
  await tabTo(page, page.getByRole('button', { name: 'Reload the preview' }))
  const loaded = page.waitForRequest((request) => request.isNavigationRequest() && isPreview(request.url()))
  await page.keyboard.press('Enter')
  await loaded
  await preview().getByText('Made with keys').waitFor()
  await mkdir(results, { recursive: true })
})

for (const [kind, theme, ground] of themes)
  step(
    `WB807, WB1036: every surface of the workbench can be used without seeing it, or with weak eyes: ${kind}`,
    async () => {
      const { page } = story
      const found: Record<string, (AccessibilityFault | AxeFault)[]> = {}
      await page.setViewportSize({ width: 1440, height: 900 })
      await chooseTheme(page, theme, ground)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        for (const [name, show] of Object.entries(shownAt(width, kind))) {
          await show()
          const faults: (AccessibilityFault | AxeFault)[] = await accessibilityFaults(page)
          // The other themes have the same elements, and the contrast of their colors is looked at above.
          if (kind === 'dark') faults.push(...(await axe.faults(page)))
          if (faults.length > 0) found[`${width} ${name}`] = faults
          await page.screenshot({ path: join(results, `workbench-${name}-${kind}-${width}.png`) })
          await writeFile(join(results, `accessibility-workbench-${kind}.json`), JSON.stringify(found, null, 1))
          await page.keyboard.press('Escape')
        }
      }
      expect.soft(found).toEqual({})
    },
  )

step('WB1036: so can the light editor, and its files in a small window', async () => {
  const { page } = story
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${page.url().split('?')[0]}?mode=integrated&file=index.html`)
  await page.getByRole('tab', { name: /index\.html/, selected: true }).waitFor()
  await page.getByRole('treeitem', { name: 'index.html', exact: true }).waitFor()
  const found = { large: await axe.faults(page), small: [] as AxeFault[] }
  await page.screenshot({ path: join(results, 'light-editor-accessibility.png') })
  await page.setViewportSize({ width: 374, height: 812 })
  await page.getByRole('button', { name: 'Files', exact: true }).click()
  await page.getByRole('treeitem', { name: 'index.html', exact: true }).waitFor()
  found.small = await axe.faults(page)
  await writeFile(join(results, 'accessibility-light-editor.json'), JSON.stringify(found, null, 1))
  expect.soft(found).toEqual({ large: [], small: [] })
  expect(axe.mended).toEqual([])
})
