/** The changes to promises, as `server/contract/CHANGELOG.md` lists them. */
import changelog from '../../../server/contract/CHANGELOG.md?raw'
import { type ChangelogDay, parseChangelog } from '../../../server/contract/text/changelog.ts'

/** Newest first, in the order of the file. */
export const changelogDays: readonly ChangelogDay[] = parseChangelog(changelog)

export const changelogMarkdown = [
  '# Changelog',
  'What changed in the promises, for the developers who call us. Newest first.',
  ...changelogDays.flatMap(({ date, markdown }) => [`## ${date}`, markdown]),
].join('\n\n')

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const xml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)

/**
 * As RSS 2.0, https://www.rssboard.org/rss-specification
 * @param toHtml of the Markdown of a day
 */
export function changelogFeed(portal: string, toHtml: (markdown: string) => string): string {
  const items = changelogDays.map(({ date, markdown }) => {
    const link = `${portal}/docs/changelog#day-${date}`
    return [
      '<item>',
      `<title>Changes of ${xml(date)}</title>`,
      `<link>${xml(link)}</link>`,
      `<guid isPermaLink="true">${xml(link)}</guid>`,
      `<pubDate>${new Date(`${date}T12:00:00Z`).toUTCString()}</pubDate>`,
      `<description>${xml(toHtml(markdown))}</description>`,
      '</item>',
    ].join('')
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    '<title>Sandpiper: changes to the interfaces</title>',
    `<link>${xml(portal)}/docs/changelog</link>`,
    `<atom:link href="${xml(portal)}/docs/changelog.xml" rel="self" type="application/rss+xml"/>`,
    '<description>Changes to the promises of the FHIR, Bulk Data, REST and Status APIs.</description>',
    '<language>en</language>',
    ...items,
    '</channel></rss>',
    '',
  ].join('\n')
}
