import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { createAccount } from '../support/createAccount.ts'
import { openPeople, type People } from '../support/people.ts'
import { beginStory, repository } from '../support/story.ts'
import { createDevbox, editor, editorText, openFile, runInTerminal, STATIC } from './editorPage.ts'

// Five people at one place of one text, one of them away for a while, and a file that is renamed and removed while it is open.

const { story, step } = beginStory('together')
const POLL = { timeout: 120_000 }
const LETTERS = ['a', 'b', 'c', 'd', 'e'] as const
let people: People
let everyone: Page[]
let guests: People | undefined
afterAll(async () => {
  await people?.close()
  await guests?.close()
})

/** Whether the last of the people can't reach the machine. */
let isCutOff = false
let cut = async () => {}
async function cutOff(wanted: boolean): Promise<void> {
  isCutOff = wanted
  if (wanted) await cut()
}

const picture = (name: string, page: Page = story.page) =>
  page.screenshot({ path: join(repository, 'test-results', `together-${name}.png`) })
/** The text of the window, however its lines are broken there. */
const line = async (page: Page) => (await editorText(page)).replaceAll('\n', '')
const count = (text: string, letter: string) => text.split(letter).length - 1
const atEnd = async (page: Page) => {
  // A long line may be scrolled under the margin, where the middle of the lines is.
  await editor(page).click({ position: { x: 160, y: 60 } })
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('End')
}
/** Waits until every window shows one text, of which this holds. @returns it */
async function agreed(holds: (text: string) => boolean): Promise<string> {
  await expect
    .poll(async () => {
      const texts = await Promise.all(everyone.map(line))
      return new Set(texts).size === 1 && holds(texts[0]!) ? 'agreed' : texts.join('\n')
    }, POLL)
    .toBe('agreed')
  return line(story.page)
}
/** Waits until the file on disk is this text. */
async function onDisk(path: string, text: string): Promise<void> {
  const hash = createHash('md5').update(`${text}\n`).digest('hex')
  await runInTerminal(story.page, `until md5sum ${path} | grep ${hash}; do sleep 0.2; done`)
  await story.page.locator('.terminal-wrapper.active .xterm-rows').getByText(`${hash}  ${path}`).last().waitFor()
}

step('five people open one text', async () => {
  const { page, server } = story
  await createAccount(page, server.address, 'ada')
  const devbox = await createDevbox(page, server.address, STATIC, 'index.html')
  const id = new URL(devbox).pathname.split('/').at(-1)!
  const names = ['barbara', 'charles', 'donald', 'edsger']
  people = await openPeople(server.address, names)
  await page.evaluate(
    async ({ sandbox, users }) => {
      for (const user of users) {
        const query = `mutation { addCollaborator(sandboxId: "${sandbox}", username: "${user}", authorization: WRITE_CODE) { id } }`
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch('/api/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) })
        const { errors } = (await answer.json()) as { errors?: object[] }
        if (errors) throw new Error(JSON.stringify(errors))
      }
    },
    { sandbox: id, users: names },
  )
  await runInTerminal(page, 'echo start: > together.txt')
  await openFile(page, 'together.txt')
  everyone = [page, ...people.pages]
  await people.pages[3]!.routeWebSocket(/\/box\//, (socket) => {
    if (isCutOff) return void socket.close({ code: 1011 })
    const server = socket.connectToServer()
    cut = async () => {
      await socket.close({ code: 1011 })
      await server.close({ code: 1001 })
    }
  })
  await Promise.all(
    people.pages.map(async (one) => {
      await one.goto(`${devbox}?file=together.txt`)
      await editor(one).locator('.view-line').filter({ hasText: 'start:' }).waitFor()
    }),
  )
})

step('WB13, WB14: they type at one place at once, and all have the same text with everything in it', async () => {
  for (const one of everyone) await atEnd(one)
  await Promise.all(everyone.map((one, index) => one.keyboard.type(LETTERS[index]!.repeat(12), { delay: 30 })))
  await agreed(
    (text) =>
      text.startsWith('start:') && LETTERS.every((letter) => count(text, letter) === (letter === 'a' ? 13 : 12)),
  )
  for (const one of everyone) await one.keyboard.press('End')
  await Promise.all(
    everyone.map((one, index) => one.keyboard.type(LETTERS[index]!.toUpperCase().repeat(6), { delay: 30 })),
  )
  await agreed((text) => LETTERS.every((letter) => count(text, letter.toUpperCase()) === 6))
  await picture('five')
})

/** Presses a key until the window's text is as wanted. What one step of undo is the editor decides. */
const pressUntil = (page: Page, key: string, holds: (text: string) => boolean) =>
  expect
    .poll(async () => {
      if (holds(await line(page))) return true
      await page.keyboard.press(key)
      return holds(await line(page))
    }, POLL)
    .toBe(true)

step('WB15, WB16: each takes back their own steps alone, at once, and brings them again', async () => {
  await Promise.all(
    everyone.map((one, index) => pressUntil(one, 'Control+z', (text) => !text.includes(LETTERS[index]!.toUpperCase()))),
  )
  const small = (text: string) => LETTERS.every((letter) => count(text, letter) === (letter === 'a' ? 13 : 12))
  await agreed((text) => text.toLowerCase() === text && small(text))
  await pressUntil(everyone[1]!, 'Control+y', (text) => count(text, 'B') === 6)
  await agreed((text) => count(text, 'B') === 6 && small(text) && !/[ACDE]/.test(text))
  await pressUntil(everyone[0]!, 'Control+z', (text) => count(text, 'a') === 1)
  await agreed((text) => count(text, 'a') === 1 && count(text, 'B') === 6 && count(text, 'b') === 12)
  await pressUntil(everyone[0]!, 'Control+y', (text) => count(text, 'a') === 13)
  await agreed((text) => small(text) && count(text, 'B') === 6)
})

step(
  'WB14, WB17: what somebody types without a connection is there when it is back, with what the others did',
  async () => {
    const away = everyone[4]!
    await away.clock.install()
    // This clock keeps no measures; the editor reads one for each key.
    await away.evaluate(() => {
      performance.getEntriesByName = () => [{ duration: 0 } as PerformanceEntry]
    })
    await cutOff(true)
    await away.keyboard.press('End')
    await away.keyboard.type('xxx')
    await away.locator('header').getByText('Kept in this page').waitFor()
    // A minute passes for the one who is away.
    await away.clock.fastForward(60_000)
    await away.keyboard.type('xx')
    await picture('away', away)
    await story.page.keyboard.press('End')
    await story.page.keyboard.type('yyyyy')
    await cutOff(false)
    // After some tries it waits to be asked.
    const again = away.getByRole('button', { name: 'Reconnect' })
    await expect
      .poll(async () => {
        // It connects by itself meanwhile, and there is nothing to click any more.
        if (await again.isVisible()) await again.click({ timeout: 1000 }).catch(() => undefined)
        return away.locator('header').getByText('Kept in this page').isVisible()
      }, POLL)
      .toBe(false)
    const text = await agreed((one) => count(one, 'x') === 5 && count(one, 'y') === 5)
    await pressUntil(away, 'Control+z', (one) => count(one, 'x') === 0)
    await agreed((one) => count(one, 'x') === 0 && count(one, 'y') === 5)
    await pressUntil(away, 'Control+y', (one) => count(one, 'x') === 5)
    await agreed((one) => one.length === text.length)
    await story.page.keyboard.press('Control+s')
    await onDisk('together.txt', await line(story.page))
  },
)

step('WB15, WB16, WB17: everybody takes back all that they typed and nothing else, and brings it again', async () => {
  const { page } = story
  const whole = await line(page)
  /** Whether of the letters that each types there are as many as in the other text. */
  const hasOwn = (index: number, text: string, other: string) =>
    [...['ay', 'bB', 'c', 'd', 'ex'][index]!].every((letter) => count(text, letter) === count(other, letter))
  let rest = whole
  for (const [index, one] of everyone.entries()) {
    await atEnd(one)
    await pressUntil(one, 'Control+z', (text) => hasOwn(index, text, 'start:'))
    const before = rest
    rest = await agreed((text) => hasOwn(index, text, 'start:'))
    for (const other of everyone.keys()) if (other !== index) expect(hasOwn(other, rest, before)).toBe(true)
  }
  expect(rest).toBe('start:')
  for (const [index, one] of everyone.entries())
    await pressUntil(one, 'Control+y', (text) => hasOwn(index, text, whole))
  const again = await agreed((text) => text.length === whole.length)
  expect([...again].toSorted()).toEqual([...whole].toSorted())
  await page.keyboard.press('Control+s')
  await onDisk('together.txt', again)
})

step('WB879: a text that somebody renames stays open under its new name for all', async () => {
  const { page } = story
  await page.getByRole('treeitem', { name: 'together.txt', exact: true }).click()
  await page.keyboard.press('F2')
  await page.locator('.explorer-item-edited input').fill('renamed.txt')
  await page.keyboard.press('Enter')
  for (const one of everyone) await one.getByRole('tab', { name: /renamed\.txt/ }).waitFor()
  await atEnd(everyone[2]!)
  await everyone[2]!.keyboard.type('z')
  await agreed((text) => text.endsWith('z'))
  await picture('renamed', everyone[2])
})

step(
  'WB995: what somebody deletes stays in every window with what was not saved, and a save brings it back',
  async () => {
    const { page } = story
    const isDeleted = (one: Page) =>
      one.getByRole('tab', { name: /renamed\.txt/ }).locator('.monaco-icon-label.strikethrough')
    // Whoever leaves the editor saves it, so the one who deletes is in the terminal already.
    await runInTerminal(page, 'echo here > here.txt')
    await page.getByRole('treeitem', { name: 'here.txt', exact: true }).waitFor()
    await atEnd(everyone[1]!)
    await everyone[1]!.keyboard.type('u')
    await agreed((text) => text.includes('u'))
    await page.keyboard.type('rm renamed.txt')
    await page.keyboard.press('Enter')
    await page.getByRole('treeitem', { name: 'renamed.txt', exact: true }).waitFor({ state: 'detached' })
    for (const one of everyone) await isDeleted(one).waitFor()
    await picture('deleted', everyone[3])
    await atEnd(everyone[3]!)
    await everyone[3]!.keyboard.type('v')
    const kept = await agreed((text) => text.includes('u') && text.includes('v'))
    await everyone[1]!.keyboard.press('Control+s')
    await page.getByRole('treeitem', { name: 'renamed.txt', exact: true }).waitFor()
    for (const one of everyone) await isDeleted(one).waitFor({ state: 'detached' })
    await onDisk('renamed.txt', kept)
    await everyone[1]!.keyboard.press('Control+z')
    await agreed((text) => text === kept.replace('u', ''))
  },
)

step('AP946: a guest comes in by the link, edits, may only look from then on, and hears of the end', async () => {
  const { page, server } = story
  await page.getByRole('button', { name: 'Live session' }).click()
  const dialog = page.getByRole('dialog', { name: 'Live session' })
  await picture('live-start')
  await dialog.getByRole('button', { name: 'Start live session' }).click()
  const link = await dialog.getByLabel('Link to come in by').inputValue()
  await dialog.getByText('Nobody has come in yet.').waitFor()

  guests = await openPeople(server.address, ['frances'])
  const guest = guests.pages[0]!
  await guest.goto(link)
  await guest.waitForURL('**/devbox/*')
  await openFile(guest, 'renamed.txt')
  await atEnd(guest)
  await guest.keyboard.type('F')
  everyone.push(guest)
  await agreed((text) => text.endsWith('zvF'))
  await guest.getByLabel('Live session of ada').waitFor()
  await picture('live-guest', guest)

  await dialog.getByRole('combobox', { name: 'What frances can do' }).click()
  await picture('live-host')
  await page.getByRole('option', { name: 'Look and follow' }).click()
  await guest.getByText('You may only look at this devbox now').waitFor()
  await picture('live-look', guest)
  await guest.getByRole('button', { name: 'Reload', exact: true }).click()
  await guest.getByText('Read-only').first().waitFor()
  await guest.getByLabel('Live session of ada').waitFor()

  await dialog.getByRole('button', { name: 'End live session' }).click()
  await guest.getByRole('heading', { name: 'This live session has ended' }).waitFor()
  await guest.locator('[data-first-text]').waitFor({ state: 'detached' })
  await picture('live-end', guest)
  await guest.goto(link)
  await guest.getByRole('heading', { name: 'Page not found' }).waitFor()
})
