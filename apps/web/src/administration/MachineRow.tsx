import { Button, StatusLamp } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useApp } from '../App.ts'
import { relativeTime } from '../dashboard/relativeTime.ts'
import { hibernate } from './machines.ts'
import type { Machine } from './machines.ts'
import { mebibytes } from './mebibytes.ts'
import { processorShare } from './processorShare.ts'
import type { ProcessorReading } from './processorShare.ts'

export function MachineRow({ machine, now }: { machine: Machine; now: Date }) {
  const app = useApp()
  const { id, title, state, tier, usage, lastUsedAt } = machine
  const name = title ?? id
  const share = useProcessorShare(usage && { at: now.getTime(), usec: usage.cpuUsec })
  const sleep = useMutation({
    mutationFn: () => hibernate(app, id),
    onError: (error) =>
      app.notices.add({
        uniqueName: `sleep-${id}`,
        tone: 'error',
        title: `${name} does not sleep`,
        body: error.message,
      }),
  })
  return (
    <tr className="border-t border-line">
      <th scope="row" className="max-w-60 px-3 py-2 font-medium">
        <Link to="/devbox/$" params={{ _splat: id }} className="block truncate">
          {name}
        </Link>
      </th>
      <Cell>
        {state === 'running' ? <StatusLamp tone="on" words="Running" /> : <StatusLamp tone="off" words="Asleep" />}
      </Cell>
      <Cell>
        {tier.cpu} CPU, {tier.memoryMib / 1024} GiB
      </Cell>
      <Cell>{share === null ? '…' : `${Math.round(share * 100)} %`}</Cell>
      <Cell>{usage ? mebibytes(usage.memoryBytes) : '…'}</Cell>
      <Cell>{usage ? mebibytes(usage.diskBytes) : '…'}</Cell>
      <Cell>{usage?.processes ?? '…'}</Cell>
      <Cell>
        <time dateTime={lastUsedAt.toISOString()} title={lastUsedAt.toLocaleString()}>
          {relativeTime(lastUsedAt, now)}
        </time>
      </Cell>
      <td className="px-3 py-1 text-right">
        <Button
          size="small"
          variant="quiet"
          aria-label={`Put ${name} to sleep`}
          disabled={state !== 'running'}
          loading={sleep.isPending}
          onClick={() => sleep.mutate()}
        >
          Sleep
        </Button>
      </td>
    </tr>
  )
}

/** How busy the machine was between the last two answers; null until there are two. */
function useProcessorShare(reading: ProcessorReading | null): number | null {
  const [{ before, last }, setReadings] = useState<Record<'before' | 'last', ProcessorReading | null>>({
    before: null,
    last: null,
  })
  if (reading && reading.at !== last?.at) setReadings({ before: last, last: reading })
  return before && last && processorShare(before, last)
}

function Cell({ children }: { children: ReactNode }) {
  return <td className="px-3 py-2 whitespace-nowrap text-quiet">{children}</td>
}
