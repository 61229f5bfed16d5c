import type { Snippet } from '../../snippets/snippet.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { Switcher } from '../ui/switcher.tsx'

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
