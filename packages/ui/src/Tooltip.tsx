import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { tooltipDelay } from './common/tokens.ts'

/** Wraps the app once. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={tooltipDelay} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  )
}

export interface TooltipProps {
  text: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** One element that can take focus. */
  children: ReactNode
}

export function Tooltip({ text, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="animate-open z-50 max-w-72 rounded-control border border-line-strong bg-raised px-2 py-1 text-12 text-text shadow-float"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
