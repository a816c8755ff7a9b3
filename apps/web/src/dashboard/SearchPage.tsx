import { EmptyState, Input } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useApp } from '../App.ts'
import { FoundPlaces } from './FoundPlaces.tsx'
import { SandboxListPage } from './SandboxListPage.tsx'
import { found } from './sandboxQueries.ts'

/** Finds sandboxes, folders and repositories of a workspace as the person types; the address holds what was looked for. */
export function SearchPage({ workspace, text }: { workspace: string; text: string }) {
  const navigate = useNavigate()
  const query = useQuery(found(useApp(), workspace, text))
  return (
    <div className="flex flex-col gap-4">
      <Input
        label="Search this workspace"
        type="search"
        autoFocus
        placeholder="Words of the title, the description or the tags"
        defaultValue={text}
        maxLength={200}
        onChange={(event) =>
          void navigate({ to: '/dashboard/search', search: { query: event.target.value || undefined }, replace: true })
        }
      />
      {text.trim() === '' ? (
        <p className="text-quiet">
          Drafts of yours, everything in folders, the folders themselves and the repositories are searched. The
          beginning of a word is enough.
        </p>
      ) : (
        <>
          <FoundPlaces workspace={workspace} text={text} />
          <SandboxListPage
            query={query}
            what="What you look for"
            empty={
              <EmptyState
                icon={<Search aria-hidden size={28} strokeWidth={1.5} />}
                title={`Nothing has “${text}” in it`}
              >
                Titles, descriptions and tags are searched. Other workspaces have their own search.
              </EmptyState>
            }
          />
        </>
      )}
    </div>
  )
}
