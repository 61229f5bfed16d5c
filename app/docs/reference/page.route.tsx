import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { findMoved } from '../../../server/contract/portal/moved.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { here, page } from '../../services.server.ts'
import { ErrorCard } from '../../shared/frames/error-page.tsx'
import { addressesOf } from '../guides/addresses.server.ts'
import { anchorOf } from '../guides/addresses.ts'
import { Inline, ShownFacts } from '../guides/facts-table.tsx'
import { findOwnChoice } from '../guides/own-values.server.ts'
import { CodeWithResponse } from '../guides/shown-code.tsx'
import { findReferencePage, type ShownBlock, showPage } from './reference.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.title ?? 'Not here'} · Reference · Sandpiper` },
  { name: 'description', content: loaded?.summary },
]

/** The commands name the sandbox of a signed-in reader. */
export const loader = page(async (args) => {
  const url = new URL(here(args.request), args.request.url)
  const found = findReferencePage(url.pathname.replace(/(?<!\/)\/+$/, ''))
  if (!found) {
    const to = findMoved(url)
    throw to === null ? data(null, { status: 404 }) : redirect(to)
  }
  const own = await findOwnChoice(args, { slug: 'fhir', namesApp: false })
  const { title, summary, group } = found
  return {
    title,
    summary,
    group,
    blocks: showPage(found, { ...addressesOf(args.context), own: own?.values }),
  }
})

export default function Reference() {
  const { title, group, blocks } = useLoaderData<typeof loader>()
  return (
    <>
      <p className="small muted">
        <Link to={paths.reference}>Reference</Link> · {group}
      </p>
      <h1>{title}</h1>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks never change their order
        <Block key={index} block={block} />
      ))}
    </>
  )
}

function Block({ block }: { block: ShownBlock }) {
  switch (block.kind) {
    case 'heading':
      return <h2 id={anchorOf(block.text)}>{block.text}</h2>
    case 'text':
      return (
        <p>
          <Inline text={block.text} />
        </p>
      )
    case 'facts':
      return <ShownFacts facts={block.facts} />
    default:
      return <CodeWithResponse code={block.code} bar="Terminal" />
  }
}

export function ErrorBoundary() {
  return <ErrorCard />
}
