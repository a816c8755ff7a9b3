import { useState, useSyncExternalStore } from 'react'
import type { FormEvent } from 'react'
import type { DependencyStore } from './dependencyStore.ts'

export interface DependencyActions {
  /** Takes a name, or a name with a range behind an `@`. Resolves when package.json is stored; says itself what fails. */
  add(wanted: string): Promise<boolean>
  remove(name: string): Promise<boolean>
}

/** The dependencies of a sandbox without a machine, which has no terminal to change them in. */
export function DependencySection(props: { store: DependencyStore; actions: DependencyActions; canWrite: boolean }) {
  const { store, actions, canWrite } = props
  const dependencies = useSyncExternalStore(store.subscribe, store.getSnapshot)
  const [wanted, setWanted] = useState('')
  const [busy, setBusy] = useState<string | null>(null)
  const doing = async (words: string, work: () => Promise<boolean>) => {
    setBusy(words)
    const isDone = await work()
    setBusy(null)
    return isDone
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const name = wanted.trim()
    if (name === '' || busy !== null) return
    if (await doing(`Adding ${name}`, () => actions.add(name))) setWanted('')
  }
  return (
    <section aria-label="Dependencies">
      <h2>Dependencies</h2>
      {dependencies === null && (
        <p className="boxyard-quiet">package.json can not be read. Its dependencies appear when it can.</p>
      )}
      {dependencies && dependencies.length > 0 && (
        <ul>
          {dependencies.map(({ name, range }) => (
            <li key={name}>
              <span className="boxyard-row">
                <span className="boxyard-name">{name}</span>
                <span className="boxyard-status">{range}</span>
                {canWrite && (
                  <span className="boxyard-actions">
                    <button
                      type="button"
                      className="codicon codicon-arrow-up"
                      aria-label={`Update ${name} to its newest version`}
                      title={`Update ${name} to its newest version`}
                      disabled={busy !== null}
                      onClick={() => void doing(`Updating ${name}`, () => actions.add(name))}
                    />
                    <button
                      type="button"
                      className="codicon codicon-trash"
                      aria-label={`Remove ${name}`}
                      title={`Remove ${name}`}
                      disabled={busy !== null}
                      onClick={() => void doing(`Removing ${name}`, () => actions.remove(name))}
                    />
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {dependencies && canWrite && (
        <form className="boxyard-add" onSubmit={(event) => void submit(event)}>
          <input
            aria-label="Package to add"
            placeholder="Package, or package@range"
            value={wanted}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => setWanted(event.target.value)}
          />
          <button type="submit" disabled={busy !== null || wanted.trim() === ''}>
            Add
          </button>
        </form>
      )}
      <p role="status" className="boxyard-quiet">
        {busy}
      </p>
    </section>
  )
}
