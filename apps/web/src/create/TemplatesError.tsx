import { Button, ErrorState } from '@boxyard/ui'
import type { UseQueryResult } from '@tanstack/react-query'

/** Says why there are no templates to choose from, with a way to ask again. */
export function TemplatesError({ query }: { query: UseQueryResult<unknown> & { error: Error } }) {
  return (
    <ErrorState
      title="The templates could not be loaded"
      actions={
        <Button loading={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      }
    >
      {query.error.message}
    </ErrorState>
  )
}
