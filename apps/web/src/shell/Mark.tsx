/** The sign of Boxyard. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 20 20" fill="none" className="shrink-0 text-accent">
      <path
        d="M2.5 6 10 2l7.5 4v8L10 18l-7.5-4zM2.5 6l7.5 4 7.5-4M10 10v8"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  )
}
