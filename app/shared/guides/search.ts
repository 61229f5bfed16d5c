/** How the documentation is searched, the same in the browser and on the server. */
import MiniSearch, { type Options, type SearchResult } from 'minisearch'

export interface SearchDocument {
  /** Address of the page, with the anchor of the part. */
  readonly id: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

interface Found {
  readonly to: string
  readonly title: string
  readonly heading: string
}

export const searchOptions: Options<SearchDocument> = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading'],
  // Codes and parameters are words, whole and by their parts.
  tokenize: (text) => text.split(/[^\p{L}\p{N}_$-]+/u).flatMap((word) => partsOf(word)),
  searchOptions: {
    boost: { title: 4, heading: 3 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
}

function partsOf(word: string): string[] {
  const parts = word.split(/[_$-]+/).filter(Boolean)
  return parts.length > 1 ? [word, ...parts] : parts
}

export function searchDocs(index: MiniSearch<SearchDocument>, question: string, most: number): Found[] {
  return index
    .search(question.slice(0, 100))
    .slice(0, most)
    .map((found: SearchResult) => ({
      to: String(found.id),
      title: String(found.title),
      heading: String(found.heading),
    }))
}

/** The index as `/docs/search-index.json` gives it. */
export function loadIndex(json: string): MiniSearch<SearchDocument> {
  return MiniSearch.loadJSON<SearchDocument>(json, searchOptions)
}
