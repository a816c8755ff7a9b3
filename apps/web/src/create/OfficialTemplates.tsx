import { Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { officialTemplates } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { TemplateIcon } from '../dashboard/TemplateIcon.tsx'
import { TemplatesError } from './TemplatesError.tsx'

/** The templates that come with the server; each opens the dialog that makes a copy of it. */
export function OfficialTemplates({ title }: { title: string }) {
  const templates = useQuery(officialTemplates(useApp()))
  if (templates.isError) return <TemplatesError query={templates} />
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="font-semibold">{title}</h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] gap-3">
        {templates.isPending &&
          Array.from({ length: 8 }, (_, index) => (
            <li key={index}>
              <Skeleton className="h-16 rounded-menu" />
            </li>
          ))}
        {templates.data
          ?.flatMap((group) => group.sandboxes)
          .map((template) => (
            <li key={template.id}>
              <Link
                to="/dashboard/recent"
                search={{ create: true, template: template.id }}
                title={template.description ?? undefined}
                className="flex h-16 items-center gap-3 rounded-menu border border-line bg-panel px-3 text-text no-underline hover:border-line-strong hover:bg-hover"
              >
                <TemplateIcon src={template.customTemplate?.iconUrl} size={32} />
                <span className="min-w-0">
                  <span className="block truncate font-medium">{template.title}</span>
                  <span className="block truncate text-12 text-quiet">{template.description}</span>
                </span>
              </Link>
            </li>
          ))}
      </ul>
    </section>
  )
}
