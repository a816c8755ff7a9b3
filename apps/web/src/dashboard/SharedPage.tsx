import { EmptyState } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { useApp } from '../App.ts'
import { shared } from './sandboxQueries.ts'
import { SandboxListPage } from './SandboxListPage.tsx'

export function SharedPage() {
  const query = useQuery(shared(useApp()))
  return (
    <SandboxListPage
      query={query}
      what="What is shared with you"
      empty={
        <EmptyState icon={<Users aria-hidden size={28} strokeWidth={1.5} />} title="Nothing is shared with you">
          Sandboxes of other workspaces appear here when their owners invite you.
        </EmptyState>
      }
    />
  )
}
