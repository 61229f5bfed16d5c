import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Switcher } from '../../components/ui/switcher.tsx'
import type { ShownSnippet } from './snippet.ts'

/** Code in every language. It shows the language that the reader chose before, or else the first. */
export function LanguageTabs({ of, snippets }: { of: string; snippets: readonly ShownSnippet[] }) {
  return (
    <Switcher
      label={`Language of the code for ${of}`}
      languages
      panes={snippets.map(({ language, label, html }) => ({
        label,
        choice: language,
        content: <HighlightedCode label={`${label}: ${of}`} bar={label} html={html} />,
      }))}
    />
  )
}

interface HighlightedCodeProps {
  /** The block's name for screen readers. */
  label: string
  bar: string
  /** From highlight.server.ts. */
  html: string
}

/** Code that the server has colored. */
export function HighlightedCode({ label, bar, html }: HighlightedCodeProps) {
  return (
    <CodeBlock label={label} bar={bar} copy>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes the code, a test holds it to that */}
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </CodeBlock>
  )
}
