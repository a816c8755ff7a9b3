import { fuzzyScore } from '@boxyard/ui'
import type { OfficialTemplate } from '../api/schemas.ts'

export interface TemplateGroup {
  title: string | null
  templates: readonly OfficialTemplate[]
}

/** With a query one group, best first; without one the groups as they are. */
export function matchTemplates(groups: readonly TemplateGroup[], query: string): readonly TemplateGroup[] {
  if (query.trim() === '') return groups.filter((group) => group.templates.length > 0)
  const seen = new Map(groups.flatMap((group) => group.templates).map((template) => [template.id, template]))
  const found = [...seen.values()]
    .map((template) => {
      const scores = [
        fuzzyScore(query, template.title),
        template.environment ? fuzzyScore(query, template.environment) : null,
        // Fuzzy matches in prose are noise; a description counts when it says the words.
        template.description?.toLowerCase().includes(query.trim().toLowerCase()) ? 0 : null,
      ].filter((score) => score !== null)
      return { template, score: scores.length > 0 ? Math.max(...scores) : null }
    })
    .filter((entry): entry is { template: OfficialTemplate; score: number } => entry.score !== null)
    .toSorted((a, b) => b.score - a.score)
    .map(({ template }) => template)
  return found.length > 0 ? [{ title: null, templates: found }] : []
}
