/** The changelog's Markdown by day: `## yyyy-mm-dd`, then a paragraph for each subject and a list of changes below it. */

export interface ChangelogDay {
  /** `yyyy-mm-dd` */
  readonly date: string
  readonly markdown: string
}

/** Newest first, in the order of the file. */
export function parseChangelog(markdown: string): ChangelogDay[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [date = '', ...rest] = part.split('\n')
      return { date: date.trim(), markdown: rest.join('\n').trim() }
    })
}
