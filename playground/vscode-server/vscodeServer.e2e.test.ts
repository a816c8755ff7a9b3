import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { TestExtensionRegistry } from '../../apps/server/src/testing/extensionRegistry.ts'
import type { TestExtension } from '../../apps/server/src/testing/extensionRegistry.ts'
import { createDevbox, editorText, openFile, runCommand, STATIC } from '../editor/editorPage.ts'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// The VS Code server of a devbox: what is installed there, and what stays ours. The server itself comes from the package registry.

/** Runs in the box alone: reads a file there, and describes a word. */
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
          vscode.window.showInformationMessage(
            'In the box: ' + folder.scheme + ' ' + fs.readdirSync(folder.fsPath).includes('index.html') + ' ' + process.version.split('.')[0])
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
  const box = page.locator('.extensions-viewlet .extensions-search-container .monaco-editor').first()
  await box.click()
  await page.keyboard.type('reader')
  await page.locator('.extension-list-item').filter({ hasText: 'Acme Reader' }).first().click(LONG)
  const details = page.locator('.extension-editor').filter({ hasText: 'Acme Reader' })
  await details
    .getByRole('button', { name: /^Install/ })
    .first()
    .click(LONG)
  await Promise.race([
    page.getByRole('button', { name: /Trust Publisher/ }).click(LONG),
    details.getByRole('button', { name: 'Uninstall' }).first().waitFor(LONG),
  ])
  await details.getByRole('button', { name: 'Uninstall' }).first().waitFor(LONG)
  await runCommand(page, 'Acme: Read')
  await page
    .locator('.notification-list-item-message')
    .filter({ hasText: 'In the box: file true v24' })
    .first()
    .waitFor(LONG)
  await picture('installed', page)
})

step('WB852: files, typing and terminals are those of the editor all the same', async () => {
  const { page } = story
  const second = await story.browser.newPage()
  await second.goto(page.url())
  await openFile(second, 'index.html')
  await openFile(page, 'index.html')
  await second.locator('.editor-instance .view-line').first().click(LONG)
  await second.keyboard.press('Control+Home')
  await second.keyboard.type('<!-- typed elsewhere -->')
  await expect.poll(() => editorText(page), LONG).toContain('<!-- typed elsewhere -->')
  await second.close()
})

step('WB853: a Node program stops at a breakpoint, and its variables are seen', async () => {
  const { page } = story
  await runCommand(page, 'Terminal: Create New Terminal')
  await page.locator('.xterm-helper-textarea:focus').waitFor(LONG)
  await page.keyboard.type(
    `printf 'const answer = 6 * 7\\nconsole.log(answer)\\nsetTimeout(() => {}, 1000)\\n' > sum.js; echo $CODESANDBOX_HOST\n`,
  )
  await page.getByRole('treeitem', { name: 'sum.js', exact: true }).waitFor(LONG)
  await openFile(page, 'sum.js')
  await page.locator('.editor-instance .view-line').nth(1).click(LONG)
  await page.keyboard.press('F9')
  await page.locator('.codicon-debug-breakpoint').first().waitFor(LONG)
  await page.keyboard.press('F5')
  const choice = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Node.js' }).first()
  await Promise.race([choice.click(LONG), page.locator('.debug-toolbar').waitFor(LONG)])
  await page.locator('.debug-top-stack-frame-line').first().waitFor(LONG)
  await runCommand(page, 'View: Show Run and Debug')
  await page.locator('.debug-variables').getByText('answer').first().waitFor(LONG)
  await picture('breakpoint', page)
})
