import { defineRowLoader } from '../graphql/loader.ts'
import { findTeams } from './teams.ts'

export const teamLoader = defineRowLoader(({ database }, ids) => findTeams(database, ids))
