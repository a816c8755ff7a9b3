import { classNames } from './classNames.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'small' | 'normal' | 'large'

const base =
  'relative inline-flex shrink-0 cursor-pointer items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap select-none no-underline disabled:cursor-default aria-disabled:cursor-default disabled:opacity-55 aria-disabled:opacity-55 pointer-coarse:min-h-10'

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:not-disabled:brightness-110',
  secondary: 'border border-line-strong bg-raised text-text hover:not-disabled:bg-hover',
  quiet:
    'text-quiet hover:not-disabled:bg-hover hover:not-disabled:text-text data-[state=open]:bg-hover data-[state=open]:text-text',
  danger: 'border border-danger bg-raised text-danger hover:not-disabled:bg-hover',
}

const sizes: Record<ButtonSize, string> = {
  small: 'h-7 px-2 text-12',
  normal: 'h-8 px-3 text-13',
  large: 'h-10 px-4 text-14',
}

/** The looks of a button, for links that act like one. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'normal', className?: string) {
  return classNames(base, variants[variant], sizes[size], className)
}
