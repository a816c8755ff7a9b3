import { classNames } from './classNames.ts'

/** Holds the place of what is being loaded; give it the size the content will have. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden
      className={classNames('animate-breathe rounded-control bg-hover motion-reduce:animate-none', className)}
    />
  )
}
