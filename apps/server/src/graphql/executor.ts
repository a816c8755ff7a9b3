import { apiErrors } from '@boxyard/api'
import { GraphQLError, parse, specifiedRules, validate } from 'graphql'
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { CompiledQuery } from 'graphql-jit'
import { toApiError } from '../http/errorHandler.ts'
import { limits, MAX_TOKENS } from './limits.ts'
import type { GraphqlContext } from './graphqlContext.ts'

const MOST_DOCUMENTS = 1000
/** Longer documents are run, but not kept. */
const LONGEST_KEPT = 20_000

export interface GraphqlRequest {
  query: string
  variables?: Record<string, unknown> | null | undefined
  operationName?: string | null | undefined
}

export interface GraphqlAnswer {
  data?: unknown
  errors?: readonly { message: string }[]
}

/** Runs documents. A document is parsed, checked and compiled once, then kept with the least used going first. */
export class GraphqlExecutor {
  readonly #schema: GraphQLSchema
  readonly #onFailure: (error: unknown) => void
  readonly #compiled = new Map<string, CompiledQuery>()

  /** `onFailure` hears of errors that are ours; clients are told nothing about their inside. */
  constructor(schema: GraphQLSchema, onFailure: (error: unknown) => void) {
    this.#schema = schema
    this.#onFailure = onFailure
  }

  async execute({ query, variables, operationName }: GraphqlRequest, context: GraphqlContext): Promise<GraphqlAnswer> {
    const compiled = this.#compile(query, operationName ?? '')
    if (!('query' in compiled)) return { errors: compiled.errors }
    const { data, errors }: ExecutionResult = await compiled.query({}, context, variables ?? {})
    return {
      ...(data === undefined ? {} : { data }),
      ...(errors ? { errors: errors.map((error) => this.#present(error)) } : {}),
    }
  }

  #compile(text: string, operationName: string): CompiledQuery | { errors: readonly { message: string }[] } {
    const key = `${operationName}\n${text}`
    const kept = this.#compiled.get(key)
    if (kept) {
      this.#compiled.delete(key)
      this.#compiled.set(key, kept)
      return kept
    }
    let document: DocumentNode
    try {
      document = parse(text, { maxTokens: MAX_TOKENS })
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error.toJSON()] }
      throw error
    }
    const problems = validate(this.#schema, document, [...specifiedRules, limits], { maxErrors: 10 })
    if (problems.length > 0) return { errors: problems.map((problem) => problem.toJSON()) }
    const compiled = compileQuery(this.#schema, document, operationName)
    if (!isCompiledQuery(compiled)) return { errors: (compiled.errors ?? []).map((error) => this.#present(error)) }
    if (text.length <= LONGEST_KEPT) {
      this.#compiled.set(key, compiled)
      if (this.#compiled.size > MOST_DOCUMENTS) this.#compiled.delete(this.#compiled.keys().next().value!)
    }
    return compiled
  }

  #present(error: GraphQLError): { message: string; extensions?: object } {
    const { originalError: cause, locations, path } = error
    const where = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) }
    if (!cause || cause instanceof GraphQLError) return { message: error.message, ...where }
    const known = toApiError(cause)
    if (known.status !== 500) {
      const { code, next, fields } = known
      return { message: known.message, ...where, extensions: { code, next, ...(fields ? { fields } : {}) } }
    }
    this.#onFailure(cause)
    return { message: apiErrors.INTERNAL.message, ...where }
  }
}
