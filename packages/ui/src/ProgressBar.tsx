import { Progress } from 'radix-ui'

/** `value` in 0..100. */
export function ProgressBar({ value, label }: { value: number; label: string }) {
  const shown = Math.round(Math.min(100, Math.max(0, value)))
  return (
    <Progress.Root value={shown} aria-label={label} className="h-1 w-full overflow-hidden rounded-full bg-hover">
      <Progress.Indicator
        className="h-full bg-accent transition-[width] motion-reduce:transition-none"
        style={{ width: `${shown}%` }}
      />
    </Progress.Root>
  )
}
