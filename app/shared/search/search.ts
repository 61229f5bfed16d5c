/** The search of the documentation and the portal, the same in the browser and on the server. */
import MiniSearch, { type Options, type Query, type SearchResult } from 'minisearch'
import { stemmer } from 'stemmer'
import { partsOf, readQuestion, type WordGroup, wordsOf } from './question.ts'

/** Kinds of entries with their weights in the ranking. */
export const entryKinds = {
  guide: { name: 'Guide', weight: 1 },
  operation: { name: 'Operation', weight: 0.9 },
  type: { name: 'FHIR type', weight: 0.8 },
  parameter: { name: 'Parameter', weight: 0.6 },
  scope: { name: 'Scope', weight: 0.7 },
  error: { name: 'Error', weight: 1.1 },
  term: { name: 'Term', weight: 0.8 },
  page: { name: 'Page', weight: 1 },
  component: { name: 'Status', weight: 0.7 },
  change: { name: 'Change', weight: 0.15 },
} as const satisfies Record<string, { name: string; weight: number }>

type EntryKind = keyof typeof entryKinds

export interface SearchEntry {
  readonly kind: EntryKind
  /** The address, with the anchor of the page's section. */
  readonly to: string
  readonly label: string
  /** The page or group that the entry is part of; empty for a page. */
  readonly section: string
  readonly text: string
  /** Other names for the entry, which are never shown. */
  readonly keywords?: string | undefined
}

export interface Found extends Omit<SearchEntry, 'keywords'> {
  /** The entry's words that match the question, in lower case. */
  readonly hits: readonly string[]
}

const termsOf = (word: string): string[] => [...new Set([word, stemmer(word)])]

export const searchOptions: Options<SearchEntry> = {
  idField: 'place',
  fields: ['label', 'section', 'keywords', 'text'],
  storeFields: ['kind', 'to', 'label', 'section', 'text'],
  tokenize: (text) => wordsOf(text).flatMap((word) => [word, ...partsOf(word)]),
  processTerm: termsOf,
}

const boost = { label: 4, keywords: 4, section: 2, text: 1 }

/** Finds at most `most` entries. Those that match more of the question come first. */
export function searchDocs(index: MiniSearch<SearchEntry>, question: string, most: number): readonly Found[] {
  const groups = readQuestion(question)
  if (groups.length === 0) return []
  const groupTerms = groups.map((group) => new Set(textsOf(group).flatMap(wordsAndParts).flatMap(termsOf)))
  return index
    .search(
      { combineWith: 'OR', queries: groups.map(queryOf) },
      {
        boost,
        tokenize: (word) => [word],
        processTerm: (word) => word,
        boostDocument: (_id, _term, stored) => entryKinds[stored?.kind as EntryKind].weight,
      },
    )
    .map((result) => {
      const share =
        groupTerms.filter((terms) => result.queryTerms.some((term) => terms.has(term))).length / groups.length
      return { result, share, score: result.score * share ** 3 }
    })
    .filter(({ share }) => share >= 0.5)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ result }) => foundOf(result))
}

function foundOf(result: SearchResult): Found {
  const { kind, to, label, section, text } = result as unknown as SearchEntry
  return { kind, to, label, section, text, hits: result.terms.toSorted() }
}

const textsOf = ({ words, also }: WordGroup): string[] => [words.join(' '), ...also]
const wordsAndParts = (text: string): string[] => wordsOf(text).flatMap((word) => [word, ...partsOf(word)])

function queryOf(group: WordGroup): Query {
  const [typed = '', ...also] = textsOf(group)
  return {
    combineWith: 'OR',
    queries: [
      phraseOf(typed, { prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : false) }),
      ...also.map((text) => phraseOf(text, { boostTerm: () => 0.6 })),
    ],
  }
}

/** Matches every word of a text: as typed, by its stem, or by the parts of a code. */
function phraseOf(
  text: string,
  options: Pick<Options['searchOptions'] & object, 'prefix' | 'fuzzy' | 'boostTerm'>,
): Query {
  return {
    combineWith: 'AND',
    queries: wordsOf(text).map((word) => {
      const parts = partsOf(word)
      return {
        combineWith: 'OR',
        queries: [
          { ...options, queries: [word] },
          ...termsOf(word)
            .slice(1)
            .map((stem) => ({ ...options, prefix: false, fuzzy: false as const, queries: [stem] })),
          ...(parts.length > 0
            ? [{ combineWith: 'AND' as const, queries: parts.flatMap((part) => stemmer(part)) }]
            : []),
        ],
      }
    }),
  }
}

/** Loads the index from `/docs/search-index.json`. */
export function loadIndex(json: string): MiniSearch<SearchEntry> {
  return MiniSearch.loadJSON<SearchEntry>(json, searchOptions)
}
