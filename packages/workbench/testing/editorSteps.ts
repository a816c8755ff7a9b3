import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture, POLL, runCommand, type PlaygroundPage } from './playgroundPage.ts'

const WORKSPACE = '/project/workspace'

/** What comes with VS Code's workbench, on the files of the box. The steps build on each other. */
export function editorSteps({ page, open, close }: PlaygroundPage): void {
  const savedText = (path: string) =>
    page().evaluate((file) => window.playground.server.savedTextOf(file), `${WORKSPACE}/${path}`)
  const openFile = async (path: string) => {
    await page().evaluate((file) => window.playground.workbench.openFile(file), path)
    await page()
      .locator('.tab.active', { hasText: path.split('/').at(-1)! })
      .waitFor()
    await page().waitForFunction((file) => window.playground.isShown(file), `${WORKSPACE}/${path}`)
    await page().locator('.editor-group-container.active .view-lines').first().click()
  }
  const writeInside = (path: string, text: string) =>
    page().evaluate(([file, content]) => window.playground.server.writeInside(file, content), [
      `${WORKSPACE}/${path}`,
      text,
    ] as const)
  const row = (name: string) =>
    page().locator('.explorer-folders-view .monaco-list-row', { hasText: new RegExp(`^${name}$`) })

  describe('the editor on the files of the box', () => {
    beforeAll(() => open('?refuse=refused.txt'))
    afterAll(close)

    it('WB987: what is typed is saved when the focus leaves the text', async () => {
      await openFile('src/style.css')
      await page().keyboard.press('Control+End')
      await page().keyboard.type('/* kept */')
      await page().locator('.tab.active.dirty', { hasText: 'style.css' }).waitFor()
      expect(await savedText('src/style.css')).not.toContain('kept')
      await row('package.json').click()
      await expect.poll(() => savedText('src/style.css'), POLL).toContain('/* kept */')
    })

    it('WB987: where somebody was in a text is where they are when it is opened again', async () => {
      await writeInside('lines.txt', Array.from({ length: 200 }, (_, index) => `line ${index + 1}\n`).join(''))
      await openFile('lines.txt')
      await page().keyboard.press('Control+End')
      const place = page().locator('.statusbar-item', { hasText: 'Ln 201, Col 1' })
      await place.waitFor()
      await page()
        .locator('.tab', { hasText: 'lines.txt' })
        .getByRole('button', { name: /^Close/ })
        .click()
      await page().locator('.tab', { hasText: 'lines.txt' }).waitFor({ state: 'detached' })
      await page().evaluate(() => window.playground.workbench.openFile('lines.txt'))
      await place.waitFor()
      await page().locator('.view-line', { hasText: 'line 200' }).waitFor()
    })

    it('WB987: the outline of a text leads to its parts', async () => {
      await openFile('src/App.tsx')
      await page().locator('.pane-header', { hasText: 'Outline' }).click()
      const part = page().locator('.outline-pane .monaco-list-row', { hasText: 'App' }).first()
      // What knows the language comes late.
      await part.waitFor({ timeout: 120_000 })
      await picture(page(), 'outline')
      await part.click()
      await page()
        .locator('.statusbar-item', { hasText: /Ln 4, Col \d+/ })
        .waitFor()
      await page().locator('.pane-header', { hasText: 'Outline' }).click()
    })

    it('WB987: a text is replaced in all files, which are saved', async () => {
      await runCommand(page(), 'Search: Replace in Files')
      const view = page().locator('.search-view')
      await view.locator('.search-widget .search-container textarea').fill('greeting')
      await view.locator('.search-widget .replace-container textarea').fill('salute')
      await view.locator('.monaco-list-row', { hasText: 'greeting.ts' }).first().waitFor()
      await view.locator('.monaco-list-row', { hasText: 'App.tsx' }).first().waitFor()
      await picture(page(), 'replace-in-files')
      await view
        .locator('.replace-container')
        .getByRole('button', { name: /^Replace All/ })
        .click()
      await page().getByRole('dialog').getByRole('button', { name: 'Replace', exact: true }).click()
      await expect.poll(() => savedText('src/greeting.ts'), POLL).toContain('function salute(')
      await expect.poll(() => savedText('src/App.tsx'), POLL).toContain('{salute(name)}')
      expect(await savedText('src/App.tsx')).not.toContain('greeting')
    })

    it('WB987: a binary file is said to be one, and not shown as a text', async () => {
      await writeInside('data.bin', 'abc\0\u0001\u0002\0')
      await page().evaluate(() => window.playground.workbench.openFile('data.bin'))
      await page().locator('.tab.active', { hasText: 'data.bin' }).waitFor()
      await page()
        .locator('.monaco-editor-pane-placeholder')
        .getByText(/it is either binary or uses an unsupported text encoding/)
        .waitFor()
      await picture(page(), 'binary-file')
    })

    it('WB986: a folder is downloaded as a zip from its menu', async () => {
      await page().keyboard.press('Control+Shift+e')
      const opened = page().context().waitForEvent('page')
      await row('src').click({ button: 'right' })
      await page()
        .getByRole('menuitem', { name: /^Download as Zip/ })
        .hover()
      await picture(page(), 'folder-menu')
      await page().keyboard.press('Enter')
      const archive = await opened
      await archive.waitForURL('**/token/src.zip', { waitUntil: 'commit' })
      await archive.close()
    })

    it('WB880: a folder that is dropped is brought whole, and what of it was refused is named', async () => {
      const source = await mkdtemp(join(tmpdir(), 'boxyard-dropped-'))
      try {
        const folder = join(source, 'dropped')
        await mkdir(join(folder, 'deep/deeper'), { recursive: true })
        await writeFile(join(folder, 'one.txt'), 'first')
        await writeFile(join(folder, 'refused.txt'), 'second')
        await writeFile(join(folder, 'deep/deeper/three.txt'), 'third')
        const session = await page().context().newCDPSession(page())
        const target = (await page().locator('.explorer-folders-view .monaco-list').boundingBox())!
        const data = { items: [], files: [folder], dragOperationsMask: 1 }
        const at = { x: target.x + 100, y: target.y + target.height - 20, data }
        for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
          await session.send('Input.dispatchDragEvent', { type, ...at })
        await page()
          .getByText(/^Not uploaded: dropped\/refused\.txt\. .*Everything else was uploaded\.$/)
          .waitFor()
        await picture(page(), 'dropped-folder')
        expect(await savedText('dropped/one.txt')).toBe('first')
        expect(await savedText('dropped/deep/deeper/three.txt')).toBe('third')
        await row('dropped').waitFor()
      } finally {
        await rm(source, { recursive: true })
      }
    })
  })
}
