import { Link } from '@remix-run/react'
import { paths } from '../../server/contract/portal/paths.ts'
import { guidePath } from '../shared/guides/guide-path.ts'
import { type Door, guides } from '../shared/guides/list.ts'
import { navigation } from '../shared/guides/navigation.ts'

export const meta = () => [
  { title: 'Documentation · Sandpiper' },
  { name: 'description', content: 'Guides to the FHIR, Bulk Data, REST and Status APIs. No sign-in needed.' },
]

const developerDoors = ['Start', 'Build an app', 'Use the APIs', 'Go live'] as const satisfies readonly Door[]
const manuals = guides.filter(({ slug }) => slug === 'practices' || slug === 'reviewers')

export default function DocsIndex() {
  return (
    <>
      <h1>Documentation</h1>
      <p>
        New here? Make <Link to={guidePath('start')}>your first call</Link>, or call an API from the{' '}
        <Link to={paths.explorer}>explorer</Link> without a key.
      </p>
      <div className="docs-doors">
        {developerDoors.map((door) => (
          <section key={door} aria-labelledby={door.replaceAll(' ', '-')}>
            <h2 id={door.replaceAll(' ', '-')}>{door}</h2>
            <ul>
              {navigation
                .filter((entry) => entry.door === door)
                .map(({ to, title }) => (
                  <li key={to}>
                    <Link to={to}>{title}</Link>
                  </li>
                ))}
            </ul>
          </section>
        ))}
        {manuals.map(({ slug, door, summary }) => (
          <section key={slug} aria-labelledby={slug}>
            <h2 id={slug}>
              <Link to={guidePath(slug)}>{door}</Link>
            </h2>
            <p className="muted">{summary}</p>
          </section>
        ))}
      </div>
      <p className="small muted">
        For programs: add <code>.md</code> to a page’s URL. <a href="/llms.txt">llms.txt</a> lists all pages.
      </p>
    </>
  )
}
