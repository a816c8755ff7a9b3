import { Button, EmptyState } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Box, Plus } from 'lucide-react'
import { recentLimit, recentSandboxes } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { ImportByDrop } from '../create/ImportByDrop.tsx'
import { OfficialTemplates } from '../create/OfficialTemplates.tsx'
import { useWarmEditor } from '../editor/useWarmEditor.ts'
import { SandboxListPage } from './SandboxListPage.tsx'

/** What the person worked on, the newest first. */
export function RecentPage() {
  const app = useApp()
  const navigate = useNavigate()
  const recent = useQuery(recentSandboxes(app))
  const latest = recent.data?.find(({ isV2 }) => isV2)
  useWarmEditor(latest && `/devbox/${encodeURIComponent(latest.id)}`)
  return (
    <>
      <ImportByDrop />
      <SandboxListPage
        query={recent}
        what="Your recent work"
        empty={
          <div className="flex flex-col gap-8">
            <EmptyState
              icon={<Box aria-hidden size={28} strokeWidth={1.5} />}
              title="Nothing here yet"
              action={
                <Button
                  variant="primary"
                  size="large"
                  onClick={() => void navigate({ to: '/dashboard/recent', search: { create: true } })}
                >
                  <Plus aria-hidden size={16} strokeWidth={1.5} />
                  Create a devbox
                </Button>
              }
            >
              A devbox is a project on a machine of its own, with an editor, terminals and a live preview in your
              browser. What you open is listed here, the latest first. Everything you type is saved as you type it.
            </EmptyState>
            <OfficialTemplates title="Start from a template" />
          </div>
        }
      />
      {recent.data && recent.data.length >= recentLimit && (
        <p className="pt-4 text-center text-quiet">
          These are the {recentLimit} latest. Open older ones by their link.
        </p>
      )}
    </>
  )
}
