import { Button, classNames, Dialog, Input, Select, Skeleton } from '@boxyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { officialTemplates, workspaces } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { TemplateIcon } from '../dashboard/TemplateIcon.tsx'
import { broughtArchive } from './broughtProject.ts'
import type { BroughtProject } from './broughtProject.ts'
import { createSandbox } from './createSandbox.ts'
import { ImportDialog } from './ImportDialog.tsx'
import { matchTemplates } from './matchTemplates.ts'
import { TemplatesError } from './TemplatesError.tsx'

export interface CreateDialogProps {
  /** The template that is chosen at first; without it the first one is. */
  templateId?: string | undefined
  onClose: () => void
}

export function CreateDialog({ templateId, onClose }: CreateDialogProps) {
  const app = useApp()
  const navigate = useNavigate()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const templates = useQuery(officialTemplates(app))
  const mine = useQuery(workspaces(app))
  const [query, setQuery] = useState('')
  const [chosenId, setChosenId] = useState(templateId)
  const [title, setTitle] = useState('')
  const [teamId, setTeamId] = useState<string>()
  const upload = useRef<HTMLInputElement>(null)
  const [brought, setBrought] = useState<Promise<BroughtProject>>()
  const [where, setWhere] = useState<'machine' | 'browser'>('machine')

  const groups = useMemo(
    () =>
      matchTemplates(
        (templates.data ?? []).map((group) => ({
          title: group.title ?? null,
          // A sandbox without a machine needs the back end in the browser.
          templates: group.sandboxes.filter((template) => template.v2),
        })),
        query,
      ),
    [templates.data, query],
  )
  const shown = useMemo(() => groups.flatMap((group) => group.templates), [groups])
  const chosen = shown.find((template) => template.id === chosenId) ?? shown[0]
  const workspace = teamId ?? mine.data?.[0]?.id
  const inBrowser = where === 'browser' && chosen?.browser === true

  const create = useMutation({
    mutationFn: (template: NonNullable<typeof chosen>) =>
      createSandbox(app, { template, title, teamId: workspace, inBrowser }),
    onSuccess: (made) => navigate({ to: made.v2 ? '/devbox/$' : '/sandbox/$', params: { _splat: made.id } }),
  })

  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || !chosen) return
    event.preventDefault()
    const next = (shown.indexOf(chosen) + step + shown.length) % shown.length
    setChosenId(shown[next]?.id)
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' })
  }

  if (brought) return <ImportDialog brought={brought} read={0} onClose={() => setBrought(undefined)} />
  return (
    <Dialog
      open
      title={inBrowser ? 'Create a sandbox' : 'Create a devbox'}
      description="Choose what to start from. You get a copy of your own."
      dismissible={!create.isPending}
      onOpenChange={onClose}
      footer={
        <form
          id={`${id}-form`}
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (chosen && !create.isPending) create.mutate(chosen)
          }}
        >
          <div className="grid gap-3 wide:grid-cols-2">
            <Input
              label="Name (optional)"
              placeholder={chosen?.title ?? ''}
              value={title}
              maxLength={100}
              disabled={create.isPending}
              onChange={(event) => setTitle(event.target.value)}
            />
            <Select
              label="Runs"
              value={chosen?.browser ? where : 'machine'}
              disabled={create.isPending || !chosen?.browser}
              onValueChange={(value) => setWhere(value === 'browser' ? 'browser' : 'machine')}
              options={[
                { value: 'machine', label: 'On a machine' },
                { value: 'browser', label: 'In your browser' },
              ]}
            />
            {workspace && mine.data && (
              <Select
                label="Workspace"
                value={workspace}
                disabled={create.isPending}
                onValueChange={setTeamId}
                options={mine.data.map(({ id, name }) => ({ value: id, label: name }))}
              />
            )}
          </div>
          {create.isError && (
            <p role="alert" className="text-danger">
              It was not created: {create.error.message}
            </p>
          )}
          <div className="flex flex-wrap justify-end gap-2">
            <input
              ref={upload}
              type="file"
              accept=".zip,application/zip"
              aria-label="Zip archive of a project"
              hidden
              onChange={({ target }) => {
                const [file] = target.files ?? []
                target.value = ''
                if (!file) return
                const given = Promise.resolve(file).then(broughtArchive)
                // The dialog says what went wrong.
                given.catch(() => undefined)
                setBrought(given)
              }}
            />
            <Button
              variant="quiet"
              className="mr-auto"
              disabled={create.isPending}
              onClick={() => upload.current?.click()}
            >
              Bring a zip archive
            </Button>
            <Button variant="quiet" disabled={create.isPending} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" loading={create.isPending} disabled={!chosen}>
              {chosen ? `Create from ${chosen.title}` : 'Create'}
            </Button>
          </div>
        </form>
      }
    >
      <div className="flex flex-col gap-3">
        <Input
          label="Search templates"
          hideLabel
          placeholder="Search templates"
          type="search"
          autoFocus
          form={`${id}-form`}
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
          value={query}
          onKeyDown={move}
          onChange={(event) => setQuery(event.target.value)}
        />
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label="Templates"
          className="h-80 overflow-y-auto rounded-menu border border-line p-1"
        >
          {templates.isPending &&
            Array.from({ length: 5 }, (_, index) => <Skeleton key={index} className="m-1 h-10" />)}
          {templates.isError && <TemplatesError query={templates} />}
          {templates.isSuccess && shown.length === 0 && (
            <p className="px-3 py-8 text-center text-quiet">
              {query ? `No template matches “${query}”.` : 'This server has no templates.'}
            </p>
          )}
          {groups.map((group) => (
            <div key={group.title ?? ''} role="group" aria-label={group.title ?? 'Templates'}>
              {group.title && <div className="px-2 pt-2 pb-1 text-12 text-quiet">{group.title}</div>}
              {group.templates.map((template) => (
                <div
                  key={template.id}
                  id={`${id}-${template.id}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={template === chosen}
                  ref={template.id === templateId ? bringIntoView : undefined}
                  onClick={() => setChosenId(template.id)}
                  onDoubleClick={() => {
                    if (!create.isPending) create.mutate(template)
                  }}
                  onKeyDown={move}
                  className={classNames(
                    'flex min-h-11 cursor-pointer items-center gap-3 rounded-control border border-transparent px-2 py-1',
                    template === chosen ? 'border-line-strong bg-hover' : 'hover:bg-hover',
                  )}
                >
                  <TemplateIcon src={template.customTemplate?.iconUrl} />
                  <div className="min-w-0 flex-1">
                    <div className="truncate font-medium">{template.title}</div>
                    {template.description && <div className="truncate text-12 text-quiet">{template.description}</div>}
                  </div>
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  )
}

/** For the option that is chosen from the start, which may lie below the fold. */
function bringIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}
