/** The index of the how-tos: what a reader wants to do, group by group. */
import { docsHome, guidePath } from '../../shared/guides/guide-path.ts'
import { howTos } from '../../shared/guides/how-tos.ts'

export const howTosPath = `${docsHome}/how-to`
export const howTosTitle = 'All how-tos'
export const howTosSummary = 'One task each: what to send, what comes back, and what can go wrong.'

const groups = [...new Set(howTos.map(({ group }) => group))]

export const howTosByTask = groups.map((group) => ({
  group,
  pages: howTos
    .filter((each) => each.group === group)
    .map(({ slug, title, summary }) => ({ path: guidePath(slug), title, summary })),
}))

export function howTosMarkdown(): string {
  const lists = howTosByTask.map(({ group, pages }) =>
    [`## ${group}`, '', ...pages.map(({ path, title, summary }) => `- [${title}](${path}): ${summary}`)].join(
      '\n',
    ),
  )
  return ['# How-tos', howTosSummary, ...lists].join('\n\n')
}
