import { Avatar, Badge, Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useApp } from '../App.ts'
import { QueryView } from '../dashboard/QueryView.tsx'
import { SandboxGridSkeleton } from '../dashboard/SandboxGridSkeleton.tsx'
import { tileGrid } from '../dashboard/tileGrid.ts'
import { TemplateIcon } from '../dashboard/TemplateIcon.tsx'
import { profileSandboxes, publicProfile } from './profileQueries.ts'
import type { PublicProfile, SmallSandbox } from './profileQueries.ts'

/** A person as everybody may see them: what they say about themselves, made and like. */
export function ProfilePage({ username }: { username: string }) {
  const app = useApp()
  const profile = useQuery(publicProfile(app, username))
  const made = useQuery(profileSandboxes(app, username, 'sandboxes'))
  const liked = useQuery(profileSandboxes(app, username, 'sandboxes/liked'))
  const name = profile.data?.name ?? username
  useEffect(() => {
    document.title = `${name} – Boxyard`
    return () => {
      document.title = 'Boxyard'
    }
  }, [name])
  return (
    <main className="mx-auto flex max-w-[1100px] flex-col gap-8 p-4 wide:p-8">
      <QueryView query={profile} what="This profile" skeleton={<Skeleton className="h-40" />}>
        {(person) => (
          <>
            <Head person={person} />
            {person.featuredSandboxes.length > 0 && <List title="Shown first" list={person.featuredSandboxes} />}
            <QueryView query={made} what="The sandboxes" skeleton={<SandboxGridSkeleton />}>
              {(list) => <List title="Sandboxes" list={list} empty="Nothing public yet." />}
            </QueryView>
            <QueryView query={liked} what="The likes" skeleton={<SandboxGridSkeleton />}>
              {(list) => (list.length === 0 ? null : <List title="Likes" list={list} />)}
            </QueryView>
          </>
        )}
      </QueryView>
    </main>
  )
}

function Head({ person }: { person: PublicProfile }) {
  const counts = [
    counted(person.sandboxCount, 'sandbox', 'sandboxes'),
    counted(person.viewCount, 'view'),
    counted(person.receivedLikeCount, 'like'),
    counted(person.forkedCount, 'fork'),
  ]
  return (
    <header className="flex items-start gap-4 max-wide:flex-col">
      <Avatar src={person.avatarUrl} name={person.name ?? person.username} size="l" />
      <div className="flex min-w-0 flex-col gap-1">
        <h1 className="text-28 font-semibold">{person.name ?? person.username}</h1>
        <p className="text-quiet">@{person.username}</p>
        {person.bio && <p className="max-w-[560px]">{person.bio}</p>}
        {person.socialLinks.length > 0 && (
          <ul className="flex flex-wrap gap-3">
            {person.socialLinks.map((link) => (
              <li key={link}>
                <a href={link} rel="me nofollow noopener noreferrer" target="_blank">
                  {new URL(link).host}
                </a>
              </li>
            ))}
          </ul>
        )}
        <p className="text-quiet">{counts.join(' · ')}</p>
        {person.badges.length > 0 && (
          <p className="flex gap-1">
            {person.badges.map(({ id, name }) => (
              <Badge key={id}>{name}</Badge>
            ))}
          </p>
        )}
      </div>
    </header>
  )
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`
}

function List({ title, list, empty = '' }: { title: string; list: readonly SmallSandbox[]; empty?: string }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="text-16 font-semibold">{title}</h2>
      {list.length === 0 ? (
        <p className="text-quiet">{empty}</p>
      ) : (
        <ul className={tileGrid}>
          {list.map((sandbox) => (
            <li
              key={sandbox.id}
              className="relative flex flex-col overflow-hidden rounded-menu border border-line bg-panel focus-within:border-line-strong hover:border-line-strong"
            >
              <div aria-hidden className="flex aspect-video items-center justify-center border-b border-line bg-ground">
                {sandbox.screenshotUrl ? (
                  <img src={sandbox.screenshotUrl} alt="" loading="lazy" className="size-full object-cover" />
                ) : (
                  <TemplateIcon src={sandbox.forkedTemplate?.iconUrl} size={40} />
                )}
              </div>
              <div className="px-3 py-2">
                <Link
                  to={sandbox.v2 ? '/devbox/$' : '/sandbox/$'}
                  params={{ _splat: sandbox.id }}
                  className="block truncate font-medium text-text no-underline after:absolute after:inset-0"
                >
                  {sandbox.title ?? 'Untitled'}
                </Link>
                <p className="truncate text-12 text-quiet">
                  {counted(sandbox.viewCount, 'view')} · {counted(sandbox.likeCount, 'like')}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
