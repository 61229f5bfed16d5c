/** The index of every part of every page, made once per process from the text that is in the bundle. */
import { createHash } from 'node:crypto'
import MiniSearch from 'minisearch'
import { type SearchDocument, searchOptions } from '../../shared/guides/search.ts'
import type { Addresses } from './addresses.ts'
import { sectionsOf } from './guide-text.server.ts'
import { docsPages } from './pages.server.ts'

interface DocsIndex {
  readonly index: MiniSearch<SearchDocument>
  readonly json: string
  /** Of the JSON, for ETag. */
  readonly hash: string
}

let made: { portal: string; docs: DocsIndex } | undefined

export function docsIndex(addresses: Addresses): DocsIndex {
  if (made?.portal !== addresses.portal) made = { portal: addresses.portal, docs: makeIndex(addresses) }
  return made.docs
}

function makeIndex(addresses: Addresses): DocsIndex {
  const index = new MiniSearch<SearchDocument>(searchOptions)
  index.addAll(
    docsPages(addresses).flatMap(({ path, title, markdown }) =>
      sectionsOf(markdown).map(({ heading, anchor, text }) => ({
        id: anchor === '' ? path : `${path}#${anchor}`,
        title,
        heading,
        text,
      })),
    ),
  )
  const json = JSON.stringify(index)
  return { index, json, hash: createHash('sha256').update(json).digest('base64url').slice(0, 22) }
}
