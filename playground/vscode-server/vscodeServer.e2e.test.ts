import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { TestExtensionRegistry } from '../../apps/server/src/testing/extensionRegistry.ts'
import type { TestExtension } from '../../apps/server/src/testing/extensionRegistry.ts'
import { createDevbox, editorText, openFile, runCommand, runInTerminal, STATIC } from '../editor/editorPage.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// The VS Code server of a devbox: what is installed and debugged there, and what stays ours. The server itself comes from the package registry.

/** Runs in the box alone, and reads a file there. */
const reader: TestExtension = {
  publisher: 'acme',
  name: 'reader',
  version: '1.0.0',
  manifest: {
    displayName: 'Acme Reader',
    description: 'Reads in the box',
    main: './node.js',
    activationEvents: ['onStartupFinished'],
    contributes: { commands: [{ command: 'acme.read', title: 'Acme: Read' }] },
  },
  files: {
    'README.md': '# Acme Reader\n',
    'node.js': `
      const vscode = require('vscode')
      const fs = require('node:fs')
      exports.activate = (context) => {
        context.subscriptions.push(vscode.commands.registerCommand('acme.read', () => {
          const folder = vscode.workspace.workspaceFolders[0].uri
          const isThere = fs.readdirSync(folder.fsPath).includes('index.html')
          vscode.window.showInformationMessage('In the box: ' + folder.scheme + ' ' + isThere + ' ' + process.version.split('.')[0])
        }))
      }`,
  },
  isForWeb: false,
}
const registry = new TestExtensionRegistry([reader])
const { story, step } = beginStory('vscode-server', { BOXYARD_EXTENSION_REGISTRY: await registry.start() })
afterAll(() => registry.stop())
const LONG = { timeout: 60_000 }

const picture = (name: string, page: Page) =>
  page.screenshot({ path: join(repository, 'test-results', `vscode-server-${name}.png`) })
const status = (page: Page, text: string) => page.locator('.statusbar-item').filter({ hasText: text }).first()

step('WB850: a button has the VS Code server of the box, and the window says where extensions run', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  await createDevbox(page, server.address, STATIC, 'index.html')
  await status(page, 'Devbox (Web)').waitFor(LONG)
  await status(page, 'Enable VSCode Extensions').waitFor(LONG)
  await picture('web', page)
  const loaded = page.waitForEvent('load', LONG)
  await status(page, 'Enable VSCode Extensions').click()
  await loaded
  await page.getByRole('treeitem', { name: 'index.html', exact: true }).waitFor(LONG)
  await status(page, 'Devbox').waitFor(LONG)
  expect(await status(page, '(Web)').count()).toBe(0)
  await picture('connected', page)
})

step('WB851: an extension without a part for browsers is installed into the box and runs there', async () => {
  const { page } = story
  await runCommand(page, 'View: Show Extensions')
  await page.locator('.extensions-viewlet .extensions-search-container .monaco-editor').first().click()
  await page.keyboard.type('Reads in')
  await page.locator('.extension-list-item').filter({ hasText: 'Acme Reader' }).first().click(LONG)
  const details = page.locator('.extension-editor').filter({ hasText: 'Acme Reader' })
  const install = details.getByRole('button', { name: /^Install/ }).first()
  await install.click(LONG)
  const trust = page.getByRole('button', { name: /^Trust Publisher/ })
  const uninstall = details.getByRole('button', { name: 'Uninstall' }).first()
  await trust.or(uninstall).first().waitFor(LONG)
  if (await trust.isVisible()) await trust.click()
  await uninstall.waitFor(LONG)
  await runCommand(page, 'Acme: Read')
  const message = page.locator('.notification-list-item-message')
  await message.filter({ hasText: 'In the box: file true v24' }).first().waitFor(LONG)
  await picture('installed', page)
})

step('WB852: files, typing, undo and terminals are those of the editor all the same', async () => {
  const { page } = story
  const second = await story.browser.newPage()
  // Somebody who has the editor in the browser alone.
  await second.addInitScript(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('boxyard.vscode.')) localStorage.removeItem(key)
  })
  await second.goto(page.url())
  await openFile(second, 'index.html')
  await status(second, 'Devbox (Web)').waitFor(LONG)
  await openFile(page, 'index.html')
  await second.locator('.editor-instance .view-line').first().click(LONG)
  await second.keyboard.press('Control+Home')
  await second.keyboard.type('Elsewhere')
  await expect.poll(() => editorText(page), LONG).toContain('Elsewhere')
  await page.locator('.editor-instance .view-line').nth(1).click(LONG)
  await page.keyboard.press('End')
  await page.keyboard.type('Here')
  await expect.poll(() => editorText(second), LONG).toContain('Here')
  // What was typed last is undone by whom typed it, and what somebody else typed stays.
  await second.keyboard.type('Later')
  await expect.poll(() => editorText(page), LONG).toContain('ElsewhereLater')
  await page.keyboard.press('Control+z')
  await expect.poll(() => editorText(second), LONG).not.toMatch(/lang="en">Here/)
  expect(await editorText(page)).toContain('ElsewhereLater')
  await runInTerminal(page, `printf 'const answer = 6 * 7\\nconsole.log(answer)\\n' > sum.js; echo shell $((6 * 7))`)
  await page.locator('.xterm-rows').filter({ hasText: 'shell 42' }).first().waitFor(LONG)
  // The shells of the dev server are seen by everybody in the box.
  await second.keyboard.press('Control+`')
  await second.locator('.xterm-rows').filter({ hasText: 'shell 42' }).first().waitFor(LONG)
  await picture('together', page)
  await second.close()
})

step('WB853: a Node program stops at a breakpoint, its variables are seen, and it goes on to its end', async () => {
  const { page } = story
  await openFile(page, 'sum.js')
  await page.locator('.editor-instance .view-line').nth(1).click(LONG)
  await page.keyboard.press('F9')
  await page.locator('.codicon-debug-breakpoint').first().waitFor(LONG)
  await page.keyboard.press('F5')
  const choice = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Node.js' }).first()
  const bar = page.locator('.debug-toolbar')
  await choice.or(bar).first().waitFor(LONG)
  if (await choice.isVisible()) await choice.click()
  await page.locator('.debug-top-stack-frame-line').first().waitFor(LONG)
  await runCommand(page, 'View: Show Run and Debug')
  const variables = page.locator('.debug-variables')
  const value = variables.locator('.monaco-list-row').filter({ hasText: 'answer' }).filter({ hasText: '42' })
  const local = variables.locator('.monaco-list-row[aria-expanded]').filter({ hasText: 'Local' })
  await local.first().waitFor(LONG)
  if ((await local.first().getAttribute('aria-expanded')) === 'false') await local.first().click()
  await value.first().waitFor(LONG)
  await picture('breakpoint', page)
  await page.keyboard.press('F5')
  await bar.waitFor({ state: 'hidden', ...LONG })
  await page.locator('.repl').filter({ hasText: '42' }).first().waitFor(LONG)
})
