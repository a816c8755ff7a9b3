import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createAccount } from '../support/createAccount.ts'
import { PREVIEW_FRAME } from '../support/previewFrame.ts'
import { beginStory, repository } from '../support/story.ts'
import { readProject, realProjects } from './projects.ts'

// Projects that were not written for this open and run. They come from packages of npm, and take minutes, so they are tried only with
// REAL_PROJECTS=yes; another word takes those with it in their name. EXAMPLES names a folder with the repositories `express`, `koa` (its examples)
// and `ws`, for the examples that their packages do not bring. What they prove is the list in docs/guides/browser-programs.md.

const wish = process.env['REAL_PROJECTS']
const { story, step: it } = beginStory('real-projects', {}, wish === undefined)
const examples = process.env['EXAMPLES']
const chosen = realProjects.filter(
  ({ name, repository: folder }) =>
    (wish === 'yes' || name.includes(wish!)) && (folder === undefined || examples !== undefined),
)
const pictures = join(repository, 'test-results')

it('signs in', async () => {
  mkdirSync(pictures, { recursive: true })
  await createAccount(story.page, story.server.address, 'ada')
})

it('opens each of them', async () => {
  const { page, server } = story
  const outcome: Record<string, string> = {}
  for (const project of chosen) {
    const files = readProject(project, join(story.folder, 'projects'), examples)
    const id = await page.evaluate(async (given) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ files: given })
      const response = await fetch('/api/v1/sandboxes/define?json=1', { method: 'POST', headers, body })
      return response.ok ? ((await response.json()) as { sandbox_id: string }).sandbox_id : await response.text()
    }, files)
    await page.goto(`${server.address}/sandbox/${id}`)
    const shown = page.frameLocator(PREVIEW_FRAME).first().locator('body')
    outcome[project.name] = await shown
      .filter({ hasText: project.shows })
      .waitFor({ timeout: 60_000 })
      .then(() => 'runs')
      .catch(async () => `shows: ${(await shown.innerText({ timeout: 1000 }).catch(() => 'nothing')).slice(0, 300)}`)
    await page.screenshot({ path: join(pictures, `real-${project.name.replaceAll(/\W+/g, '-')}.png`) })
    writeFileSync(join(pictures, 'real-projects.json'), JSON.stringify(outcome, null, 1))
  }
  const wanted = realProjects.filter(({ name, fails }) => name in outcome && fails === undefined)
  expect(wanted.filter(({ name }) => outcome[name] !== 'runs').map(({ name }) => [name, outcome[name]])).toEqual([])
})
