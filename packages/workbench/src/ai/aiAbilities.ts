import type { JoinResult } from '@boxyard/protocol'

/** What this person can ask an AI for here. */
export interface AiAbilities {
  chat: boolean
  /** For a message of a commit. */
  suggestCommit: boolean
  /** Something about the lines that are selected. */
  selection: boolean
}

/** A box that says nothing of AI has none, and who may not ask is offered nothing. */
export function aiAbilities(joined: Pick<JoinResult, 'capabilities' | 'permissions'> | undefined): AiAbilities {
  const { ai: can } = joined?.capabilities ?? {}
  const { ai: may } = joined?.permissions ?? {}
  const has = (limit: number | undefined) => limit !== undefined && limit > 0
  return {
    chat: has(can?.chat) && may?.chat === true,
    suggestCommit: has(can?.suggestCommit) && may?.suggest === true,
    selection: has(can?.raw) && may?.raw === true,
  }
}
