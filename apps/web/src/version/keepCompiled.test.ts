import { expect, it } from 'vitest'
import { keepCompiled } from './keepCompiled.ts'

/** A page that has run two scripts, and what it does, in order. `wanted`: those that nobody has compiled yet; `broken`: one that can't be loaded any more. */
async function compile({ wanted, broken }: { wanted: string[]; broken?: string }) {
  const log: string[] = []
  const outcome = keepCompiled({
    ask: async (question) => {
      const { type } = question
      log.push(
        type === 'COMPILE' || type === 'COMPILED' ? `${type} ${question.files.join(' ')} by ${question.engine}` : type,
      )
      return type === 'COMPILE' ? { type, build: 'one', files: wanted } : { type: 'COMPILED', build: 'one' }
    },
    engine: '156.0',
    files: ['/assets/a.part.js', '/assets/b.part.js'],
    idle: async () => void log.push('idle'),
    openFrame: async () => ({
      run: async (address) => {
        log.push(`run ${address}`)
        if (address === broken) throw new Error(`${address} could not be loaded`)
      },
      close: () => log.push('close'),
    }),
  })
  return {
    outcome,
    log: await outcome.then(
      () => log,
      () => log,
    ),
  }
}

const ASKED = 'COMPILE /assets/a.part.js /assets/b.part.js by 156.0'

it('WB1113: the scripts run once more, each when the page is idle, and then it is said which', async () => {
  const { log } = await compile({ wanted: ['/assets/b.part.js', '/assets/a.part.js'] })
  expect(log).toEqual([
    ASKED,
    'idle',
    'run /assets/b.part.js',
    'idle',
    'run /assets/a.part.js',
    'idle',
    'close',
    'COMPILED /assets/b.part.js /assets/a.part.js by 156.0',
  ])
})

it('WB1113: where all of them are compiled there is no frame', async () => {
  expect((await compile({ wanted: [] })).log).toEqual([ASKED])
})

it('WB1113: a script that can not be loaded leaves it to a later page', async () => {
  const { outcome, log } = await compile({ wanted: ['/assets/a.part.js'], broken: '/assets/a.part.js' })
  await expect(outcome).rejects.toThrow('/assets/a.part.js could not be loaded')
  expect(log).toEqual([ASKED, 'idle', 'run /assets/a.part.js', 'close'])
})
