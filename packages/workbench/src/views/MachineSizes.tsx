import { useEffect, useState } from 'react'
import type { BoxServices, MachineSize } from '../index.ts'
import { sizeWords } from './machineWords.ts'

/** Which size the machine has, and the choice of another. It is changed by a button: a list is also walked through by keys. */
export function MachineSizes({ sizes }: { sizes: NonNullable<BoxServices['sizes']> }) {
  const [known, setKnown] = useState<readonly MachineSize[]>([])
  const [current, setCurrent] = useState<number>()
  const [chosen, setChosen] = useState<number>()
  const [isChanging, setChanging] = useState(false)
  const [said, setSaid] = useState<{ text: string; isFailure: boolean }>()
  useEffect(() => {
    sizes.list().then(
      (listed) => {
        setKnown(listed.sizes)
        setCurrent(listed.current)
        setChosen(listed.current)
      },
      (error: unknown) =>
        setSaid({ text: `The sizes of machines were not read: ${reasonOf(error)}.`, isFailure: true }),
    )
  }, [sizes])
  const change = async (tier: number) => {
    setChanging(true)
    try {
      await sizes.set(tier)
      setCurrent(tier)
      setSaid({ text: 'Changed. What the running machine can not take now it has after a restart.', isFailure: false })
    } catch (error) {
      setChosen(current)
      setSaid({ text: `The size stays as it was: ${reasonOf(error)}.`, isFailure: true })
    } finally {
      setChanging(false)
    }
  }
  return (
    <form
      className="boxyard-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== undefined) void change(chosen)
      }}
    >
      {known.length > 0 && (
        <>
          <select
            aria-label="Size of the machine"
            title="Size of the machine"
            value={chosen ?? ''}
            disabled={isChanging}
            onChange={({ target: { value } }) => setChosen(Number(value))}
          >
            {current === undefined && <option value="">Not known</option>}
            {known.map((size) => (
              <option key={size.tier} value={size.tier}>
                {sizeWords(size)}
              </option>
            ))}
          </select>
          {chosen !== current && (
            <button type="submit" className="boxyard-wide-button" disabled={isChanging}>
              Change the size
            </button>
          )}
        </>
      )}
      {said && (
        <p role={said.isFailure ? 'alert' : 'status'} className={said.isFailure ? 'boxyard-alert' : 'boxyard-quiet'}>
          {said.text}
        </p>
      )}
    </form>
  )
}

/** Without a full stop of its own. */
function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
