import type { TextOperation } from './operation.ts'

/** Collects components from left to right and keeps them in canonical form. Counts of zero and empty texts are dropped. */
export class OperationBuilder {
  readonly #components: (number | string)[] = []

  retain(count: number): this {
    if (count <= 0) return this
    const last = this.#components.at(-1)
    if (typeof last === 'number' && last > 0) this.#components[this.#components.length - 1] = last + count
    else this.#components.push(count)
    return this
  }

  insert(text: string): this {
    if (text === '') return this
    const components = this.#components
    const end = components.length
    const last = components[end - 1]
    if (typeof last === 'string') {
      components[end - 1] = last + text
    } else if (typeof last === 'number' && last < 0) {
      const beforeDelete = components[end - 2]
      if (typeof beforeDelete === 'string') components[end - 2] = beforeDelete + text
      else {
        components[end - 1] = text
        components.push(last)
      }
    } else {
      components.push(text)
    }
    return this
  }

  delete(count: number): this {
    if (count <= 0) return this
    const last = this.#components.at(-1)
    if (typeof last === 'number' && last < 0) this.#components[this.#components.length - 1] = last - count
    else this.#components.push(-count)
    return this
  }

  build(): TextOperation {
    return this.#components
  }
}
