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

/** Each change of a day as plain text, under its subject. */
export function changesOf({ markdown }: ChangelogDay): { subject: string; change: string }[] {
  let subject = ''
  return markdown.split('\n').flatMap((line) => {
    if (line.startsWith('- ')) return [{ subject, change: plain(line.slice(2)) }]
    if (line.trim() !== '') subject = plain(line).replace(/\.$/, '')
    return []
  })
}

const plain = (text: string) =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]/g, '')
    .trim()
