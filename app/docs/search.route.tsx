import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import { FoundText } from '../components/ui/found-text.tsx'
import { page } from '../services.server.ts'
import { guidePath } from '../shared/guides/guide-path.ts'
import { foundEntry } from '../shared/search/found-entry.tsx'
import { searchDocs } from '../shared/search/search.ts'
import { addressesOf } from './guides/addresses.server.ts'
import { docsIndex } from './guides/search-index.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.q ? `“${data.q}” · ` : ''}Search · Sandpiper` },
  { name: 'robots', content: 'noindex' },
]

const most = 20

export const loader = page(({ request, context }) => {
  const q = (new URL(request.url).searchParams.get('q') ?? '').trim().slice(0, 100)
  const { index } = docsIndex(addressesOf(context))
  return { q, found: q === '' ? [] : searchDocs(index, q, most) }
})

export default function SearchPage() {
  const { q, found } = useLoaderData<typeof loader>()
  return (
    <>
      <h1>Search</h1>
      {q === '' ? (
        <p>Enter a question, an error code or a parameter.</p>
      ) : found.length === 0 ? (
        <p>
          Nothing found for “{q}”. Try fewer or shorter words, or start with{' '}
          <Link to={guidePath('faq')}>questions and answers</Link>.
        </p>
      ) : (
        <>
          <p>
            {found.length === most
              ? `The first ${most} results`
              : `${found.length} ${found.length === 1 ? 'result' : 'results'}`}{' '}
            for “{q}”.
          </p>
          <ol className="found list">
            {found.map(foundEntry).map(({ to, key, label, document, ...rest }) => (
              <li key={key}>
                <FoundText
                  {...rest}
                  label={document ? <a href={to}>{label}</a> : <Link to={to}>{label}</Link>}
                />
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}
