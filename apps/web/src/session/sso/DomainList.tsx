import { Badge, Button, Input } from '@boxyard/ui'
import { useState } from 'react'
import type { SsoDomain } from './ssoApi.ts'

interface DomainListProps {
  domains: readonly SsoDomain[]
  busy: boolean
  error: Error | null
  onAdd: (domain: string) => void
  onVerify: (id: string) => void
  onRemove: (id: string) => void
}

/** The domains of a workspace, each with the TXT record that proves it. */
export function DomainList({ domains, busy, error, onAdd, onVerify, onRemove }: DomainListProps) {
  const [domain, setDomain] = useState('')
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-14 font-semibold">Domains</h2>
      <p className="text-quiet">People with an address of a verified domain sign in at your identity provider.</p>
      {domains.length > 0 && (
        <ul aria-label="Domains" className="divide-y divide-line border-y border-line">
          {domains.map((entry) => (
            <li key={entry.id} className="flex flex-col gap-2 py-2">
              <div className="flex items-center gap-2">
                <span className="min-w-0 flex-1 truncate font-medium">{entry.domain}</span>
                {entry.verifiedAt ? (
                  <Badge tone="success">Verified</Badge>
                ) : (
                  <Button size="small" disabled={busy} onClick={() => onVerify(entry.id)}>
                    Verify
                  </Button>
                )}
                <Button
                  size="small"
                  variant="quiet"
                  disabled={busy}
                  aria-label={`Remove ${entry.domain}`}
                  onClick={() => onRemove(entry.id)}
                >
                  Remove
                </Button>
              </div>
              {!entry.verifiedAt && (
                <p className="text-12 text-quiet">
                  Add a TXT record <code className="font-mono">{entry.recordName}</code> with the value{' '}
                  <code className="font-mono break-all">{entry.recordValue}</code>, then verify.
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          onAdd(domain.trim())
          setDomain('')
        }}
      >
        <Input
          className="flex-1"
          label="Domain"
          required
          placeholder="example.org"
          value={domain}
          onChange={(event) => setDomain(event.target.value)}
        />
        <Button type="submit" disabled={busy}>
          Add domain
        </Button>
      </form>
      {error && (
        <p role="alert" className="text-12 text-danger">
          {error.message}
        </p>
      )}
    </section>
  )
}
