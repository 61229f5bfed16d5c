import type MiniSearch from 'minisearch'
import { useEffect, useState } from 'react'
import { readIdentifier } from '../../../server/contract/portal/identifiers.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { FoundEntry } from '../../components/ui/found-text.tsx'
import type { PaletteProps } from '../../components/ui/palette.tsx'
import Palette from '../../components/ui/palette.tsx'
import { foundEntry } from '../search/found-entry.tsx'
import { type Found, loadIndex, type SearchEntry, searchDocs } from '../search/search.ts'

interface DocsPaletteProps extends Omit<PaletteProps, 'useFound'> {
  /** Keys, apps and requests are found for members of organizations only. */
  signedIn: boolean
}

/** The palette with the search of the documentation, in one chunk that is fetched on first use. */
export default function DocsPalette({ signedIn, ...props }: DocsPaletteProps) {
  return <Palette {...props} useFound={signedIn ? useFoundByMembers : useFoundEntries} />
}

const useFoundEntries = (question: string): readonly FoundEntry[] => useFound(question).map(foundEntry)

function useFoundByMembers(question: string): readonly FoundEntry[] {
  const found = useFoundEntries(question)
  const identifier = readIdentifier(question)
  if (identifier === null) return found
  const { text } = identifier
  const { kind, label } = identifierWords[identifier.kind]
  const to = paths.find(text)
  return [{ to, key: to, label: `${label} ${text}`, kind, section: '', excerpt: null }, ...found]
}

const identifierWords = {
  key: { kind: 'Key', label: 'Open the key' },
  app: { kind: 'App', label: 'Open the app' },
  call: { kind: 'Request', label: 'Open the request' },
} as const

let loading: Promise<MiniSearch<SearchEntry>> | undefined

/** Fetched once, at the first letter typed. After a failure the next letter tries again. */
function fetchIndex(): Promise<MiniSearch<SearchEntry>> {
  loading ??= fetch('/docs/search-index.json')
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(`${answer.status}`))))
    .then(loadIndex)
    .catch((error: unknown) => {
      loading = undefined
      throw error
    })
  return loading
}

/** Results for the typed words: parts of the documentation, operations, errors. */
function useFound(question: string): readonly Found[] {
  const [found, setFound] = useState<readonly Found[]>([])
  const words = question.trim()

  useEffect(() => {
    let isStale = false
    const show = (entries: readonly Found[]) => {
      if (!isStale) setFound(entries)
    }
    if (words.length < 2) show([])
    else {
      fetchIndex()
        .then((index) => searchDocs(index, words, 8))
        .then(show)
        // Without the index the palette still finds pages.
        .catch(() => show([]))
    }
    return () => {
      isStale = true
    }
  }, [words])

  return found
}
