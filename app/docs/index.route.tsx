import type { MetaFunction } from '@remix-run/react'
import { Link } from '@remix-run/react'
import { paths } from '../../server/contract/portal/paths.ts'
import { guideGroups, guidePath, guides, navigation } from '../shared/guides/list.ts'

export const meta: MetaFunction = () => [
  { title: 'Documentation · Sandpiper' },
  { name: 'description', content: 'Guides to the FHIR, Bulk Data, REST and Status APIs. No sign-in needed.' },
]

export default function DocsIndex() {
  return (
    <>
      <h1>Documentation</h1>
      <p>
        Guides to four interfaces of one medical record. Nothing here needs a sign-in. New here:{' '}
        <Link to={guidePath('start')}>two minutes to a first call</Link>, or call the API from the{' '}
        <Link to={paths.explorer}>explorer</Link>, without a key.
      </p>
      <div className="docs-groups">
        {guideGroups.map((group) => (
          <section key={group} aria-labelledby={`group-${group}`}>
            <h2 id={`group-${group}`}>{group}</h2>
            <ul className="list">
              {navigation
                .filter((entry) => entry.group === group)
                .map(({ to, title }) => (
                  <li key={to}>
                    <Link to={to}>{title}</Link>
                    <p className="muted">{guides.find(({ slug }) => guidePath(slug) === to)?.summary}</p>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
      <p className="muted">
        Every page is also Markdown: add <code>.md</code> to its address, or send{' '}
        <code>Accept: text/markdown</code>. <a href="/llms.txt">llms.txt</a> lists them.
      </p>
    </>
  )
}
