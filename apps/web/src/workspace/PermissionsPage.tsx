import { Checkbox, Select, Skeleton } from '@boxyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../App.ts'
import { privacyMeanings, privacyNames } from '../dashboard/privacyNames.ts'
import { QueryView } from '../dashboard/QueryView.tsx'
import { MachinesSection } from './MachinesSection.tsx'
import { SettingsSection } from './SettingsSection.tsx'
import { setAiConsent, setDefaultAuthorization, setMinimumPrivacy, setProtection } from './workspaceCommands.ts'
import { memberAuthorizationNames, roleIn, workspaceDetails } from './workspaceQueries.ts'
import type { AiConsent, MemberAuthorization } from './workspaceQueries.ts'

const consentNames: Readonly<Record<keyof AiConsent, string>> = {
  publicSandboxes: 'Public sandboxes',
  privateSandboxes: 'Private sandboxes',
  publicRepositories: 'Public repositories',
  privateRepositories: 'Private repositories',
}

/** What holds for everything in a workspace. */
export function PermissionsPage({ workspace, userId }: { workspace: string; userId: string }) {
  const app = useApp()
  const details = useQuery(workspaceDetails(app, workspace))
  const [withDrafts, setWithDrafts] = useState(false)
  const save = useMutation({
    mutationFn: (command: () => Promise<void>) => command(),
    onSuccess: () => app.notices.add({ uniqueName: 'saved', tone: 'success', title: 'Saved', timeout: 3_000 }),
    onError: (error) =>
      app.notices.add({ uniqueName: 'permissions', tone: 'error', title: 'Nothing was changed', body: error.message }),
  })
  return (
    <QueryView query={details} what="The permissions" skeleton={<Skeleton className="h-64" />}>
      {(team) => {
        const { settings } = team
        const disabled = roleIn(team, userId) !== 'ADMIN' || save.isPending
        const machines = <MachinesSection teamId={team.id} disabled={disabled} save={save.mutate} />
        if (!settings) {
          return (
            <div className="flex max-w-[720px] flex-col gap-8">
              <p className="text-quiet">A personal workspace has no permissions to set.</p>
              {machines}
            </div>
          )
        }
        return (
          <div className="flex max-w-[720px] flex-col gap-8">
            {roleIn(team, userId) !== 'ADMIN' && (
              <p className="text-quiet">Only the administrators of the workspace can change what is here.</p>
            )}
            <SettingsSection
              title="New people"
              text="What somebody is who comes by the invitation link or by their domain."
            >
              <div className="w-48">
                <Select
                  label="Role"
                  disabled={disabled}
                  value={settings.defaultAuthorization}
                  onValueChange={(value) =>
                    save.mutate(() => setDefaultAuthorization(app, team.id, value as MemberAuthorization))
                  }
                  options={(['ADMIN', 'WRITE', 'READ'] as const).map((value) => ({
                    value,
                    label: memberAuthorizationNames[value],
                  }))}
                />
              </div>
            </SettingsSection>
            <SettingsSection title="Least privacy" text={privacyMeanings[settings.minimumPrivacy] ?? ''}>
              <div className="w-48">
                <Select
                  label="New sandboxes are at least"
                  disabled={disabled}
                  value={String(settings.minimumPrivacy)}
                  onValueChange={(value) =>
                    save.mutate(() => setMinimumPrivacy(app, team.id, Number(value), withDrafts))
                  }
                  options={privacyNames.map((label, value) => ({ value: String(value), label }))}
                />
              </div>
              <Checkbox checked={withDrafts} disabled={disabled} onCheckedChange={setWithDrafts}>
                A change also holds for the drafts that exist
              </Checkbox>
            </SettingsSection>
            <SettingsSection title="Keeping work in" text="Both hold for everything in the workspace.">
              <Checkbox
                checked={settings.preventSandboxExport}
                disabled={disabled}
                onCheckedChange={(preventSandboxExport) =>
                  save.mutate(() => setProtection(app, team.id, { ...settings, preventSandboxExport }))
                }
              >
                Sandboxes can’t be downloaded
              </Checkbox>
              <Checkbox
                checked={settings.preventSandboxLeaving}
                disabled={disabled}
                onCheckedChange={(preventSandboxLeaving) =>
                  save.mutate(() => setProtection(app, team.id, { ...settings, preventSandboxLeaving }))
                }
              >
                Sandboxes can’t be moved or forked out of the workspace
              </Checkbox>
            </SettingsSection>
            {machines}
            <SettingsSection
              title="AI"
              text="Whether text of these may be sent to the AI service that the server is set up with."
            >
              {Object.entries(consentNames).map(([kind, label]) => (
                <Checkbox
                  key={kind}
                  checked={settings.aiConsent[kind as keyof AiConsent]}
                  disabled={disabled}
                  onCheckedChange={(checked) =>
                    save.mutate(() => setAiConsent(app, team.id, { ...settings.aiConsent, [kind]: checked }))
                  }
                >
                  {label}
                </Checkbox>
              ))}
            </SettingsSection>
          </div>
        )
      }}
    </QueryView>
  )
}
