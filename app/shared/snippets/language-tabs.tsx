import { Switcher } from '../../components/ui/switcher.tsx'
import { HighlightedCode } from './highlighted-code.tsx'
import type { ShownSnippet } from './snippet.ts'

/** One piece of code in every language: the first in view, or the one that the reader chose before. */
export function LanguageTabs({ of, snippets }: { of: string; snippets: readonly ShownSnippet[] }) {
  return (
    <Switcher
      label={`Language of the code for ${of}`}
      languages
      panes={snippets.map(({ language, label, platform, html }) => ({
        label,
        choice: language,
        content: <HighlightedCode label={`${label}: ${of}`} bar={platform ?? label} html={html} />,
      }))}
    />
  )
}
