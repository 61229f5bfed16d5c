/** How the documentation and the portal are searched, the same in the browser and on the server. */
import MiniSearch, { type Options, type Query, type SearchResult } from 'minisearch'
import { stemmer } from 'stemmer'
import { partsOf, readQuestion, type WordGroup, wordsOf } from './question.ts'

/** Kinds of entries, and how much each counts beside the others. */
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
  /** Address, with the anchor of the part. */
  readonly to: string
  readonly label: string
  /** The page or the group that it is part of; empty when it is the page itself. */
  readonly section: string
  readonly text: string
  /** Other names for it; never shown. */
  readonly keywords?: string | undefined
}

export interface Found extends Omit<SearchEntry, 'keywords'> {
  /** Words of the entry that were found, in small letters. */
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

/** At most `most` entries, those first that speak of most of the question. */
export function searchDocs(index: MiniSearch<SearchEntry>, question: string, most: number): readonly Found[] {
  const groups = readQuestion(question)
  if (groups.length === 0) return []
  const wanted = groups.map((group) => new Set(textsOf(group).flatMap(wordsAndParts).flatMap(termsOf)))
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
        wanted.filter((terms) => result.queryTerms.some((term) => terms.has(term))).length / groups.length
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

/** Every word of it, as it is, by its stem, or by the parts of a code. */
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

/** The index as `/docs/search-index.json` gives it. */
export function loadIndex(json: string): MiniSearch<SearchEntry> {
  return MiniSearch.loadJSON<SearchEntry>(json, searchOptions)
}
