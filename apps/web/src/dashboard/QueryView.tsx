import { Button, ErrorState } from '@boxyard/ui'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

/** Shows what a query brought, its skeleton until then, and a way to try again when it failed. */
export function QueryView<Data>(props: {
  query: UseQueryResult<Data>
  /** What could not be loaded, as the subject of a sentence: "Your drafts". */
  what: string
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}) {
  const { query, what, skeleton, children } = props
  if (query.isPending) {
    return (
      <div aria-busy aria-label={`Loading: ${what}`}>
        {skeleton}
      </div>
    )
  }
  if (query.isError) {
    return (
      <ErrorState
        title={`${what} could not be loaded`}
        safe="Your work itself is safe."
        actions={
          <Button variant="primary" loading={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        }
      >
        {query.error.message}
      </ErrorState>
    )
  }
  return children(query.data)
}
