import { Skeleton } from '@boxyard/ui'
import { tileGrid } from './tileGrid.ts'

export function SandboxGridSkeleton() {
  return (
    <div className={tileGrid}>
      {Array.from({ length: 8 }, (_, index) => (
        <SandboxTileSkeleton key={index} />
      ))}
    </div>
  )
}

function SandboxTileSkeleton() {
  return (
    <div className="flex flex-col overflow-hidden rounded-menu border border-line bg-panel">
      <div className="aspect-video border-b border-line bg-ground" />
      <div className="flex flex-col gap-2 px-3 py-3">
        <Skeleton className="h-3 w-2/3" />
        <Skeleton className="h-3 w-1/3" />
      </div>
    </div>
  )
}
