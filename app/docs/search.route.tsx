import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../services.server.ts'
import { guidePath } from '../shared/guides/list.ts'
import { searchDocs } from '../shared/guides/search.ts'
import { addressesOf } from './guides/addresses.server.ts'
import { docsIndex } from './guides/search-index.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.q ? `“${data.q}” · ` : ''}Search · Sandpiper` },
  { name: 'robots', content: 'noindex' },
]

export const loader = page(({ request, context }: LoaderFunctionArgs) => {
  const q = (new URL(request.url).searchParams.get('q') ?? '').trim().slice(0, 100)
  const { index } = docsIndex(addressesOf(context))
  return { q, found: q === '' ? [] : searchDocs(index, q, 20) }
})

export default function SearchPage() {
  const { q, found } = useLoaderData<typeof loader>()
  return (
    <>
      <h1>Search</h1>
      {q === '' ? (
        <p>Write a word, a code or a parameter into the field, and send it.</p>
      ) : found.length === 0 ? (
        <p>
          Nothing speaks of “{q}”. Try fewer or shorter words, or begin at{' '}
          <Link to={guidePath('faq')}>questions and answers</Link>.
        </p>
      ) : (
        <>
          <p>
            {found.length === 20
              ? 'The first 20 parts'
              : `${found.length} ${found.length === 1 ? 'part' : 'parts'}`}{' '}
            of the documentation that speak of “{q}”.
          </p>
          <ol className="found list">
            {found.map(({ to, title, heading }) => (
              <li key={to}>
                <Link to={to}>{heading || title}</Link>
                {heading && <p className="muted">{title}</p>}
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}
