import { ProgressBar, Spinner } from '@boxyard/ui'
import { Check } from 'lucide-react'
import { RunningTime } from './RunningTime.tsx'
import { duration } from './startView.ts'
import type { StartView } from './startView.ts'

/** How far the start is: what is done, how long it took, what goes on now. */
export function StartProgressView({ view }: { view: StartView }) {
  return (
    <section aria-label="Start" className="flex w-full max-w-[420px] flex-col gap-4">
      <div>
        <p role="status" className="mb-2 text-14 font-medium">
          {view.message}
        </p>
        <ProgressBar value={view.value} label={view.message} />
      </div>
      <ol className="flex flex-col gap-1.5">
        {view.phases.map((row) => (
          <li key={row.phase} className="flex items-center gap-2">
            <span className="flex w-4 justify-center text-quiet">
              {row.took === null ? <Spinner size={14} /> : <Check aria-hidden size={14} strokeWidth={1.5} />}
            </span>
            <span className={row.took === null ? 'min-w-0 flex-1 truncate' : 'min-w-0 flex-1 truncate text-quiet'}>
              {row.words}
            </span>
            <span className="text-12 text-quiet tabular-nums">
              {row.took === null ? <RunningTime soFar={row.soFar} /> : duration(row.took)}
            </span>
          </li>
        ))}
      </ol>
      {view.detail && <p className="truncate font-mono text-12 text-quiet">{view.detail}</p>}
    </section>
  )
}
