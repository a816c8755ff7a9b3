import { Button, Checkbox, Input, Select } from '@boxyard/ui'
import { useState } from 'react'
import { kindNames, settingFields } from './ssoApi.ts'
import type { Sso, SsoChange, SsoSettings } from './ssoApi.ts'

interface ConnectionFormProps {
  connection: Sso['connection']
  /** Whether a domain is verified, without which nobody can be made to use it. */
  canEnforce: boolean
  busy: boolean
  saved: boolean
  error: Error | null
  onSave: (change: SsoChange) => void
}

/** The identity provider of a workspace. */
export function ConnectionForm({ connection, canEnforce, busy, saved, error, onSave }: ConnectionFormProps) {
  const [kind, setKind] = useState<SsoSettings['kind']>(connection?.settings.kind ?? 'oidc')
  const [values, setValues] = useState<Readonly<Record<string, string>>>(connection?.settings ?? {})
  const [clientSecret, setClientSecret] = useState('')
  const [enforced, setEnforced] = useState(connection?.enforced ?? false)

  const submit = () => {
    const fields = settingFields[kind].map(({ name }) => [name, (values[name] ?? '').trim()])
    // The form of a kind has exactly the fields of its settings; the server checks what is in them.
    const settings = { kind, ...Object.fromEntries(fields) } as SsoSettings
    onSave({ settings, enforced, ...(kind === 'oidc' && clientSecret !== '' ? { clientSecret } : {}) })
  }

  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <h2 className="text-14 font-semibold">Identity provider</h2>
      <Select
        label="Kind"
        value={kind}
        options={kindNames}
        onValueChange={(next) => setKind(kindNames.find(({ value }) => value === next)?.value ?? kind)}
      />
      {settingFields[kind].map(({ name, label }) => (
        <Input
          key={name}
          label={label}
          required
          value={values[name] ?? ''}
          onChange={(event) => setValues({ ...values, [name]: event.target.value })}
        />
      ))}
      {kind === 'oidc' && (
        <Input
          label="Client secret"
          type="password"
          required={!connection?.hasClientSecret}
          value={clientSecret}
          hint={connection?.hasClientSecret ? 'One is kept. Leave this empty to keep it.' : undefined}
          onChange={(event) => setClientSecret(event.target.value)}
        />
      )}
      <Checkbox checked={enforced} disabled={!canEnforce} onCheckedChange={setEnforced}>
        People of the verified domains sign in this way alone
      </Checkbox>
      {connection && (
        <dl className="text-12 text-quiet">
          <dt>Enter this at the identity provider as where it sends people back:</dt>
          <dd className="font-mono break-all">{connection.callbackUrl}</dd>
          {connection.metadataUrl && (
            <>
              <dt>Our metadata:</dt>
              <dd className="font-mono break-all">{connection.metadataUrl}</dd>
            </>
          )}
        </dl>
      )}
      <div aria-live="polite" className="flex items-center gap-3">
        <Button type="submit" variant="primary" loading={busy}>
          Save
        </Button>
        {saved && <span className="text-12 text-quiet">Saved.</span>}
        {error && <span className="text-12 text-danger">{error.message}</span>}
      </div>
    </form>
  )
}
