import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SandboxCard } from '../api/queries.ts'
import { QueryView } from './QueryView.tsx'
import { SandboxGrid } from './SandboxGrid.tsx'
import { SandboxGridSkeleton } from './SandboxGridSkeleton.tsx'

/** One list of sandboxes with its states. */
export function SandboxListPage(props: {
  query: UseQueryResult<SandboxCard[]>
  /** What the list holds, as the subject of a sentence. */
  what: string
  empty: ReactNode
  /** Above a list that is not empty. */
  head?: ReactNode
}) {
  const { query, what, empty, head } = props
  return (
    <QueryView query={query} what={what} skeleton={<SandboxGridSkeleton />}>
      {(cards) =>
        cards.length === 0 ? (
          empty
        ) : (
          <>
            {head}
            <SandboxGrid cards={cards} now={new Date(query.dataUpdatedAt)} />
          </>
        )
      }
    </QueryView>
  )
}
