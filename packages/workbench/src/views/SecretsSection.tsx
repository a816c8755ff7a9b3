import { useEffect, useState } from 'react'
import type { BoxServices } from '../index.ts'

/** Variables that programs of the box get, by name. Values are typed in and never shown again. */
export function SecretsSection({ secrets }: { secrets: NonNullable<BoxServices['secrets']> }) {
  const [names, setNames] = useState<string[]>()
  const [failure, setFailure] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  const take = (work: Promise<string[]>, what: string) =>
    work.then(
      (next) => {
        setNames(next)
        setFailure(undefined)
        return true
      },
      (error: unknown) => {
        setFailure(
          `${what}: ${error instanceof Error ? error.message : String(error)}. Nothing was changed; try again.`,
        )
        return false
      },
    )
  useEffect(() => void take(secrets.list(), 'The secrets were not read'), [secrets])
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
            const form = new FormData(event.currentTarget)
            const name = String(form.get('name')).trim()
            void take(secrets.set(name, String(form.get('value'))), `${name} was not kept`).then(
              (isKept) => isKept && setAdding(false),
            )
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
              <span className="boxyard-name">{name}</span>
              <span className="boxyard-status">Kept</span>
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
