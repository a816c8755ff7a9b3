import { Box } from 'lucide-react'

/** The sign of a template; a box where it has none. */
export function TemplateIcon({ src, size = 24 }: { src: string | null | undefined; size?: number }) {
  if (!src) return <Box aria-hidden size={size} strokeWidth={1.5} className="shrink-0 text-quiet" />
  return <img src={src} alt="" width={size} height={size} className="shrink-0 object-contain" />
}
