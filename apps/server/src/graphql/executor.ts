import { apiErrors } from '@boxyard/api'
import { getOperationAST, GraphQLError, OperationTypeNode, parse, specifiedRules, validate } from 'graphql'
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import { toApiError } from '../http/errorHandler.ts'
import { checkNesting, limits } from './limits.ts'
import type { GraphqlContext } from './graphqlContext.ts'
import type { PreparedDocument } from './preparedDocument.ts'

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
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[]
}

export type Preparation = PreparedDocument | { errors: readonly { message: string }[] }

/** Runs documents. A document is parsed, checked and compiled once, then kept with the least used going first. */
export class GraphqlExecutor {
  readonly schema: GraphQLSchema
  readonly #onFailure: (error: unknown) => void
  readonly #prepared = new Map<string, PreparedDocument>()
  #count = 0

  /** `onFailure` hears of errors that are ours; clients are told nothing about their inside. */
  constructor(schema: GraphQLSchema, onFailure: (error: unknown) => void) {
    this.schema = schema
    this.#onFailure = onFailure
  }

  /** Answers a query or a mutation. */
  async execute({ query, variables, operationName }: GraphqlRequest, context: GraphqlContext): Promise<GraphqlAnswer> {
    const prepared = this.prepare(query, operationName ?? '')
    if ('errors' in prepared) return { errors: prepared.errors }
    if (prepared.operation.operation === OperationTypeNode.SUBSCRIPTION) {
      return { errors: [{ message: 'Subscriptions are answered on the socket at /socket only' }] }
    }
    return prepared.run({}, context, variables ?? {})
  }

  prepare(text: string, operationName = ''): Preparation {
    const key = `${operationName}\n${text}`
    const kept = this.#prepared.get(key)
    if (kept) {
      this.#prepared.delete(key)
      this.#prepared.set(key, kept)
      return kept
    }
    let document: DocumentNode
    try {
      checkNesting(text)
      document = parse(text)
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error.toJSON()] }
      throw error
    }
    const problems = validate(this.schema, document, [...specifiedRules, limits], { maxErrors: 10 })
    if (problems.length > 0) return { errors: problems.map((problem) => problem.toJSON()) }
    const operation = getOperationAST(document, operationName === '' ? null : operationName)
    const compiled = compileQuery(this.schema, document, operationName)
    if (!isCompiledQuery(compiled)) return { errors: (compiled.errors ?? []).map((error) => this.#present(error)) }
    if (!operation) return { errors: [{ message: 'The document has several operations and none is named' }] }
    const prepared: PreparedDocument = {
      id: String((this.#count += 1)),
      document,
      operation,
      run: async (root, context, variables) => {
        const { data, errors }: ExecutionResult = await compiled.query(root, context, variables)
        return {
          ...(data === undefined ? {} : { data }),
          ...(errors ? { errors: errors.map((error) => this.#present(error)) } : {}),
        }
      },
    }
    if (text.length <= LONGEST_KEPT) {
      this.#prepared.set(key, prepared)
      if (this.#prepared.size > MOST_DOCUMENTS) this.#prepared.delete(this.#prepared.keys().next().value!)
    }
    return prepared
  }

  #present(error: GraphQLError): { message: string; extensions?: Record<string, unknown> } {
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
