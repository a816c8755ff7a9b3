import { Avatar as Radix } from 'radix-ui'
import { classNames } from './classNames.ts'

export interface AvatarProps {
  src?: string | null
  name?: string | null
  shape?: 'circle' | 'block'
  size?: 'xs' | 's' | 'm' | 'l'
  /** A ring in this CSS colour. */
  highlight?: string
}

const sizes = { xs: 'size-4 text-12', s: 'size-6 text-12', m: 'size-8 text-14', l: 'size-12 text-20' }

/** The picture of a person or a workspace. While it loads, and when there is none, the first letter of the name stands in. */
export function Avatar({ src, name, shape = 'circle', size = 's', highlight }: AvatarProps) {
  const shown = name?.trim() || 'Anonymous'
  return (
    <Radix.Root
      className={classNames(
        'inline-flex shrink-0 items-center justify-center overflow-hidden border border-line-strong bg-hover align-middle font-medium text-text select-none',
        shape === 'circle' ? 'rounded-full' : 'rounded-control',
        sizes[size],
      )}
      style={highlight ? { boxShadow: `0 0 0 2px ${highlight}` } : undefined}
    >
      {src && <Radix.Image src={src} alt={shown} className="size-full object-cover" />}
      <Radix.Fallback delayMs={src ? 1000 : 0} role="img" aria-label={shown}>
        {[...shown][0]?.toUpperCase()}
      </Radix.Fallback>
    </Radix.Root>
  )
}
