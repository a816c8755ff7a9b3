import { Button, Dialog, Spinner } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { z } from 'zod'
import { useApp } from '../App.ts'
import type { BroughtProject } from './broughtProject.ts'

const importedSchema = z.object({
  id: z.string(),
  v2: z.boolean(),
  leftOut: z.array(z.object({ path: z.string(), reason: z.string() })),
})

export interface ImportDialogProps {
  brought: Promise<BroughtProject>
  /** Files that were read so far, while a folder is. */
  read: number
  onClose: () => void
}

/** Makes a project of what somebody brought, and opens it; first it says what could not be taken. */
export function ImportDialog({ brought, read, onClose }: ImportDialogProps) {
  const { rest, queries } = useApp()
  const navigate = useNavigate()
  const open = ({ id, v2 }: Pick<z.infer<typeof importedSchema>, 'id' | 'v2'>) =>
    navigate({ to: v2 ? '/devbox/$' : '/sandbox/$', params: { _splat: id } })
  const make = useMutation({
    mutationFn: async (given: Promise<BroughtProject>) => {
      const { name, archive, leftOut } = await given
      const query = new URLSearchParams({ name: name.slice(0, 100) })
      const made = await rest.upload(`/sandboxes/import?${query}`, { file: archive, schema: importedSchema })
      await queries.invalidateQueries({ queryKey: ['recent'] })
      return { ...made, leftOut: [...leftOut, ...made.leftOut] }
    },
    onSuccess: (made) => (made.leftOut.length === 0 ? open(made) : undefined),
  })
  const { mutate } = make
  const begun = useRef<Promise<BroughtProject>>(undefined)
  useEffect(() => {
    if (begun.current === brought) return
    begun.current = brought
    mutate(brought)
  }, [brought, mutate])

  const made = make.data
  return (
    <Dialog
      open
      title="Bring a project"
      dismissible={!make.isPending}
      onOpenChange={onClose}
      footer={
        <div className="flex justify-end gap-2">
          {made && made.leftOut.length > 0 ? (
            <Button variant="primary" onClick={() => void open(made)}>
              Open it
            </Button>
          ) : (
            <Button variant="quiet" disabled={make.isPending} onClick={onClose}>
              Close
            </Button>
          )}
        </div>
      }
    >
      {make.isError && (
        <p role="alert" className="text-danger">
          Nothing was made, and your files are as they were: {make.error.message}
        </p>
      )}
      {make.isPending && (
        <p role="status" className="flex items-center gap-2 text-quiet">
          <Spinner />
          {read > 0 ? `Bringing ${read} ${read === 1 ? 'file' : 'files'}` : 'Bringing the project'}
        </p>
      )}
      {made && made.leftOut.length > 0 && (
        <>
          <p>The project is made. These files are not in it:</p>
          <ul className="max-h-60 list-disc overflow-y-auto pl-5 text-quiet">
            {made.leftOut.map(({ path, reason }) => (
              <li key={path} className="break-all">
                {path} {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
