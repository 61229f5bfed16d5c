import type MiniSearch from 'minisearch'
import { useEffect, useState } from 'react'
import { type Found, loadIndex, type SearchEntry, searchDocs } from './search.ts'

let loading: Promise<MiniSearch<SearchEntry>> | undefined

/** Fetched once, when somebody first types; a failure is tried again with the next letter. */
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
export function useFound(question: string): readonly Found[] {
  const [found, setFound] = useState<readonly Found[]>([])
  const words = question.trim()

  useEffect(() => {
    let isLate = false
    const show = (entries: readonly Found[]) => {
      if (!isLate) setFound(entries)
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
      isLate = true
    }
  }, [words])

  return found
}
