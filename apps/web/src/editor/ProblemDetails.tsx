import { Button } from '@boxyard/ui'
import { useState } from 'react'

/** The small print of an error, to be copied into a report. */
export function ProblemDetails({ text }: { text: string }) {
  const [copied, setCopied] = useState<string>()
  return (
    <details className="text-12">
      <summary className="cursor-pointer text-quiet">Problem details and configurations</summary>
      <pre className="my-2 max-h-60 overflow-auto rounded-control border border-line bg-ground p-2 font-mono whitespace-pre-wrap">
        {text}
      </pre>
      <div className="flex items-center gap-2">
        <Button
          size="small"
          onClick={() =>
            navigator.clipboard.writeText(text).then(
              () => setCopied('Copied.'),
              () => setCopied('The browser did not allow copying. Select the text instead.'),
            )
          }
        >
          Copy
        </Button>
        <span role="status" className="text-quiet">
          {copied}
        </span>
      </div>
    </details>
  )
}
