import { consoleLevels } from '@boxyard/browser-backend/agent-messages'
import type { ConsoleLevel, ConsoleValue } from '@boxyard/browser-backend/agent-messages'
import { useEffect, useRef, useState } from 'react'
import { saidAt, type ConsoleLine, type PageState, type ProblemPlace } from './pageState.ts'
import { shortCount } from './shortCount.ts'

const names: Readonly<Record<ConsoleLevel, string>> = {
  error: 'Errors',
  warn: 'Warnings',
  info: 'Info',
  log: 'Log',
  debug: 'Debug',
}
const icons: Readonly<Record<ConsoleLevel, string>> = {
  error: 'error',
  warn: 'warning',
  info: 'info',
  log: 'output',
  debug: 'debug-alt',
}

export interface PreviewConsoleProps {
  page: PageState
  onClear(): void
  onOpen(place: ProblemPlace): void
}

/** What the page says, newest last. Values are shown as text alone: nothing of the page becomes part of the editor. */
export function PreviewConsole({ page, onClear, onOpen }: PreviewConsoleProps) {
  const [hidden, setHidden] = useState<ReadonlySet<ConsoleLevel>>(new Set())
  const list = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const lines = page.lines.filter((line) =>
    'leftOut' in line ? saidAt(line.leftOut, hidden) > 0 : !hidden.has(line.level),
  )
  const dropped = saidAt(page.dropped, hidden)
  const shown = lines.at(-1)?.key ?? 0
  useEffect(() => {
    if (list.current && isAtEnd.current && shown > 0) list.current.scrollTop = list.current.scrollHeight
  }, [shown])
  useEffect(() => {
    const log = list.current
    if (!log) return
    // Lines break anew where the pane becomes another size.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) log.scrollTop = log.scrollHeight
    })
    observer.observe(log)
    return () => observer.disconnect()
  }, [])
  const toggle = (level: ConsoleLevel) => {
    const next = new Set(hidden)
    if (!next.delete(level)) next.add(level)
    setHidden(next)
  }
  return (
    <section className="boxyard-console" aria-label="Console of the page">
      <div className="boxyard-console-bar">
        {consoleLevels.toReversed().map((level) => (
          <button
            key={level}
            type="button"
            aria-pressed={!hidden.has(level)}
            aria-label={`${names[level]}: ${page.counts[level]}`}
            title={hidden.has(level) ? `Show: ${names[level]}` : `Hide: ${names[level]}`}
            onClick={() => toggle(level)}
          >
            <span className={`codicon codicon-${icons[level]} boxyard-level-${level}`} aria-hidden="true" />
            {shortCount(page.counts[level])}
          </button>
        ))}
        <button type="button" className="boxyard-console-clear" aria-label="Clear" title="Clear" onClick={onClear}>
          <span className="codicon codicon-clear-all" aria-hidden="true" />
          <span className="boxyard-console-word">Clear</span>
        </button>
      </div>
      <div
        ref={list}
        role="log"
        aria-label="Lines of the console"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24
        }}
      >
        {dropped > 0 && <Note>{linesOf(dropped, 'older')} no longer shown.</Note>}
        {lines.map((line) =>
          'leftOut' in line ? (
            <Note key={line.key}>
              {linesOf(saidAt(line.leftOut, hidden))} left out: the page says more than can be shown. The console of the
              browser has all of it.
            </Note>
          ) : (
            <Line key={line.key} line={line} onOpen={onOpen} />
          ),
        )}
        {page.lines.length === 0 && (
          <Note>
            {page.speaks ? 'The page has said nothing yet.' : 'This page does not tell what its console says.'}
          </Note>
        )}
      </div>
    </section>
  )
}

/** What is said about the console, not by the page. */
function Note({ children }: { children: React.ReactNode }) {
  return <p className="boxyard-console-note">{children}</p>
}

function linesOf(count: number, kind?: string): string {
  return `${count.toLocaleString('en')} ${kind ? `${kind} ` : ''}${count === 1 ? 'line is' : 'lines are'}`
}

function Line({
  line: { level, values, count, place },
  onOpen,
}: { line: ConsoleLine } & Pick<PreviewConsoleProps, 'onOpen'>) {
  return (
    <div className={`boxyard-console-line boxyard-line-${level}`}>
      <span
        className={`codicon codicon-${icons[level]} boxyard-level-${level}`}
        role="img"
        aria-label={level}
        title={level}
      />
      <span className="boxyard-console-values">
        {values.map((value, index) => (
          <Value key={index} value={value} isInside={false} />
        ))}
        {place && (
          <button type="button" className="boxyard-console-place" onClick={() => onOpen(place)}>
            {place.path}:{place.line}
          </button>
        )}
      </span>
      {count > 1 && (
        <span className="boxyard-console-count" aria-label={`${count} times`}>
          {count}
        </span>
      )}
    </div>
  )
}

function Value({ value, isInside }: { value: ConsoleValue; isInside: boolean }) {
  if (value.kind === 'text')
    return isInside ? <span className="boxyard-text">{JSON.stringify(value.text)}</span> : <span>{value.text}</span>
  if (value.kind === 'plain') return <span className="boxyard-plain">{value.text}</span>
  return <ObjectValue value={value} />
}

function ObjectValue({ value }: { value: Extract<ConsoleValue, { kind: 'object' }> }) {
  const [isOpen, setOpen] = useState(false)
  const isList = value.name.startsWith('Array(')
  const short = value.members
    .slice(0, 5)
    .map(([name, member]) => (isList ? brief(member) : `${name}: ${brief(member)}`))
    .join(', ')
  const more = value.members.length > 5 || value.more > 0 ? ', …' : ''
  const words = isList
    ? `${value.name} [${short}${more}]`
    : `${value.name === 'Object' ? '' : `${value.name} `}{${short}${more}}`
  // What is closed is not in the page: a flood of large objects costs their first lines.
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words}</summary>
      {isOpen && (
        <ul>
          {value.members.map(([name, member]) => (
            <li key={name}>
              <span className="boxyard-member">{name}: </span>
              <Value value={member} isInside />
            </li>
          ))}
          {value.more > 0 && <li className="boxyard-console-note">and {value.more} more</li>}
        </ul>
      )}
    </details>
  )
}

function brief(value: ConsoleValue): string {
  if (value.kind === 'object') return value.name
  const text = value.kind === 'text' ? JSON.stringify(value.text) : value.text
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}
