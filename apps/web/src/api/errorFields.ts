import type { RequestErrorFields } from './RequestError.ts'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const unknown = 'Unknown error'

/** The texts in `errors`: a list, one text, or an object of fields. */
function texts(errors: unknown): string[] {
  if (typeof errors === 'string') return [errors]
  if (Array.isArray(errors)) {
    return errors.map((entry) => text(entry) ?? (isRecord(entry) ? text(entry['message']) : undefined) ?? unknown)
  }
  if (!isRecord(errors)) return [unknown]
  const own = text(errors['id']) ?? text(errors['code']) ?? text(errors['detail'])
  if (own) return [own]
  const ofFields = Object.entries(errors).flatMap(([field, messages]) =>
    (Array.isArray(messages) ? messages : [messages]).flatMap((message) => {
      const said = text(message)
      if (!said) return []
      return field === 'detail' ? said : `${field}: ${said}`
    }),
  )
  return ofFields.length > 0 ? ofFields : [unknown]
}

function message(body: unknown): { message: string; firstMessage?: string } {
  if (typeof body === 'string' && body !== '') return { message: body }
  if (!isRecord(body)) return { message: unknown }
  if (body['errors'] !== undefined) {
    const all = texts(body['errors'])
    return { message: all.join('\n') || unknown, firstMessage: all[0] ?? unknown }
  }
  const error = body['error']
  const ofError = text(error) ?? (isRecord(error) ? text(error['message']) : undefined)
  if (ofError) return { message: ofError }
  const code = text(body['code'])
  const own = text(body['message'])
  if (code && own) return { message: `${code}: ${own}` }
  return { message: own ?? code ?? unknown }
}

/** Reads what a failed answer says, whatever its form. */
export function errorFields(status: number, body: unknown): RequestErrorFields {
  const record = isRecord(body) ? body : {}
  const inner = isRecord(record['error']) ? record['error'] : {}
  return {
    status,
    ...message(body),
    code: text(record['code']) ?? text(inner['code']),
    phase: text(record['phase']),
    detail: text(record['detail']),
    next: text(record['next']) ?? text(inner['next']),
  }
}
