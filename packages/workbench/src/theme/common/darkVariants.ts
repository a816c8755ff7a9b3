import { darkTokens, type ThemeTokens } from './tokens.ts'

/** Softer than our own: less contrast between the ground and what stands on it. */
export const dimmedTokens: ThemeTokens = {
  ...darkTokens,
  ground: '#1E2126',
  panel: '#23272D',
  raised: '#2A2F36',
  hover: '#31373F',
  line: '#363C44',
  strongLine: '#474F59',
  faint: '#8D949E',
}

/** For screens that are dark where they are black. */
export const blackTokens: ThemeTokens = {
  ...darkTokens,
  ground: '#000000',
  panel: '#000000',
  raised: '#121417',
  hover: '#1B1E22',
  line: '#2A2E34',
  strongLine: '#4A5058',
}
