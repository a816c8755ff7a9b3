import { Button, Checkbox, Dialog, Input } from '@boxyard/ui'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { z } from 'zod'
import type { Sandbox } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { HostProblem } from './HostProblem.tsx'
import { suggestedName } from './suggestedName.ts'

const madeSchema = z.object({ owner: z.string(), repo: z.string(), pageUrl: z.string() })

export interface RepositoryDialogProps {
  sandbox: Sandbox
  onClose: () => void
  onMade: () => void
}

/** Makes a repository at the git host out of what a sandbox without a machine has saved. */
export function RepositoryDialog({ sandbox, onClose, onMade }: RepositoryDialogProps) {
  const { rest, notices } = useApp()
  const [name, setName] = useState(() => suggestedName(sandbox))
  const [isPrivate, setPrivate] = useState(true)
  const [isMaking, setMaking] = useState(false)
  const [failure, setFailure] = useState<Error | null>(null)

  const make = async () => {
    setMaking(true)
    setFailure(null)
    try {
      const { owner, repo, pageUrl } = await rest.post(
        `/api/beta/sandboxes/${encodeURIComponent(sandbox.id)}/repository`,
        {
          schema: madeSchema,
          body: { name, private: isPrivate },
        },
      )
      // It stays until it was read: nothing else on the page leads to the repository.
      notices.add({
        uniqueName: 'repository',
        tone: 'success',
        title: `The repository ${owner}/${repo} has the files of this sandbox`,
        actions: [{ label: 'Show repository', perform: () => window.open(pageUrl, '_blank', 'noopener') }],
      })
      onMade()
    } catch (error) {
      setMaking(false)
      setFailure(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void make()
  }
  return (
    <Dialog
      open
      width="md"
      title="New repository"
      description="The saved files of this sandbox become its first commit."
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <form className="flex flex-col gap-3" onSubmit={submit}>
        <Input
          label="Name"
          required
          maxLength={100}
          pattern="[A-Za-z0-9._\-]{1,100}"
          title="Letters, digits and . _ -"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Checkbox checked={isPrivate} onCheckedChange={setPrivate}>
          Private: only you and those you invite may read it
        </Checkbox>
        {failure && <HostProblem error={failure} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" loading={isMaking}>
            Create repository
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
