import { useEffect, useEffectEvent } from 'react'
import { useApp } from '../App.ts'

const document = `subscription pulls($owner: String!, $repo: String!) {
  projectEvents(owner: $owner, repo: $repo) { __typename }
}`

/** Calls back when something happened to a pull request of the repository, and when events may have been missed. */
export function usePullRequestEvents(owner: string, repo: string, onEvent: () => void): void {
  const { live } = useApp()
  const happened = useEffectEvent(onEvent)
  useEffect(
    () =>
      live.follow({
        document,
        variables: { owner, repo },
        onEvent: () => happened(),
        onFollowed: () => happened(),
      }),
    [live, owner, repo],
  )
}
