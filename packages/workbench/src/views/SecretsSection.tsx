import { useEffect, useState } from 'react'
import type { BoxServices } from '../index.ts'

/** Variables that programs of the box get, by name. Values are typed in and never shown again. */
export function SecretsSection({ secrets }: { secrets: NonNullable<BoxServices['secrets']> }) {
  const [names, setNames] = useState<string[]>()
  const [failure, setFailure] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  /** @returns whether it was done */
  const take = async (work: Promise<string[]>, what: string): Promise<boolean> => {
    try {
      setNames(await work)
      setFailure(undefined)
      return true
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      setFailure(`${what}: ${why}. Nothing was changed; try again.`)
      return false
    }
  }
  const keep = async (form: FormData) => {
    const name = String(form.get('name')).trim()
    if (await take(secrets.set(name, String(form.get('value'))), `${name} was not kept`)) setAdding(false)
  }
  useEffect(() => {
    secrets.list().then(setNames, (error: unknown) => {
      setFailure(`The secrets were not read: ${error instanceof Error ? error.message : String(error)}.`)
    })
  }, [secrets])
  return (
    <section aria-label="Secrets">
      <h2>
        Secrets
        <button
          type="button"
          className="codicon codicon-add"
          aria-label="Add a secret"
          title="Add a secret"
          aria-expanded={isAdding}
          onClick={() => setAdding(!isAdding)}
        />
      </h2>
      {failure !== undefined && (
        <p role="alert" className="boxyard-alert">
          {failure}
        </p>
      )}
      {isAdding && (
        <form
          className="boxyard-form"
          onSubmit={(event) => {
            event.preventDefault()
            void keep(new FormData(event.currentTarget))
          }}
        >
          <input
            name="name"
            aria-label="Name"
            placeholder="API_KEY"
            required
            autoFocus
            spellCheck={false}
            autoComplete="off"
          />
          <input name="value" aria-label="Value" placeholder="Value" type="password" required autoComplete="off" />
          <button type="submit" className="boxyard-wide-button">
            Keep the secret
          </button>
        </form>
      )}
      {names?.length ? (
        <ul>
          {names.map((name) => (
            <li key={name} className="boxyard-row">
              <span className="boxyard-words">
                <span className="boxyard-name">{name}</span>
                <span className="boxyard-status">Kept</span>
              </span>
              <span className="boxyard-actions">
                <button
                  type="button"
                  className="codicon codicon-trash"
                  aria-label={`Remove ${name}`}
                  title={`Remove ${name}`}
                  onClick={() => void take(secrets.remove(name), `${name} was not removed`)}
                />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        names && <p className="boxyard-quiet">None. Programs get them as variables at their next start.</p>
      )}
    </section>
  )
}
