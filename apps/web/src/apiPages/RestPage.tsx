import { Badge, Input, Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { QueryView } from '../dashboard/QueryView.tsx'
import { apiDescription } from './apiDescription.ts'
import type { ApiCall } from './apiDescription.ts'

/** Every REST call of this server, from the document that it makes of its own routes. */
export function RestPage() {
  const query = useQuery(apiDescription)
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim().toLowerCase())
  return (
    <QueryView query={query} what="The description of the API" skeleton={<Skeleton className="h-64" />}>
      {({ info, groups }) => {
        const shown = [...groups].flatMap(([name, calls]) => {
          const found = calls.filter(({ method, path }) => `${method} ${path}`.toLowerCase().includes(wanted))
          return found.length === 0 ? [] : [{ name, calls: found }]
        })
        return (
          <div className="flex max-w-[960px] flex-col gap-6">
            <p className="text-quiet">
              {info.description} <a href="/api/openapi.json">The document itself</a> is for programs.
            </p>
            <Input
              label="Find a call"
              type="search"
              value={text}
              placeholder="sandboxes, POST, …"
              onChange={(event) => setText(event.target.value)}
            />
            {shown.length === 0 && <p role="status">No call has that in its address.</p>}
            {shown.map(({ name, calls }) => (
              <section key={name} aria-label={name} className="flex flex-col gap-2">
                <h2 className="text-16 font-semibold">{name}</h2>
                {calls.map((call) => (
                  <Call key={call.id} call={call} />
                ))}
              </section>
            ))}
          </div>
        )
      }}
    </QueryView>
  )
}

function Call({ call }: { call: ApiCall }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className="rounded-menu border border-line bg-panel open:border-line-strong"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="flex cursor-pointer items-center gap-3 px-3 py-2 font-mono text-13">
        <Badge>{call.method}</Badge>
        <span className="min-w-0 break-all">{call.path}</span>
      </summary>
      {isOpen && (
        <div className="flex flex-col gap-3 border-t border-line p-3">
          {call.parameters.length > 0 && (
            <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
              {call.parameters.map(({ name, place, required, type }) => (
                <div key={`${place} ${name}`} className="contents">
                  <dt className="font-mono text-13">{name}</dt>
                  <dd className="text-quiet">
                    {type}, in the {place}
                    {required ? '' : ', optional'}
                  </dd>
                </div>
              ))}
            </dl>
          )}
          {call.request !== null && <Schema title="Body" text={call.request} />}
          {call.answers.map(({ status, schema }) => (
            <Schema key={status} title={`Answer ${status}`} text={schema} />
          ))}
        </div>
      )}
    </details>
  )
}

function Schema({ title, text }: { title: string; text: string | null }) {
  return (
    <div>
      <h3 className="text-13 font-semibold">{title}</h3>
      {text === null ? (
        <p className="text-quiet">No body.</p>
      ) : (
        <pre tabIndex={0} aria-label={title} className="max-h-80 overflow-auto rounded-control bg-ground p-2 text-12">
          {text}
        </pre>
      )}
    </div>
  )
}
