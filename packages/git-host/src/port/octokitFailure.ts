import { RequestError } from '@octokit/request-error'
import { GitHostFailure } from './gitHostFailure.ts'
import type { GitHostFailureCode } from './gitHostFailure.ts'

/** What a failed call means for whoever asked. Errors that are ours pass through. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error
  const { status, response } = error
  const headers = response?.headers ?? {}
  const detail = detailOf(response?.data) ?? error.message
  const split = (value: unknown) =>
    typeof value === 'string' ? value.split(/[\s,]+/).filter((scope) => scope !== '') : []
  const granted = split(headers['x-oauth-scopes'])
  const accepted = split(headers['x-accepted-oauth-scopes'])
  const lacks = accepted.length > 0 && !accepted.some((scope) => granted.includes(scope))
  const make = (code: GitHostFailureCode) =>
    new GitHostFailure(code, detail, { cause: error, scopes: lacks ? accepted : [] })
  if (!response) return make('UNREACHABLE')
  if (status === 401) return make('SIGN_IN_NEEDED')
  if (status === 429 || headers['x-ratelimit-remaining'] === '0') return make('RATE_LIMITED')
  if (status === 403) return make(lacks ? 'SCOPE_MISSING' : 'FORBIDDEN')
  if (status === 404) return make('NOT_FOUND')
  if (status === 405 || status === 409) return make('CONFLICT')
  return make(status >= 500 ? 'UNREACHABLE' : 'REFUSED')
}

/** The host's own words, with those about single fields. */
function detailOf(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('message' in data) || typeof data.message !== 'string') return null
  const errors: unknown[] = 'errors' in data && Array.isArray(data.errors) ? data.errors : []
  const fields = errors.flatMap((each) => {
    if (typeof each === 'string') return [each]
    if (typeof each !== 'object' || each === null) return []
    const { message, field, code } = each as { message?: string; field?: string; code?: string }
    return message !== undefined ? [message] : field !== undefined ? [`${field} is ${code ?? 'wrong'}`] : []
  })
  return fields.length === 0 ? data.message : `${data.message}: ${fields.join(', ')}`
}
