import { GitClient } from '@boxyard/git-host/testing'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, vi } from 'vitest'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'

// Two people changed the same lines: a branch is brought up to date in the editor, each conflict is seen with what both sides had before, and
// decided in the text. The tests are steps of one story and build on each other.

const POLL = { timeout: 120_000 }
const { story, step } = beginStory('conflicts')
let client: GitClient
afterAll(() => client?.remove())

/** A text that is changed at both of its ends, far enough apart for two conflicts. */
const listOf = (first: string, last: string) =>
  [
    `export const first = ${first};`,
    ...Array.from({ length: 12 }, (_, line) => `// ${line}`),
    `export const last = ${last};`,
    '',
  ].join('\n')

const text = (): Locator => story.page.locator('.editor-instance .view-lines:visible').first()
const shownText = () =>
  text().evaluate((lines) =>
    [...lines.querySelectorAll<HTMLElement>('.view-line')]
      .toSorted((one, other) => Number.parseFloat(one.style.top) - Number.parseFloat(other.style.top))
      .map((line) => line.innerText.replaceAll('\u00a0', ' '))
      .join('\n'),
  )
const changed = (): Locator => story.page.locator('.scm-view .monaco-list-row').filter({ hasText: 'list.ts' })
const lens = (says: string): Locator => story.page.locator('.codelens-decoration a').filter({ hasText: says })
const picture = (name: string) => story.page.screenshot({ path: join(repository, 'test-results', `${name}.png`) })

async function command(page: Page, name: string): Promise<void> {
  const input = page.locator('.quick-input-widget input:visible')
  // Before the editor has its commands its keys mean nothing.
  const isAsked = async () => {
    await page.keyboard.press('F1')
    return input.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    )
  }
  await vi.waitUntil(isAsked, { ...POLL, interval: 100 })
  await input.fill(`>${name}`)
  // Others have names that begin like it.
  const found = page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ has: page.getByText(name, { exact: true }) })
  await found.first().click()
}

async function say(message: string): Promise<void> {
  await story.page.locator('.scm-view .scm-editor .view-lines').click()
  await story.page.keyboard.press('Control+a')
  await story.page.keyboard.type(message)
}

step('a branch and its target change the same lines', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  await page.goto(`${server.address}/_git/settings/tokens`)
  await page.getByRole('button', { name: 'Create a token' }).click()
  const token = (await page.locator('code').innerText()).trim()
  const address = server.address.replace('app.boxyard.localhost', 'localhost')
  const made = await fetch(`${address}/_git/api/v3/user/repos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'todo' }),
  })
  client = new GitClient(token)
  await client.init(((await made.json()) as { clone_url: string }).clone_url)
  await client.commit('Begin', { 'src/list.ts': listOf('1', '1') })
  await client.git('push', '--quiet', 'origin', 'main')
  await client.git('checkout', '--quiet', '-b', 'ten')
  await client.commit('Count in tens', { 'src/list.ts': listOf('10', '10') })
  await client.git('push', '--quiet', 'origin', 'ten')
  await client.git('checkout', '--quiet', 'main')
  await client.commit('Count from zero', { 'src/list.ts': listOf('0', '0') })
  await client.git('push', '--quiet', 'origin', 'main')

  await page.goto(`${server.address}/dashboard/repositories`)
  await page.getByRole('link', { name: 'Allow access to all repositories' }).click()
  const go = page.getByRole('button', { name: 'Continue as ada' })
  const list = page.getByRole('region', { name: 'At the git host' })
  await go.or(list).first().waitFor()
  if (await go.isVisible()) await go.click()
  await list.waitFor()
  await page.goto(`${server.address}/github/ada/todo/ten?import=true&file=src/list.ts`)
  await page
    .locator('.statusbar-item')
    .getByRole('button', { name: /The branch of this box is ten/ })
    .waitFor()
  await text().getByText('10').first().waitFor()
})

step('WB427, WB1084: bringing it up to date asks first, and then opens the first file with a conflict', async () => {
  const { page } = story
  await page.getByRole('tab', { name: /^Source Control/ }).click()
  await command(page, 'Git: Update from the Target Branch')
  const question = page.getByRole('dialog')
  await question.getByText('Nothing has changed so far').waitFor()
  await page.setViewportSize({ width: 374, height: 812 })
  const pull = question.getByRole('button', { name: 'Pull and resolve' })
  const ends = async (part: Locator) => {
    const { x, width } = (await part.boundingBox())!
    return [x >= 0, x + width <= 374]
  }
  for (const part of [question, pull]) await expect.poll(() => ends(part), POLL).toEqual([true, true])
  await picture('conflict-question')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('dialog').getByRole('button', { name: 'Pull and resolve' }).click()
  await page.locator('.scm-view .monaco-list-row[aria-label*="Conflict"]').first().waitFor()
  const both = /<<<<<<< [^]*first = 10;\n\|\|\|\|\|\|\| [^]*first = 1;\n=======\n[^]*first = 0;\n>>>>>>> /
  await expect.poll(shownText, POLL).toMatch(both)
})

step('WB660: both sides are marked in the text, each with a way to take it', async () => {
  for (const says of ['Accept Current Change', 'Accept Incoming Change', 'Accept Both Changes', 'Compare Changes'])
    await expect.poll(() => lens(says).count(), POLL).toBe(2)
  const marks = () =>
    story.page
      .locator('.editor-instance .view-overlays [class*="ced-"]')
      .evaluateAll((all) => new Set(all.map((each) => getComputedStyle(each).backgroundColor)).size)
  // The header and the body of each side, and what was there before.
  await expect.poll(marks, POLL).toBeGreaterThanOrEqual(4)
  await picture('conflict')
})

step('WB1087: in a small window all that can be done with a conflict is on the screen', async () => {
  const { page } = story
  await page.setViewportSize({ width: 374, height: 812 })
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Code' }).click()
  const isThere = () =>
    lens('Compare')
      .last()
      .evaluate((last) => last.textContent === 'Compare' && last.getBoundingClientRect().right < window.innerWidth)
  await expect.poll(isThere, POLL).toBe(true)
  await picture('conflict-374')
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(() => lens('Compare Changes').count(), POLL).toBe(2)
})

step('WB1085: where the editor is narrow the find widget has its width', async () => {
  const { page } = story
  await page.setViewportSize({ width: 836, height: 900 })
  await text().getByText('// 3').first().click()
  await page.keyboard.press('Control+f')
  const share = async () => {
    const found = await page.locator('.editor-instance .find-widget.visible').boundingBox()
    const whole = await page.locator('.editor-instance .monaco-editor').first().boundingBox()
    return found && whole ? found.width / whole.width : 0
  }
  await expect.poll(share, POLL).toBeGreaterThan(0.8)
  expect(await share()).toBeLessThan(1)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1440, height: 900 })
})

step('WB426: nothing is committed while a conflict is left', async () => {
  const { page } = story
  await say('Take both')
  await command(page, 'Git: Commit and Push')
  await page.getByText('src/list.ts has conflicts that are not resolved').first().waitFor()
  await client.git('fetch', '--quiet', 'origin')
  expect((await client.git('log', '-1', '--format=%s', 'origin/ten')).trim()).toBe('Count in tens')
})

step('WB661, WB911: both sides are taken somewhere, and the merge is committed and pushed, formatted', async () => {
  const { page } = story
  // From below, so that no lens stands for lines that have moved since it was drawn.
  await lens('Accept Current Change').last().click()
  await expect.poll(() => lens('Accept Current Change').count(), POLL).toBe(1)
  await lens('Accept Incoming Change').first().click()
  await expect.poll(() => lens('Accept Incoming Change').count(), POLL).toBe(0)
  await expect.poll(shownText, POLL).toContain('first = 0')
  await expect.poll(shownText, POLL).toContain('last = 10')
  expect(await shownText()).not.toMatch(/<<<<<<<|\|\|\|\|\|\|\||=======|>>>>>>>/)
  await text().click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('export const more   =   [2];')
  // Leaving the text saves it, and formatting takes a while.
  await say('Take both')
  await command(page, 'Git: Commit and Push')
  await changed().waitFor({ state: 'detached' })
  await expect
    .poll(async () => {
      await client.git('fetch', '--quiet', 'origin')
      return client.git('show', 'origin/ten:src/list.ts')
    }, POLL)
    .toBe(`${listOf('0', '10')}export const more = [2];\n`)
  // A merge has two parents, the second of which is the target as it was.
  const [, ...parents] = (await client.git('log', '-1', '--format=%H %P', 'origin/ten')).trim().split(' ')
  expect(parents).toHaveLength(2)
  expect(parents[1]).toBe((await client.git('rev-parse', 'origin/main')).trim())
  await picture('conflict-resolved')
})

step('WB1033: a pull brings what others pushed, into a text that is open too', async () => {
  const { page } = story
  await client.git('checkout', '--quiet', 'ten')
  await client.git('reset', '--quiet', '--hard', 'origin/ten')
  await client.commit('Say more', { 'src/list.ts': `${listOf('0', '10')}export const more = [2, 3];\n` })
  await client.git('push', '--quiet', 'origin', 'ten')
  await command(page, 'Git: Pull')
  await expect.poll(shownText, POLL).toContain('more = [2, 3];')
})
