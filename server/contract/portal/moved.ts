/** Pages that moved: emails and bookmarks have their old addresses. `:name` stands for a part of the path. */
import { paths } from './paths.ts'

export const moved: Readonly<Record<string, string>> = {
  '/staff': paths.reviewQueue,
  '/staff/production-keys': `${paths.reviewQueue}?kind=production_key`,
  '/practice/access-review': paths.practiceRecertification,
  '/practice/fhir': paths.practiceSettings,
  '/organizations/:organization/production-keys': '/organizations/:organization/keys?show=production',
  '/organizations/:organization/activity': '/organizations/:organization/logs',
  '/organizations/:organization/apps/:client/refusals/:correlation':
    '/organizations/:organization/logs?caller=app%3A:client&call=:correlation',
}

/** @returns the new address of an old one, with its query; null for any other path */
export function findMoved({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string | null {
  for (const [from, to] of Object.entries(moved)) {
    const found = new RegExp(`^${from.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`).exec(pathname)
    if (!found) continue
    const path = to.replace(/:(\w+)/g, (_, name: string) => found.groups?.[name] ?? '')
    return path + (path.includes('?') ? search.replace('?', '&') : search)
  }
  return null
}
