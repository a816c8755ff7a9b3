import { EmptyState } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useApp } from '../App.ts'
import { drafts } from './sandboxQueries.ts'
import { SandboxListPage } from './SandboxListPage.tsx'

export function DraftsPage({ workspace, userId }: { workspace: string; userId: string }) {
  const query = useQuery(drafts(useApp(), workspace, userId))
  return (
    <SandboxListPage
      query={query}
      what="Your drafts"
      head={
        <p className="mb-3 text-quiet">
          Only you see your drafts. Move one to a folder to share it with the workspace.
        </p>
      }
      empty={
        <EmptyState icon={<FileText aria-hidden size={28} strokeWidth={1.5} />} title="No drafts">
          What you make without choosing a folder lands here. Only you see your drafts, until you move them to a folder
          of the workspace.
        </EmptyState>
      }
    />
  )
}
