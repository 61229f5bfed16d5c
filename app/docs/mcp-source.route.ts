/** Passes the documentation to its MCP server, which calls this route in the same process. Other callers get a 404. */
import { page } from '../services.server.ts'
import { excerptOf } from '../shared/search/excerpt.ts'
import { entryKinds, searchDocs } from '../shared/search/search.ts'
import { addressesOf } from './guides/addresses.server.ts'
import { docsPages, findDocsPage } from './guides/pages.server.ts'
import { docsIndex } from './guides/search-index.server.ts'

export const loader = page(({ context }) => {
  if (!context.takeDocs) return new Response(null, { status: 404 })
  const addresses = addressesOf(context)
  context.takeDocs({
    search: (question, most) =>
      searchDocs(docsIndex(addresses).index, question, most).map(
        ({ to, label, section, kind, text, hits }) => ({
          path: to,
          title: label,
          section,
          kind: entryKinds[kind].name,
          excerpt: excerptOf(text, hits)
            .map((part) => part.text)
            .join(''),
        }),
      ),
    read: (path) => findDocsPage(path, addresses)?.markdown ?? null,
    pages: () => docsPages(addresses),
  })
  return new Response(null, { status: 204 })
})
