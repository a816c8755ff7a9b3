import { EmptyState } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useApp } from '../App.ts'
import { trash } from './sandboxQueries.ts'
import { SandboxListPage } from './SandboxListPage.tsx'

export function TrashPage({ workspace }: { workspace: string }) {
  const query = useQuery(trash(useApp(), workspace))
  return (
    <SandboxListPage
      query={query}
      what="The trash"
      head={<p className="mb-3 text-quiet">Everything here is deleted for ever 30 days after it came.</p>}
      empty={
        <EmptyState icon={<Trash2 aria-hidden size={28} strokeWidth={1.5} />} title="The trash is empty">
          What is deleted stays here for 30 days, from where it can be restored.
        </EmptyState>
      }
    />
  )
}
