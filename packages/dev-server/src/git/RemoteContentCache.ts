/** The most recently used contents of files at commits. What a commit holds never changes. */
export class RemoteContentCache {
  readonly #size: number
  readonly #contents = new Map<string, Promise<string>>()

  constructor(size = 20) {
    this.#size = size
  }

  /** The content that is kept, else what `read` finds. What fails is not kept. */
  get(commit: string, path: string, read: () => Promise<string>): Promise<string> {
    const key = `${commit}:${path}`
    const content = this.#contents.get(key) ?? read()
    this.#contents.delete(key)
    this.#contents.set(key, content)
    content.catch(() => {
      if (this.#contents.get(key) === content) this.#contents.delete(key)
    })
    const [oldest] = this.#contents.keys()
    if (this.#contents.size > this.#size && oldest !== undefined) this.#contents.delete(oldest)
    return content
  }
}
