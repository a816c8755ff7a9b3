import { ApiError } from '@boxyard/api'
import type { ApiErrorCode, FieldErrors } from '@boxyard/api'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isDatabaseAway, isUnstorable } from '../database/database.ts'
import type { App } from './app.ts'

/** Answers every failure in the shape its clients read: lists of texts under /api/vm, an error or field errors elsewhere. */
export function registerErrorHandler(app: App): void {
  app.setErrorHandler((error, request, reply) => {
    const known = toApiError(error)
    if (known.status >= 500) request.log.error({ err: error }, 'a request failed')
    return reply.code(known.status).send(presentError(known, request.url))
  })
}

export function presentError(error: ApiError, url: string): object {
  const { code, message, next } = error
  if (url.startsWith('/api/vm/')) return { errors: [message], code, next }
  if (error.fields) return { errors: error.fields, code, next }
  return { error: { code, message, next } }
}

/** Turns whatever a route threw into an error of the catalogue. What we do not know says nothing about its inside. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (hasZodFastifySchemaValidationErrors(error))
    return new ApiError('INVALID_INPUT', { fields: fieldErrors(error.validation) })
  if (isDatabaseAway(error)) return new ApiError('UNAVAILABLE', { cause: error })
  if (isUnstorable(error)) return new ApiError('INVALID_INPUT', { cause: error })
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return new ApiError(codeOf(status), { cause: error })
}

function codeOf(status: unknown): ApiErrorCode {
  if (status === 413) return 'PAYLOAD_TOO_LARGE'
  if (status === 404) return 'NOT_FOUND'
  if (status === 429) return 'RATE_LIMITED'
  if (typeof status === 'number' && status >= 400 && status < 500) return 'MALFORMED'
  return 'INTERNAL'
}

function fieldErrors(issues: readonly { instancePath: string; message?: string | undefined }[]): FieldErrors {
  const fields: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  for (const { instancePath, message } of issues) {
    const name = instancePath.replace(/^\//, '').replaceAll('/', '.') || 'detail'
    ;(fields[name] ??= []).push(message ?? 'is not valid')
  }
  return fields
}
