import { EmptyState } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import { useApp } from '../App.ts'
import { OfficialTemplates } from '../create/OfficialTemplates.tsx'
import { workspaceTemplates } from './sandboxQueries.ts'
import { SandboxListPage } from './SandboxListPage.tsx'

export function TemplatesPage({ workspace }: { workspace: string }) {
  const query = useQuery(workspaceTemplates(useApp(), workspace))
  return (
    <div className="flex flex-col gap-8">
      <section aria-label="Of this workspace" className="flex flex-col gap-3">
        <h2 className="font-semibold">Of this workspace</h2>
        <SandboxListPage
          query={query}
          what="The templates"
          empty={
            <EmptyState
              icon={<LayoutTemplate aria-hidden size={28} strokeWidth={1.5} />}
              title="No templates of your own"
            >
              Choose “Make a template” in the menu of a sandbox, and everybody in the workspace can start from a copy of
              it.
            </EmptyState>
          }
        />
      </section>
      <OfficialTemplates title="Official" />
    </div>
  )
}
