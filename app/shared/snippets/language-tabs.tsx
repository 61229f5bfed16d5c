import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Switcher } from '../../components/ui/switcher.tsx'

interface ShownSnippet {
  readonly language: string
  readonly label: string
  /** What runs the code. */
  readonly platform?: string
  readonly code: string
}

/** One piece of code in every language: the first in view, or the one that the reader chose before. */
export function LanguageTabs({ of, snippets }: { of: string; snippets: readonly ShownSnippet[] }) {
  return (
    <Switcher
      label={`Language of the code for ${of}`}
      remember="language"
      panes={snippets.map(({ language, label, platform, code }) => ({
        label,
        choice: language,
        content: (
          <CodeBlock label={`${label}: ${of}`} bar={platform ?? label} copy={code}>
            {code}
          </CodeBlock>
        ),
      }))}
    />
  )
}
