import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Switcher } from '../../components/ui/switcher.tsx'
import type { Snippet } from './snippet.ts'

/** One call in every language, the first in view. */
export function LanguageTabs({ of, snippets }: { of: string; snippets: readonly Snippet[] }) {
  return (
    <Switcher
      label={`Language of the code for ${of}`}
      panes={snippets.map(({ label, code }) => ({
        label,
        content: (
          <CodeBlock label={`${label}: ${of}`} bar={label} copy={code}>
            {code}
          </CodeBlock>
        ),
      }))}
    />
  )
}
