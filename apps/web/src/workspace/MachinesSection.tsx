import { machineTiers, tierNames } from '@boxyard/api'
import { Select, Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useApp } from '../App.ts'
import { QueryView } from '../dashboard/QueryView.tsx'
import { changeMachineDefaults, machineDefaults } from './machineDefaults.ts'
import { SettingsSection } from './SettingsSection.tsx'

/** The value of what the server does where nothing is chosen. */
const USUAL = 'usual'
const IDLE_MINUTES = [5, 15, 30, 60, 240, 1440]

export interface MachinesSectionProps {
  teamId: string
  disabled: boolean
  save: (command: () => Promise<void>) => void
}

/** The size of new machines of a workspace, and when its machines go to sleep. */
export function MachinesSection({ teamId, disabled, save }: MachinesSectionProps) {
  const app = useApp()
  const query = useQuery(machineDefaults(app, teamId))
  return (
    <SettingsSection
      title="Machines"
      text="A machine or a repository that says something else keeps it. The time counts from a machine’s next start."
    >
      <QueryView query={query} what="The machines" skeleton={<Skeleton className="h-24" />}>
        {({ vmTier, idleMinutes, largestVmTier }) => (
          <div className="flex flex-wrap gap-4">
            <div className="w-56">
              <Select
                label="Size of new machines"
                disabled={disabled}
                value={vmTier === null ? USUAL : String(vmTier)}
                onValueChange={(value) =>
                  save(() => changeMachineDefaults(app, teamId, { vmTier: value === USUAL ? null : Number(value) }))
                }
                options={[
                  { value: USUAL, label: 'As usual' },
                  ...tierNames
                    .slice(0, Math.max(largestVmTier, vmTier ?? 0))
                    .map((name, index) => ({ value: String(index + 1), label: sizeOf(name) })),
                ]}
              />
            </div>
            <div className="w-56">
              <Select
                label="Sleep without use"
                disabled={disabled}
                value={idleMinutes === null ? USUAL : String(idleMinutes)}
                onValueChange={(value) =>
                  save(() =>
                    changeMachineDefaults(app, teamId, { idleMinutes: value === USUAL ? null : Number(value) }),
                  )
                }
                options={[
                  { value: USUAL, label: 'As usual' },
                  ...[...new Set([...IDLE_MINUTES, ...(idleMinutes === null ? [] : [idleMinutes])])]
                    .toSorted((a, b) => a - b)
                    .map((minutes) => ({ value: String(minutes), label: `after ${timeOf(minutes)}` })),
                ]}
              />
            </div>
          </div>
        )}
      </QueryView>
    </SettingsSection>
  )
}

function sizeOf(name: keyof typeof machineTiers): string {
  const { cpu, memory } = machineTiers[name]
  return `${name}: ${cpu} CPU, ${memory} GB`
}

function timeOf(minutes: number): string {
  if (minutes % 60 !== 0) return `${minutes} minutes`
  return minutes === 60 ? '1 hour' : `${minutes / 60} hours`
}
