import type { TestBrowser } from './browser.ts'

export interface GraphqlTestAnswer {
  data?: Record<string, unknown> | null
  errors?: readonly { message: string; extensions?: { code?: string } }[]
}

/** Asks the query API as the app's page does. */
export async function ask(browser: TestBrowser, query: string, variables?: object): Promise<GraphqlTestAnswer> {
  return (await browser.call('POST', '/api/graphql', { query, variables })).body as GraphqlTestAnswer
}

/** The value of the one field that was asked for. Throws what the answer says went wrong. */
export async function valueOf<T>(browser: TestBrowser, query: string, variables?: object): Promise<T> {
  const { data, errors } = await ask(browser, query, variables)
  if (errors) throw new Error(errors.map(({ message }) => message).join('\n'))
  return Object.values(data ?? {})[0] as T
}

/** The code of the failure, or null when there was none. */
export async function failureOf(browser: TestBrowser, query: string, variables?: object): Promise<string | null> {
  const { errors } = await ask(browser, query, variables)
  return errors ? (errors[0]?.extensions?.code ?? errors[0]?.message ?? '') : null
}
