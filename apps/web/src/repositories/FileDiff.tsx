import { Button, classNames } from '@boxyard/ui'
import type { Mentionable } from '@boxyard/workbench/mentions'
import { useState } from 'react'
import type { z } from 'zod'
import { MentionTextArea } from '../comments/MentionTextArea.tsx'
import { diffLines } from './diffLines.ts'
import type { DiffLine } from './diffLines.ts'
import type { fileSchema, LineComment } from './queries.ts'

export interface NewComment {
  path: string
  line: number
  side: 'LEFT' | 'RIGHT'
  body: string
}

export interface FileDiffProps {
  file: z.output<typeof fileSchema>
  comments: readonly LineComment[]
  /** Who can be named in one. */
  people: readonly Mentionable[]
  /** Comments of the person's review that was not sent yet. */
  drafts: readonly NewComment[]
  onComment: ((comment: NewComment) => void) | undefined
  onReply: (commentId: number, body: string) => void
}

const ground = { hunk: 'text-quiet', same: '', added: 'bg-success/10', removed: 'bg-danger/10' } as const
const sign = { hunk: '', same: ' ', added: '+', removed: '-' } as const

/** The changes of one file, with what people say about single lines. */
export function FileDiff({ file, comments, people, drafts, onComment, onReply }: FileDiffProps) {
  const [at, setAt] = useState<{ line: number; side: 'LEFT' | 'RIGHT' }>()
  const lines = file.patch === null ? [] : diffLines(file.patch)
  const placeOf = ({ kind, left, right }: DiffLine) => {
    if (kind === 'hunk') return null
    return right === null ? { line: left!, side: 'LEFT' as const } : { line: right, side: 'RIGHT' as const }
  }
  return (
    <section aria-label={file.path} className="overflow-hidden rounded-panel border border-line">
      <h2 className="flex items-center gap-2 border-b border-line bg-panel px-3 py-2 text-13 font-semibold">
        {file.path}
        <span className="text-quiet">
          +{file.additions} −{file.deletions}
        </span>
      </h2>
      {file.patch === null && (
        <p className="p-3 text-quiet">This file is binary or its changes are too long to show.</p>
      )}
      <ol className="overflow-x-auto font-mono text-12">
        {lines.map((line, index) => {
          const place = placeOf(line)
          const isAt = (other: { line: number | null; side: string | null }) =>
            place !== null && other.line === place.line && (other.side ?? 'RIGHT') === place.side
          return (
            <li key={index}>
              <div className={classNames('flex', ground[line.kind])}>
                <button
                  type="button"
                  aria-label={place ? `Comment on line ${place.line}` : 'Lines that did not change'}
                  disabled={!place || !onComment}
                  className="w-12 shrink-0 px-2 text-right text-quiet"
                  onClick={() => place && setAt(place)}
                >
                  {line.right ?? line.left ?? ''}
                </button>
                <pre className="whitespace-pre px-2">
                  {sign[line.kind]}
                  {line.text}
                </pre>
              </div>
              {comments.filter(isAt).map((comment) => (
                <Said key={comment.id} comment={comment} people={people} onReply={onReply} />
              ))}
              {drafts.filter(isAt).map((draft, position) => (
                <p key={position} className="border-l-2 border-accent bg-panel p-2 font-sans">
                  <em>Not sent yet:</em> {draft.body}
                </p>
              ))}
              {at && isAt(at) && onComment && (
                <Write
                  label="Comment"
                  people={people}
                  action="Add to your review"
                  onWrite={(body) => {
                    onComment({ path: file.path, ...at, body })
                    setAt(undefined)
                  }}
                />
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

interface SaidProps extends Pick<FileDiffProps, 'people' | 'onReply'> {
  comment: LineComment
}

function Said({ comment, people, onReply }: SaidProps) {
  const [replies, setReplies] = useState(false)
  return (
    <div className="border-l-2 border-line bg-panel p-2 font-sans">
      <strong>{comment.username}</strong>: {comment.body}{' '}
      {comment.inReplyToId === null && (
        <Button variant="quiet" onClick={() => setReplies(!replies)}>
          Reply
        </Button>
      )}
      {replies && (
        <Write
          label="Reply"
          people={people}
          action="Send reply"
          onWrite={(body) => {
            onReply(comment.id, body)
            setReplies(false)
          }}
        />
      )}
    </div>
  )
}

interface WriteProps extends Pick<FileDiffProps, 'people'> {
  label: string
  action: string
  onWrite: (body: string) => void
}

function Write({ label, action, people, onWrite }: WriteProps) {
  const [body, setBody] = useState('')
  return (
    <form
      className="flex flex-col items-start gap-2 bg-panel p-2 font-sans"
      onSubmit={(event) => {
        event.preventDefault()
        if (body.trim() !== '') onWrite(body)
      }}
    >
      <MentionTextArea
        aria-label={label}
        className="min-h-16 w-full rounded-control border border-strong bg-ground p-2"
        value={body}
        maxLength={60_000}
        people={people}
        onChange={setBody}
      />
      <Button type="submit">{action}</Button>
    </form>
  )
}
