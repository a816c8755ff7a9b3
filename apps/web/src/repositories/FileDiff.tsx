import { Button, classNames } from '@boxyard/ui'
import type { Mentionable } from '@boxyard/workbench/mentions'
import { useState } from 'react'
import type { z } from 'zod'
import { MentionTextArea } from '../comments/MentionTextArea.tsx'
import { commentsElsewhere } from './commentsElsewhere.ts'
import { diffLines } from './diffLines.ts'
import { isOn, linePlace } from './linePlace.ts'
import type { LinePlace } from './linePlace.ts'
import type { fileSchema, LineComment } from './queries.ts'

export interface NewComment extends LinePlace {
  path: string
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
/** What happened to a whole file. Of one that was changed its lines say it. */
const fate: Readonly<Record<string, string>> = { added: 'New', removed: 'Deleted' }
const sign = { hunk: '', same: ' ', added: '+', removed: '-' } as const

/** The changes of one file, with what people say about single lines. */
export function FileDiff({ file, comments, people, drafts, onComment, onReply }: FileDiffProps) {
  const [at, setAt] = useState<LinePlace>()
  const lines = file.patch === null ? [] : diffLines(file.patch)
  const elsewhere = commentsElsewhere(lines, comments)
  const isChanged = file.additions + file.deletions > 0
  // Git hosts show nothing of a file that only got another name.
  const isOnlyRenamed = file.previousPath !== null && !isChanged
  return (
    <section aria-label={file.path} className="overflow-hidden rounded-panel border border-line">
      <h2 className="flex flex-wrap items-center gap-x-2 border-b border-line bg-panel px-3 py-2 text-13 font-semibold">
        <span className="min-w-0 wrap-anywhere">{file.path}</span>
        <span className="text-quiet">
          {fate[file.status]} {isChanged && `+${file.additions} −${file.deletions}`}
        </span>
      </h2>
      {file.previousPath !== null && <p className="p-3 text-quiet wrap-anywhere">Renamed from {file.previousPath}</p>}
      {file.patch === null && !isOnlyRenamed && (
        <p className="p-3 text-quiet">This file is binary or its changes are too long to show.</p>
      )}
      <ol className="font-mono text-12">
        {lines.map((line, index) => {
          const place = linePlace(line)
          const isAt = (said: { line: number | null; side: string | null }) => isOn(place, said)
          return (
            <li key={index}>
              <div className={classNames('flex', ground[line.kind])}>
                <button
                  type="button"
                  aria-label={place ? `Comment on line ${place.line}` : 'Lines that did not change'}
                  disabled={!place || !onComment}
                  className="w-12 shrink-0 px-2 text-right text-quiet enabled:cursor-pointer enabled:hover:bg-hover enabled:hover:text-text"
                  onClick={() => place && setAt(place)}
                >
                  {line.right ?? line.left ?? ''}
                </button>
                <pre className="min-w-0 flex-1 px-2 whitespace-pre-wrap wrap-anywhere">
                  {sign[line.kind]}
                  {line.text}
                </pre>
              </div>
              {comments.filter(isAt).map((comment) => (
                <Said key={comment.id} comment={comment} people={people} onReply={onReply} />
              ))}
              {drafts.filter(isAt).map((draft, position) => (
                <p
                  key={position}
                  className="border-l-2 border-accent bg-panel p-2 font-sans whitespace-pre-wrap wrap-anywhere"
                >
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
      {elsewhere.length > 0 && (
        <div className="border-t border-line text-12">
          <p className="px-3 pt-2 text-quiet">On lines that have changed since</p>
          {elsewhere.map((comment) => (
            <Said key={comment.id} comment={comment} people={people} onReply={onReply} />
          ))}
        </div>
      )}
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
      <span className="whitespace-pre-wrap wrap-anywhere">
        <strong>{comment.username}</strong>: {comment.body}
      </span>{' '}
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
        className="min-h-16 w-full rounded-control border border-line-strong bg-ground p-2"
        value={body}
        maxLength={60_000}
        people={people}
        onChange={setBody}
      />
      <Button type="submit">{action}</Button>
    </form>
  )
}
