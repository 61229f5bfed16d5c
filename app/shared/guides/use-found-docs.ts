import type MiniSearch from 'minisearch'
import { useEffect, useState } from 'react'
import type { Entry } from '../../components/ui/palette.tsx'
import { loadIndex, type SearchDocument, searchDocs } from './search.ts'

let loading: Promise<MiniSearch<SearchDocument>> | undefined

/** Fetched once, when somebody first types; a failure is tried again with the next letter. */
function fetchIndex(): Promise<MiniSearch<SearchDocument>> {
  loading ??= fetch('/docs/search-index.json')
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(`${answer.status}`))))
    .then(loadIndex)
    .catch((error: unknown) => {
      loading = undefined
      throw error
    })
  return loading
}

/** Sections of the documentation that match the typed words. */
export function useFoundDocs(question: string): readonly Entry[] {
  const [found, setFound] = useState<readonly Entry[]>([])
  const words = question.trim()

  useEffect(() => {
    let isLate = false
    const show = (entries: readonly Entry[]) => {
      if (!isLate) setFound(entries)
    }
    if (words.length < 2) show([])
    else {
      fetchIndex()
        .then((index) => searchDocs(index, words, 8))
        .then((all) => show(all.map(({ to, title, heading }) => toEntry(to, title, heading))))
        // Without the index the palette still finds pages.
        .catch(() => show([]))
    }
    return () => {
      isLate = true
    }
  }, [words])

  return found
}

function toEntry(to: string, title: string, heading: string): Entry {
  return heading === '' ? { to, label: title, where: 'Guide' } : { to, label: heading, where: title }
}
