import { Form, Link, type MetaFunction, Outlet, useLoaderData, useLocation } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { useEffect, useState } from 'react'
import { Button } from '../components/ui/button.tsx'
import { Search } from '../components/ui/icons.ts'
import { onScroll, sectionInView } from '../lib/section-in-view.ts'
import { here, page } from '../services.server.ts'
import { ErrorCard } from '../shared/frames/error-page.tsx'
import { PublicFrame } from '../shared/frames/public-frame.tsx'
import { docsHome } from '../shared/guides/guide-path.ts'
import { type GuideGroup, guideKinds, guides, isGuideSlug, kindOf } from '../shared/guides/list.ts'
import { navigation } from '../shared/guides/navigation.ts'
import { addressesOf } from './guides/addresses.server.ts'
import { ownValuesIn, placeholdersIn } from './guides/addresses.ts'
import { guideBlocks } from './guides/guide-blocks.server.ts'
import { editDayOf, guideMarkdown, guideSource, sectionsOf } from './guides/guide-text.server.ts'
import { howTosPath } from './guides/how-tos-by-task.ts'
import { findOwnChoice } from './guides/own-values.server.ts'
import { PageEnd } from './page-end.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.guide?.title ?? 'Documentation'} · Sandpiper` },
  ...(data?.guide ? [{ name: 'description', content: data.guide.summary }] : []),
]

/** To be read at once, on a slow line too. */
export const handle = { still: true }

/** The frame of every documentation page; for a guide, with its blocks and headings. */
export const loader = page(async (args: LoaderFunctionArgs) => {
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
      edited: null,
      sections: [],
    }
  const wanted = ownValuesIn(guideSource(slug))
  const own = wanted.base || wanted.app ? await findOwnChoice(args, { slug, namesApp: wanted.app }) : null
  const addresses = { ...shared, own: own?.values }
  const markdown = guideMarkdown(slug, addresses)
  return {
    addresses,
    own,
    names: own ? wanted : placeholdersIn(markdown),
    guide: guides.find((each) => each.slug === slug) ?? null,
    blocks: guideBlocks(slug, addresses),
    edited: editDayOf(slug),
    sections: sectionsOf(markdown)
      .filter(({ heading }) => heading !== '')
      .map(({ heading, anchor }) => ({ heading, anchor })),
  }
})

export default function DocsFrame() {
  const { guide, sections, edited } = useLoaderData<typeof loader>()
  const hasSections = sections.length > 1
  return (
    <PublicFrame>
      <div className="wrap docs">
        <div className="docs-side">
          <SearchForm />
          <nav className="wide-only" aria-label="Documentation">
            <Groups name="side" />
          </nav>
          <details className="narrow-only">
            <summary>All pages</summary>
            <nav aria-label="Documentation">
              <Groups name="menu" />
            </nav>
          </details>
        </div>
        <div>
          {hasSections && <OnThisPage sections={sections} folded />}
          <article className="prose">
            {guide && <Kind group={guide.group} />}
            <Outlet />
          </article>
          <PageEnd edited={edited} />
        </div>
        {hasSections && <OnThisPage sections={sections} />}
      </div>
    </PublicFrame>
  )
}

/** Above the title: where in the documentation the page is. */
function Kind({ group }: { group: GuideGroup }) {
  const kind = kindOf(group)
  return (
    <p className="small muted">
      {kind === 'How-tos' ? <Link to={howTosPath}>{kind}</Link> : kind}
      {kind !== group && ` · ${group}`}
    </p>
  )
}

/** Works without a script: the server answers with a page of what it found. */
function SearchForm() {
  const { search } = useLocation()
  const question = new URLSearchParams(search).get('q') ?? ''
  return (
    <Form className="docs-find" action="/docs/search" method="get" role="search" aria-label="Documentation">
      <input
        className="input grow"
        // Another question, another field: the default is read once.
        key={question}
        type="search"
        name="q"
        defaultValue={question}
        aria-label="Search the documentation"
        maxLength={100}
      />
      <Button type="submit" icon aria-label="Search">
        <Search className="i" />
      </Button>
    </Form>
  )
}

/**
 * The four kinds with their groups. Groups of how-tos fold, so that a long list stays easy to scan; the group of the
 * page that is read is open.
 * @param name of this copy of the list: one stands at the side, one folds out on narrow screens
 */
function Groups({ name }: { name: string }) {
  const { pathname } = useLocation()
  const current = navigation.find(({ to }) => to === pathname)?.group
  return guideKinds.map(({ kind, groups }) => (
    <div key={kind} className="docs-kind">
      <p className="group" id={`${name}-${kind}`}>
        {kind === 'How-tos' ? (
          <Link to={howTosPath} aria-current={pathname === howTosPath ? 'page' : undefined}>
            {kind}
          </Link>
        ) : (
          kind
        )}
      </p>
      {groups.length === 1 ? (
        groups.map((group) => <GroupLinks key={group} group={group} labelledBy={`${name}-${kind}`} />)
      ) : (
        <div>
          {groups.map((group) => (
            // Another page, another state: what the reader unfolded on the last one is not kept.
            <details key={`${group} ${current}`} open={group === current}>
              <summary id={`${name}-${group.replaceAll(' ', '-')}`}>{group}</summary>
              <GroupLinks group={group} labelledBy={`${name}-${group.replaceAll(' ', '-')}`} />
            </details>
          ))}
        </div>
      )}
    </div>
  ))
}

function GroupLinks({ group, labelledBy }: { group: GuideGroup; labelledBy: string }) {
  const { pathname } = useLocation()
  return (
    <ul aria-labelledby={labelledBy}>
      {navigation
        .filter((entry) => entry.group === group)
        .map(({ to, title }) => (
          <li key={to}>
            <Link to={to} prefetch="intent" aria-current={pathname === to ? 'page' : undefined}>
              {title}
            </Link>
          </li>
        ))}
    </ul>
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

/** The sections of the page: at the side on a wide screen, folded at its top on a narrow one. */
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

/** Without a script none is marked. */
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
