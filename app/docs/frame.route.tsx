import { Form, Link, type MetaFunction, Outlet, useLoaderData, useLocation } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { Search } from '../components/ui/icons.ts'
import { Button } from '../components/ui/page-parts.tsx'
import { onScroll, sectionInView } from '../lib/section-in-view.ts'
import { here, page } from '../services.server.ts'
import { ErrorCard } from '../shared/frames/error-page.tsx'
import { PublicFrame } from '../shared/frames/public-frame.tsx'
import { docsHome } from '../shared/guides/guide-path.ts'
import { doors, guides, isGuideSlug } from '../shared/guides/list.ts'
import { navigation } from '../shared/guides/navigation.ts'
import { addressesOf } from './guides/addresses.server.ts'
import { ownValuesIn, placeholdersIn } from './guides/addresses.ts'
import { guideBlocks } from './guides/guide-blocks.server.ts'
import { guideMarkdown, guideSource, sectionsOf } from './guides/guide-text.server.ts'
import { findOwnChoice } from './guides/own-values.server.ts'
import { PageEnd } from './page-end.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.guide?.title ?? 'Documentation'} · Sandpiper` },
  ...(data?.guide ? [{ name: 'description', content: data.guide.summary }] : []),
]

/** The pages need no React in the browser, so that they load fast on slow connections. */
export const handle = { still: true }

/** The data of every documentation page and, for a guide, its blocks and headings. */
export const loader = page(async (args) => {
  const { request, context } = args
  const shared = addressesOf(context)
  const path = (here(request).split('?')[0] ?? '').replace(/(?<!\/)\/+$/, '')
  const slug = path.slice(docsHome.length + 1)
  if (!isGuideSlug(slug))
    return {
      addresses: shared,
      guide: null,
      own: null,
      names: null,
      blocks: [],
      sections: [],
    }
  const named = ownValuesIn(guideSource(slug))
  const own = named.base || named.app ? await findOwnChoice(args, { slug, namesApp: named.app }) : null
  const addresses = { ...shared, own: own?.values }
  const markdown = guideMarkdown(slug, addresses)
  return {
    addresses,
    own,
    names: own ? named : placeholdersIn(markdown),
    guide: guides.find((row) => row.slug === slug) ?? null,
    blocks: guideBlocks(slug, addresses),
    sections: sectionsOf(markdown)
      .filter(({ heading }) => heading !== '')
      .map(({ heading, anchor }) => ({ heading, anchor })),
  }
})

export default function DocsFrame() {
  const { guide, sections } = useLoaderData<typeof loader>()
  const hasSections = sections.length > 1
  return (
    <PublicFrame ownSearch>
      <div className="wrap docs">
        <div className="docs-side">
          <SearchForm />
          <nav className="docs-nav wide-only" aria-label="Documentation">
            <DoorLinks />
          </nav>
          <details className="narrow-only">
            <summary>All pages</summary>
            <nav className="docs-nav" aria-label="Documentation">
              <DoorLinks />
            </nav>
          </details>
        </div>
        <div>
          {hasSections && <OnThisPage sections={sections} folded />}
          <article className="prose">
            {guide && <p className="small muted">{guide.door}</p>}
            <Outlet />
          </article>
          <PageEnd />
        </div>
        {hasSections && <OnThisPage sections={sections} />}
      </div>
    </PublicFrame>
  )
}

/** Works without a script: the server responds with a page of results. */
function SearchForm() {
  const { search } = useLocation()
  const question = new URLSearchParams(search).get('q') ?? ''
  return (
    <Form className="docs-find" action="/docs/search" method="get" role="search" aria-label="Documentation">
      <label className="label" htmlFor="docs-question">
        Search the documentation
      </label>
      <input
        className="input"
        id="docs-question"
        // The key makes a new field for each question, because a field reads its default only once.
        key={question}
        type="search"
        name="q"
        defaultValue={question}
        maxLength={100}
      />
      <Button type="submit" icon aria-label="Search">
        <Search className="i" />
      </Button>
    </Form>
  )
}

/** The parts of the documentation. The current page's part is open. A part with one page is a link. */
function DoorLinks() {
  const { pathname } = useLocation()
  const current = navigation.find(({ to }) => to === pathname)?.door
  return doors.map((door) => {
    const pages = navigation.filter((entry) => entry.door === door)
    const [first, ...others] = pages
    if (first && others.length === 0) return <PageLink key={door} to={first.to} title={door} />
    return (
      // The key closes, on a new page, a part that the reader opened on the page before.
      <details key={`${door} ${current}`} open={door === current}>
        <summary>{door}</summary>
        <ul aria-label={door}>
          {pages.map((entry) => (
            <li key={entry.to}>
              <PageLink {...entry} />
            </li>
          ))}
        </ul>
      </details>
    )
  })
}

function PageLink({ to, title }: { to: string; title: string }) {
  const { pathname } = useLocation()
  return (
    <Link to={to} prefetch="intent" aria-current={pathname === to ? 'page' : undefined}>
      {title}
    </Link>
  )
}

export function ErrorBoundary() {
  return (
    <PublicFrame>
      <div className="wrap py-6">
        <ErrorCard />
      </div>
    </PublicFrame>
  )
}

interface PageSection {
  readonly heading: string
  readonly anchor: string
}

/** Links to the page's sections, at the side on wide screens and folded at the top on narrow ones. */
function OnThisPage({ sections, folded = false }: { sections: readonly PageSection[]; folded?: boolean }) {
  const current = useCurrentSection(sections)
  const list = (
    <ul>
      {sections.map(({ heading, anchor }) => (
        <li key={anchor}>
          <a href={`#${anchor}`} aria-current={anchor === current ? 'true' : undefined}>
            {heading}
          </a>
        </li>
      ))}
    </ul>
  )
  if (folded)
    return (
      <details className="docs-sections">
        <summary>On this page</summary>
        <nav aria-label="On this page">{list}</nav>
      </details>
    )
  return (
    <nav className="docs-here" aria-label="On this page">
      <p className="group">On this page</p>
      {list}
    </nav>
  )
}

/** The anchor of the section in view. Without a script, no section is current. */
function useCurrentSection(sections: readonly PageSection[]): string | null {
  const [current, setCurrent] = useState<string | null>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other headings in the same component
  useEffect(() => {
    const anchors = sections.map(({ anchor }) => anchor)
    return onScroll(() => setCurrent(sectionInView(anchors)))
  }, [pathname, sections])
  return current
}
