import { Button, Dialog, EmptyState, Skeleton } from '@boxyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Cpu } from 'lucide-react'
import { useState } from 'react'
import { useApp } from '../App.ts'
import { QueryView } from '../dashboard/QueryView.tsx'
import { MachineRow } from './MachineRow.tsx'
import { mebibytes } from './mebibytes.ts'
import { hibernate, machinesInMemory } from './machines.ts'
import type { Machine } from './machines.ts'

/** For administrators of the installation: which machines cost something now, and putting them to sleep. */
export function MachinesPage() {
  const app = useApp()
  const query = useQuery(machinesInMemory(app))
  return (
    <QueryView query={query} what="The machines" skeleton={<Skeleton className="h-32 w-full" />}>
      {(machines) =>
        machines.length === 0 ? (
          <EmptyState icon={<Cpu aria-hidden size={28} strokeWidth={1.5} />} title="No machine is running">
            A machine starts when somebody opens its devbox or branch, and sleeps when nobody has used it for a while.
          </EmptyState>
        ) : (
          <MachineTable machines={machines} now={new Date(query.dataUpdatedAt)} />
        )
      }
    </QueryView>
  )
}

function MachineTable({ machines, now }: { machines: readonly Machine[]; now: Date }) {
  const [isAsking, setAsking] = useState(false)
  const running = machines.filter(({ state }) => state === 'running').length
  const memory = machines.reduce((sum, { usage }) => sum + (usage?.memoryBytes ?? 0), 0)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-quiet">
          {running} running, {machines.length - running} asleep in memory, {mebibytes(memory)} of memory in use.
        </p>
        <Button disabled={running === 0} onClick={() => setAsking(true)}>
          Put all to sleep
        </Button>
      </div>
      <div className="overflow-x-auto rounded-menu border border-line">
        <table className="w-full border-collapse text-left tabular-nums">
          <thead className="text-12 text-quiet">
            <tr>
              {['Name', 'State', 'Size', 'Processor', 'Memory', 'Disk', 'Processes', 'Last used'].map((title) => (
                <th key={title} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                  {title}
                </th>
              ))}
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {machines.map((machine) => (
              <MachineRow key={machine.id} machine={machine} now={now} />
            ))}
          </tbody>
        </table>
      </div>
      {isAsking && <SleepDialog count={running} onClose={() => setAsking(false)} />}
    </div>
  )
}

function SleepDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const app = useApp()
  const sleep = useMutation({ mutationFn: () => hibernate(app, null), onSuccess: onClose })
  return (
    <Dialog
      open
      width="sm"
      title={count === 1 ? 'Put one machine to sleep?' : `Put ${count} machines to sleep?`}
      description="Files and processes stay as they are. Each machine wakes up when somebody opens it or its preview."
      onOpenChange={onClose}
    >
      {sleep.isError && (
        <p role="alert" className="mb-3 text-danger">
          Not all of them sleep: {sleep.error.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          Keep them running
        </Button>
        <Button variant="primary" loading={sleep.isPending} onClick={() => sleep.mutate()}>
          Put to sleep
        </Button>
      </div>
    </Dialog>
  )
}
