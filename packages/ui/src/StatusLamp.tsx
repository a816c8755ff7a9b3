import { classNames } from './classNames.ts'

export type LampTone = 'off' | 'working' | 'on' | 'warning' | 'failed'

const tones: Record<LampTone, string> = {
  off: 'border border-line-strong bg-transparent',
  working: 'bg-link animate-breathe motion-reduce:animate-none',
  on: 'bg-success',
  warning: 'bg-warning',
  failed: 'bg-danger',
}

/** A small light with the same thing said in words; the words never go away for screen readers. */
export function StatusLamp({
  tone,
  words,
  hideWords = false,
}: {
  tone: LampTone
  words: string
  hideWords?: boolean | 'small'
}) {
  return (
    <span role="status" className="inline-flex items-center gap-2 whitespace-nowrap">
      <span aria-hidden className={classNames('size-2 shrink-0 rounded-full', tones[tone])} />
      <span
        className={classNames(
          hideWords === true ? 'sr-only' : 'text-12 text-quiet',
          hideWords === 'small' && 'max-wide:sr-only',
        )}
      >
        {words}
      </span>
    </span>
  )
}
