import type { MetaFunction } from '@remix-run/react'
import { Link } from '@remix-run/react'
import { anchorOf } from './guides/addresses.ts'
import { howTosByTask, howTosSummary } from './guides/how-tos-by-task.ts'

export const meta: MetaFunction = () => [
  { title: 'How-tos · Sandpiper' },
  { name: 'description', content: howTosSummary },
]

/** Every how-to, by what it is about. */
export default function HowTos() {
  return (
    <>
      <h1>How-tos</h1>
      <p>{howTosSummary}</p>
      {howTosByTask.map(({ group, pages }) => (
        <section key={group} aria-labelledby={anchorOf(group)}>
          <h2 id={anchorOf(group)}>{group}</h2>
          <ul className="reference-list">
            {pages.map(({ path, title, summary }) => (
              <li key={path}>
                <Link to={path}>{title}</Link> <span className="muted small">{summary}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
