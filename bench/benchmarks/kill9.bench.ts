import { KilledBox } from '@boxyard/dev-server/testing'
import type { Benchmark } from '../benchmark.ts'
import { killBoxyard } from '../killed/boxyardSoak.ts'
import { hocuspocus, killHocuspocus } from '../killed/hocuspocusSoak.ts'

/** Each kill of the peer takes as long as 20 of ours: its clients have to type for seconds until it stores something. */
const KILLS_PER_PEER_KILL = 40

const benchmark: Benchmark = {
  name: 'kill-9',
  description:
    'Accepted edits and files that are gone after SIGKILL of the dev server at a random moment, and how long it is away.',
  peer: hocuspocus,
  runs: 200,
  async run({ runs, report }) {
    const lost: number[] = []
    const doubled: number[] = []
    const recovery: number[] = []
    let accepted = 0
    for await (const kill of killBoxyard(runs)) {
      lost.push(kill.lost)
      doubled.push(kill.doubled)
      recovery.push(kill.recovery)
      accepted += kill.accepted
      if (kill.lost + kill.doubled > 0) report(`kill ${lost.length}: ${kill.lost} lost, ${kill.doubled} doubled`)
      if (lost.length % 20 === 0) report(`${lost.length} kills, ${accepted} edits accepted`)
    }
    const away: number[] = []
    const box = await KilledBox.create(Math.floor(Math.random() * 2 ** 31))
    try {
      for (let kill = 0; kill < runs; kill += 1) {
        away.push((await box.kill()).recovery)
        if (away.length % 20 === 0) report(`${away.length} kills in a box, ${Math.round(Math.max(...away))} ms at most`)
      }
    } finally {
      await box.remove()
    }
    const peerLost: number[] = []
    for await (const kill of killHocuspocus(Math.ceil(runs / KILLS_PER_PEER_KILL))) {
      peerLost.push(kill.lost)
      report(`${hocuspocus}: ${kill.lost} of ${kill.accepted} lost`)
    }
    return [
      {
        name: `accepted edits lost, of ${accepted}`,
        unit: 'lost edits',
        better: 'smaller',
        own: lost,
        peer: { name: hocuspocus, samples: peerLost },
        budget: { of: 'total', limit: 0 },
      },
      {
        name: 'edits that are there twice',
        unit: 'lost edits',
        better: 'smaller',
        own: doubled,
        peer: null,
        budget: { of: 'total', limit: 0 },
      },
      {
        name: 'start to text',
        unit: 'ms',
        better: 'smaller',
        own: recovery,
        peer: null,
        budget: { of: 'median', limit: 1000 },
      },
      {
        name: 'in a box, with nothing lost: end of the connection to text',
        unit: 'ms',
        better: 'smaller',
        own: away,
        peer: null,
        budget: { of: 'p99', limit: 1000 },
      },
      {
        name: 'the longest of them',
        unit: 'ms',
        better: 'smaller',
        own: [Math.max(...away)],
        peer: null,
        budget: { of: 'median', limit: 1000 },
      },
    ]
  },
}
export default benchmark
