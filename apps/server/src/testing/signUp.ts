import type { TestBrowser } from './browser.ts'

export const TEST_PASSWORD = 'correct horse battery'

/** Creates an account at the local git host and, under the same name, a user of the app. */
export async function signUp(browser: TestBrowser, login: string): Promise<void> {
  const start = await browser.open('/auth/github?version=2')
  const form = start.url.includes('/join') ? start : await browser.open(joinLink(start.text))
  const fields = { login, name: '', email: `${login}@example.test`, password: TEST_PASSWORD }
  const result = await browser.submit(form, '/join', fields)
  if (!result.text.includes('"type":"signin"')) throw new Error(`The sign-up of ${login} failed:\n${result.text}`)
}

function joinLink(page: string): string {
  const link = /<a href="([^"]*\/join\?[^"]*)"/.exec(page)?.[1]
  if (link === undefined) throw new Error(`No link to create an account:\n${page}`)
  return link
}
