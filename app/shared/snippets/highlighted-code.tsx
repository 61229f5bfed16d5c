import { CodeBlock } from '../../components/ui/code-block.tsx'

interface HighlightedCodeProps {
  /** Names the block for people who cannot see it. */
  label: string
  bar: string
  /** From highlight.server.ts. */
  html: string
}

/** Code in colors that the server made. */
export function HighlightedCode({ label, bar, html }: HighlightedCodeProps) {
  return (
    <CodeBlock label={label} bar={bar} copy>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes the code, a test holds it to that */}
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </CodeBlock>
  )
}
