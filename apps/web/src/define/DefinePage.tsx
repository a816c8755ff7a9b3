import { Button } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { useApp } from '../App.ts'
import { CenteredPage } from '../session/CenteredPage.tsx'
import { forgetDefinition, readDefinition } from './definition.ts'
import type { Definition } from './definition.ts'

/** Asks whether a project that another site sent should be made. Its code is a stranger's, so nothing happens by itself. */
export function DefinePage() {
  const app = useApp()
  const navigate = useNavigate()
  const [definition] = useState(readDefinition)
  // It is kept now: nobody copies an address that is as long as a project.
  useEffect(() => void navigate({ to: '/define', replace: true }), [navigate])
  const make = useMutation({
    mutationFn: (given: Definition) =>
      app.rest.post('/sandboxes/define', {
        schema: z.object({ sandboxId: z.string() }),
        query: { json: '1' },
        body: { parameters: given.parameters, environment: given.environment },
      }),
    onSuccess: async ({ sandboxId }, { environment, query }) => {
      forgetDefinition()
      await navigate({
        to: environment === 'server' ? '/devbox/$' : '/sandbox/$',
        params: { _splat: sandboxId },
        search: { file: new URLSearchParams(query).get('file')?.replace(/^\//, '') ?? undefined },
        replace: true,
      })
    },
  })

  if (definition === null) {
    return (
      <CenteredPage title="There is no project here">
        <p className="text-quiet">Go back to the page with the example and open it from there once more.</p>
        <Button variant="primary" size="large" onClick={() => void navigate({ to: '/dashboard/recent' })}>
          To your dashboard
        </Button>
      </CenteredPage>
    )
  }
  const isDevbox = definition.environment === 'server'
  return (
    <CenteredPage title="Open this project?">
      <p className="text-quiet">
        Another site sent it. It becomes a private draft of yours that {isDevbox ? 'has a machine' : 'runs in this tab'}
        , kept apart from your account and your other work.
      </p>
      {make.isError && (
        <p role="alert" className="text-danger">
          It was not made: {make.error.message}
        </p>
      )}
      <div className="flex gap-2">
        <Button variant="primary" size="large" loading={make.isPending} onClick={() => make.mutate(definition)}>
          Open it
        </Button>
        <Button
          variant="quiet"
          size="large"
          disabled={make.isPending}
          onClick={() => {
            forgetDefinition()
            void navigate({ to: '/dashboard/recent' })
          }}
        >
          No, leave it
        </Button>
      </div>
    </CenteredPage>
  )
}
