import { EmptyState } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { Heart } from 'lucide-react'
import { useApp } from '../App.ts'
import { liked } from './sandboxQueries.ts'
import { SandboxListPage } from './SandboxListPage.tsx'

export function LikedPage() {
  const query = useQuery(liked(useApp()))
  return (
    <SandboxListPage
      query={query}
      what="What you like"
      empty={
        <EmptyState icon={<Heart aria-hidden size={28} strokeWidth={1.5} />} title="No likes yet">
          Sandboxes that you like are kept here, so that you find them again.
        </EmptyState>
      }
    />
  )
}
