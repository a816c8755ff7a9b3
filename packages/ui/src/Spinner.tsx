import { LoaderCircle } from 'lucide-react'
import { classNames } from './classNames.ts'

export function Spinner({ size = 16, className }: { size?: number; className?: string }) {
  return (
    <span role="status" className={classNames('inline-flex', className)}>
      <LoaderCircle aria-hidden size={size} strokeWidth={1.5} className="animate-spin motion-reduce:animate-none" />
      <span className="sr-only">Loading</span>
    </span>
  )
}
