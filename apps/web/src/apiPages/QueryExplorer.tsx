import { createGraphiQLFetcher } from '@graphiql/toolkit'
import { GraphiQL } from 'graphiql'
import 'graphiql/style.css'
import { useState, useSyncExternalStore } from 'react'
import { useApp } from '../App.ts'
import { withBearer } from '../session/bearerToken.ts'
import './explorer.css'

const FIRST_QUERY = `# Everything here is asked in your name.
query me {
  me {
    username
    workspaces {
      id
      name
    }
  }
}
`

/** GraphiQL in the colours of the app. A chunk of its own: few people open it. */
export default function QueryExplorer() {
  const { theme } = useApp()
  const current = useSyncExternalStore(theme.subscribe, theme.current)
  const [fetcher] = useState(() =>
    createGraphiQLFetcher({
      url: '/api/graphql',
      fetch: withBearer(window.fetch.bind(window)),
      headers: { 'x-boxyard-client': 'web' },
    }),
  )
  return (
    <div className="query-explorer h-full">
      <GraphiQL key={current} fetcher={fetcher} forcedTheme={current} defaultQuery={FIRST_QUERY} />
    </div>
  )
}
