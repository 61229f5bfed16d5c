import { useLoaderData } from '@remix-run/react'
import type { LinksFunction } from '@remix-run/server-runtime'
import { markdownToHtml } from '../lib/markdown.server.ts'
import { page } from '../services.server.ts'
import { changelogDays } from './guides/changelog.server.ts'

export const meta = () => [
  { title: 'Changelog · Sandpiper' },
  { name: 'description', content: 'Changes to the APIs and the portal.' },
]

export const links: LinksFunction = () => [
  { rel: 'alternate', type: 'application/rss+xml', title: 'Changelog', href: '/docs/changelog.xml' },
]

export const loader = page(() => ({
  days: changelogDays.map(({ date, markdown }) => ({ date, html: markdownToHtml(markdown) })),
}))

export default function Changelog() {
  const { days } = useLoaderData<typeof loader>()
  return (
    <>
      <h1>Changelog</h1>
      <p>
        Changes to the APIs and the portal, newest first. They are also a{' '}
        <a href="/docs/changelog.xml">feed</a>.
      </p>
      {days.map(({ date, html }) => (
        <section key={date} className="prose" aria-labelledby={`day-${date}`}>
          <h2 id={`day-${date}`}>{date}</h2>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, its HTML escaped by markdown.server.ts */}
          <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
        </section>
      ))}
    </>
  )
}
