import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { z } from 'zod'
import type { Benchmark } from '../benchmark.ts'
import { BoxyardServer } from '../server/boxyardServer.ts'
import { gather, untilAllHear } from '../socket/crowd.ts'
import { untilListening } from '../untilListening.ts'

const SOCKETS = 1000
/** Each needs all sockets anew. */
const MOST_REMOVALS = 3
const MEGABYTE = 1024 * 1024
const peer = 'a bare ws server that passes a text on'
const program = fileURLToPath(new URL('../peerPrograms/wsBroadcast.mjs', import.meta.url))
const document = 'subscription ($id: ID!) { sandboxChanged(sandboxId: $id) { id title updatedAt } }'

/** Joins the control channel and follows the sandbox. */
async function follow(socket: WebSocket, id: string): Promise<void> {
  const answered = () => new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))))
  const ask = async (ref: string, event: string, payload: object) => {
    const answer = answered()
    socket.send(JSON.stringify(['1', ref, '__absinthe__:control', event, payload]))
    const text = await answer
    if (!text.includes('"status":"ok"')) throw new Error(`${event} was answered with ${text}`)
  }
  await ask('1', 'phx_join', {})
  await ask('2', 'doc', { query: document, variables: { id } })
}

/** Removes a member, who follows a sandbox of the workspace on all sockets, and lets them in again. */
async function measureRemovals(server: BoxyardServer, runs: number): Promise<number[]> {
  const member = await server.signUp('member')
  const jwt = (await member.call('GET', '/api/v1/auth/jwt')).body as { data: { jwt: string } }
  const found = await member.call('POST', '/api/graphql', { query: '{ me { id } }' })
  const userId = (found.body as { data: { me: { id: string } } }).data.me.id
  const withId = z.looseObject({ id: z.string() })
  const { id: teamId } = await server.graphql('mutation { createTeam(name: "A team") { id } }', withId)
  const sandboxId = await server.createSandbox('static', teamId)
  const file = `mutation { addToCollection(collectionPath: "/", sandboxIds: ["${sandboxId}"], teamId: "${teamId}") { id } }`
  await server.graphql(file, withId)
  const join = async () => {
    const invite = `mutation { inviteToTeam(teamId: "${teamId}", username: "member", authorization: READ) { id } }`
    await server.graphql(invite, withId)
    const query = `mutation { acceptTeamInvitation(teamId: "${teamId}") { id } }`
    await member.call('POST', '/api/graphql', { query })
  }
  const samples: number[] = []
  for (let run = 0; run < runs; run += 1) {
    await join()
    const followers = await gather(
      SOCKETS,
      () => server.openSocket(jwt.data.jwt),
      (socket) => follow(socket, sandboxId),
    )
    const remove = `mutation { removeFromTeam(teamId: "${teamId}", userId: "${userId}") { id } }`
    samples.push(await untilAllHear(followers, 'FORBIDDEN', () => server.graphql(remove, withId)))
    for (const socket of followers) socket.terminate()
  }
  return samples
}

const benchmark: Benchmark = {
  name: 'socket-fanout',
  description: `One change of a sandbox, from the request that makes it to the last of ${SOCKETS} followers.`,
  peer,
  runs: 15,
  async run({ runs, report }) {
    const folder = await mkdtemp(join(tmpdir(), 'boxyard-bench-ws-'))
    const address = join(folder, 'socket')
    const child = spawn(process.execPath, [program, address], { stdio: ['ignore', 'inherit', 'pipe'] })
    const server = await BoxyardServer.start()
    try {
      await untilListening(child, address)
      const bare = await gather(SOCKETS, () => new WebSocket(`ws+unix://${address}:/`))
      const id = await server.createDevbox('node-express')
      const token = await server.socketToken()
      const empty = await server.residentBytes()
      const followers = await gather(
        SOCKETS,
        () => server.openSocket(token),
        (socket) => follow(socket, id),
      )
      const perSocket = ((await server.residentBytes()) - empty) / SOCKETS
      report(`Memory of the server: ${(perSocket / 1024).toFixed(1)} KiB more for each idle socket with a subscription`)

      const own: number[] = []
      const plain: number[] = []
      for (let run = 0; run < runs; run += 1) {
        const title = `Change ${run} of the benchmark`
        own.push(await untilAllHear(followers, title, () => server.renameSandbox(id, title)))
        plain.push(await untilAllHear(bare, title, () => bare[0]!.send(title)))
      }
      for (const socket of [...followers, ...bare]) socket.terminate()
      const removals = await measureRemovals(server, Math.min(runs, MOST_REMOVALS))
      return [
        {
          name: 'change to last follower',
          unit: 'ms',
          better: 'smaller',
          own,
          peer: { name: peer, samples: plain },
          budget: { of: 'median', limit: 250 },
        },
        {
          name: 'removal of a member to the end of the last subscription',
          unit: 'ms',
          better: 'smaller',
          own: removals,
          peer: null,
          budget: { of: 'p99', limit: 1000 },
        },
        { name: 'memory per idle socket', unit: 'MB', better: 'smaller', own: [perSocket / MEGABYTE], peer: null },
      ]
    } finally {
      child.kill('SIGKILL')
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}
export default benchmark
