import { Button, Dialog } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { SandboxCard } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { privacyMeanings, privacyNames } from './privacyNames.ts'
import { nameOfAll } from './SandboxGrid.tsx'
import { setPrivacy } from './sandboxCommands.ts'

export function PrivacyDialog({ cards, onClose }: { cards: readonly SandboxCard[]; onClose: () => void }) {
  const app = useApp()
  const id = useId()
  const [privacy, setChosen] = useState(cards[0]?.privacy ?? 2)
  const change = useMutation({
    mutationFn: () =>
      setPrivacy(
        app,
        cards.map((card) => card.id),
        privacy,
      ),
    onSuccess: onClose,
  })
  return (
    <Dialog open width="sm" title={`Who can see ${nameOfAll(cards)}?`} onOpenChange={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate()
        }}
      >
        <fieldset className="flex flex-col gap-2">
          <legend className="sr-only">Privacy</legend>
          {privacyNames.map((name, level) => (
            <div key={name} className="flex items-start gap-2">
              <input
                type="radio"
                id={`${id}-${level}`}
                name={id}
                className="mt-1 accent-accent"
                checked={privacy === level}
                onChange={() => setChosen(level)}
              />
              <label htmlFor={`${id}-${level}`} className="cursor-pointer">
                <span className="block font-medium">{name}</span>
                <span className="block text-12 text-quiet">{privacyMeanings[level]}</span>
              </label>
            </div>
          ))}
        </fieldset>
        {change.isError && (
          <p role="alert" className="text-danger">
            Nothing was changed: {change.error.message}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" loading={change.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
