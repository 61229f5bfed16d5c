import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import { page } from '../../services.server.ts'
import { indexSummary, referenceIndex } from './reference.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: 'Reference · Sandpiper' },
  { name: 'description', content: data?.summary },
]

export const loader = page(() => ({
  summary: indexSummary,
  groups: referenceIndex().map(({ group, pages }) => ({
    group,
    pages: pages.map(({ path, title, summary }) => ({ path, title, summary })),
  })),
}))

/** Every page of the reference, group by group. */
export default function ReferenceIndex() {
  const { summary, groups } = useLoaderData<typeof loader>()
  return (
    <>
      <h1>Reference</h1>
      <p>{summary}</p>
      {groups.map(({ group, pages }) => (
        <section key={group} aria-label={group}>
          <h2 id={group.toLowerCase().replace(' ', '-')}>{group}</h2>
          <ul className="reference-list">
            {pages.map(({ path, title, summary: about }) => (
              <li key={path}>
                <Link to={path}>{title}</Link> <span className="muted small">{about}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
