import { z } from 'zod'

/** Asks one part whether it works. Rejects, or resolves with a sentence, when it does not. */
export type HealthCheck = () => Promise<string | null>

export interface HealthReport {
  ok: boolean
  parts: Record<string, { ok: boolean; reason: string | null }>
}

/** The parts of the server that can be down while the program runs. */
export class Health {
  readonly #checks = new Map<string, HealthCheck>()

  register(part: string, check: HealthCheck): void {
    this.#checks.set(part, check)
  }

  async report(): Promise<HealthReport> {
    const entries = await Promise.all(
      [...this.#checks].map(async ([part, check]) => {
        const reason = await check().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
        return [part, { ok: reason === null, reason }] as const
      }),
    )
    return { ok: entries.every(([, part]) => part.ok), parts: Object.fromEntries(entries) }
  }
}

export const healthSchema = z.object({
  status: z.enum(['ok', 'down']),
  version: z.string(),
  parts: z.record(z.string(), z.object({ ok: z.boolean(), reason: z.string().nullable() })),
})
