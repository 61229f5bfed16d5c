/** The changelog, from `server/contract/CHANGELOG.md`. */
import changelog from '../../../server/contract/CHANGELOG.md?raw'
import { type ChangelogDay, parseChangelog } from '../../../server/contract/text/changelog.ts'
import { rssOf } from '../../lib/rss.ts'

/** Days in the order of the file, newest first. */
export const changelogDays: readonly ChangelogDay[] = parseChangelog(changelog)

export const changelogMarkdown = [
  '# Changelog',
  'What changed in the promises, for the developers who call us. Newest first.',
  ...changelogDays.flatMap(({ date, markdown }) => [`## ${date}`, markdown]),
].join('\n\n')

/** @param toHtml converts a day's Markdown */
export function changelogFeed(portal: string, toHtml: (markdown: string) => string): string {
  return rssOf({
    title: 'Sandpiper: changes to the interfaces',
    description: 'Changes to the promises of the FHIR, Bulk Data, REST and Status APIs.',
    link: `${portal}/docs/changelog`,
    self: `${portal}/docs/changelog.xml`,
    items: changelogDays.map(({ date, markdown }) => ({
      title: `Changes of ${date}`,
      link: `${portal}/docs/changelog#day-${date}`,
      at: new Date(`${date}T12:00:00Z`),
      html: toHtml(markdown),
    })),
  })
}
