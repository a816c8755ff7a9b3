import { Button, Checkbox, Dialog, Input, Skeleton } from '@boxyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useApp } from '../App.ts'
import { QueryView } from '../dashboard/QueryView.tsx'
import { cancelDeletion, deleteAccount, preferenceNames, profile, updatePreference, updateProfile } from './profile.ts'
import type { PreferenceName, Profile } from './profile.ts'

/** What concerns the person alone: their profile, what they are told about, and the end of their account. */
export function SettingsPage() {
  const query = useQuery(profile(useApp()))
  return (
    <QueryView query={query} what="Your settings" skeleton={<Skeleton className="h-64" />}>
      {(me) => (
        <div className="flex max-w-[720px] flex-col gap-8">
          <ProfileSection key={me.username} me={me} />
          <PreferencesSection me={me} />
          <DeletionSection me={me} />
        </div>
      )}
    </QueryView>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-16 font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function ProfileSection({ me }: { me: Profile }) {
  const app = useApp()
  const [username, setUsername] = useState(me.username)
  const [name, setName] = useState(me.name ?? '')
  const save = useMutation({
    mutationFn: () => updateProfile(app, { username: username.trim(), name: name.trim() }),
    onSuccess: () => app.notices.add({ uniqueName: 'saved', tone: 'success', title: 'Saved', timeout: 3_000 }),
  })
  const isChanged = username.trim() !== me.username || name.trim() !== (me.name ?? '')
  return (
    <Section title="Profile">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Input
          label="User name"
          value={username}
          maxLength={39}
          variant={save.isError ? 'error' : 'base'}
          hint={save.error?.message}
          onChange={(event) => setUsername(event.target.value)}
        />
        <Input label="Name" value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        <p className="text-quiet">Your e-mail address is {me.email}.</p>
        <div>
          <Button
            type="submit"
            variant="primary"
            loading={save.isPending}
            disabled={!isChanged || username.trim() === ''}
          >
            Save
          </Button>
        </div>
      </form>
    </Section>
  )
}

function PreferencesSection({ me }: { me: Profile }) {
  const app = useApp()
  const save = useMutation({
    mutationFn: ({ name, on }: { name: PreferenceName; on: boolean }) => updatePreference(app, name, on),
    onError: (error) =>
      app.notices.add({ uniqueName: 'preferences', tone: 'error', title: 'Nothing was changed', body: error.message }),
  })
  const { notificationPreferences: preferences } = me
  if (!preferences) return null
  return (
    <Section title="What you are told about">
      {Object.entries(preferenceNames).map(([name, label]) => (
        <Checkbox
          key={name}
          checked={preferences[name as PreferenceName]}
          disabled={save.isPending}
          onCheckedChange={(on) => save.mutate({ name: name as PreferenceName, on })}
        >
          {label}
        </Checkbox>
      ))}
    </Section>
  )
}

function DeletionSection({ me }: { me: Profile }) {
  const app = useApp()
  const [asking, setAsking] = useState(false)
  const change = useMutation({
    mutationFn: () => (me.deletionRequested ? cancelDeletion(app) : deleteAccount(app)),
    onSuccess: () => setAsking(false),
  })
  const problem = change.isError && (
    <p role="alert" className="text-danger">
      That did not work: {change.error.message}
    </p>
  )
  if (me.deletionRequested) {
    return (
      <Section title="Your account is going to be deleted">
        <p className="text-quiet">Until then everything is as it was, and you can keep it.</p>
        {problem}
        <div>
          <Button variant="primary" loading={change.isPending} onClick={() => change.mutate()}>
            Keep my account
          </Button>
        </div>
      </Section>
    )
  }
  return (
    <Section title="End">
      <div>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      </div>
      {asking && (
        <Dialog
          open
          width="sm"
          title="Delete your account?"
          description="Your personal workspace and what is in it go with it. You can change your mind until the deletion is carried out."
          onOpenChange={() => setAsking(false)}
        >
          {problem}
          <div className="flex justify-end gap-2">
            <Button variant="quiet" onClick={() => setAsking(false)}>
              Keep it
            </Button>
            <Button variant="danger" loading={change.isPending} onClick={() => change.mutate()}>
              Delete my account
            </Button>
          </div>
        </Dialog>
      )}
    </Section>
  )
}
