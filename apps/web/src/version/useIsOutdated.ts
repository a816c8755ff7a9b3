import { useEffect, useState } from 'react'
import { isPageOutdated } from './pageBuild.ts'

/** Whether what failed may have failed for the server's newer version. False until that is known. */
export function useIsOutdated(): boolean {
  const [isOutdated, setOutdated] = useState(false)
  useEffect(() => {
    let isGone = false
    void isPageOutdated().then((yes) => {
      if (!isGone) setOutdated(yes)
    })
    return () => {
      isGone = true
    }
  }, [])
  return isOutdated
}
