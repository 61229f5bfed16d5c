import type { MetaFunction } from '@remix-run/react'
import { Link } from '@remix-run/react'
import { paths } from '../../server/contract/portal/paths.ts'
import { guidePath } from '../shared/guides/guide-path.ts'
import { type GuideGroup, guideKinds, guides } from '../shared/guides/list.ts'
import { navigation } from '../shared/guides/navigation.ts'

export const meta: MetaFunction = () => [
  { title: 'Documentation · Sandpiper' },
  { name: 'description', content: 'Guides to the FHIR, Bulk Data, REST and Status APIs. No sign-in needed.' },
]

export default function DocsIndex() {
  return (
    <>
      <h1>Documentation</h1>
      <p>
        Guides to our four APIs. You don’t need to sign in to read them. If you are new, start with{' '}
        <Link to={guidePath('start')}>two minutes to a first call</Link>, or call an API from the{' '}
        <Link to={paths.explorer}>explorer</Link>, without a key.
      </p>
      <div className="docs-groups">
        {guideKinds.map(({ kind, groups }) => (
          <section key={kind} aria-labelledby={`kind-${kind}`}>
            <h2 id={`kind-${kind}`}>{kind}</h2>
            <p className="muted">{uses[kind]}</p>
            {groups.map((group) => (
              <div key={group}>
                {groups.length > 1 && <h3>{group}</h3>}
                <GroupList group={group} />
              </div>
            ))}
          </section>
        ))}
      </div>
      <p className="muted">
        Every page is also available as Markdown: add <code>.md</code> to its URL, or send{' '}
        <code>Accept: text/markdown</code>. <a href="/llms.txt">llms.txt</a> lists all pages.
      </p>
    </>
  )
}

const uses = {
  Tutorials: 'Build a working app from scratch, step by step.',
  'How-tos': 'Do one thing: what to send, what comes back, and what can go wrong.',
  Reference: 'Look up URLs, parameters, scopes, limits and codes.',
  Explanation: 'Understand why things work the way they do.',
} as const

function GroupList({ group }: { group: GuideGroup }) {
  return (
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
  )
}
