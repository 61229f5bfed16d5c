import { HighlightedCode, LanguageTabs } from '../../shared/snippets/language-tabs.tsx'
import type { ShownCode } from './guide-codes.server.ts'
import type { ShownResponse } from './responses.server.ts'

interface CodeWithResponseProps {
  code: ShownCode
  bar: string
  /** Shows a long response at once. */
  unfolded?: boolean
}

/** A block of code. A command also has other languages and a sample response. */
export function CodeWithResponse({ code, bar, unfolded = false }: CodeWithResponseProps) {
  const { html, others, explorer, response } = code
  // The name is long enough to distinguish two commands of a page.
  const name = plainCode(html).replace(/\s+/g, ' ').slice(0, 240)
  return (
    <>
      {others.length > 0 ? (
        <LanguageTabs of={name} snippets={[{ language: 'curl', label: bar, html }, ...others]} />
      ) : (
        <HighlightedCode label={`${bar}: ${name}`} bar={bar} html={html} />
      )}
      {response && <SampleResponse command={name} response={response} unfolded={unfolded} />}
      {explorer && (
        <p className="small">
          <a href={explorer} aria-label={`Open in the explorer: ${name}`}>
            Open in the explorer
          </a>
        </p>
      )}
    </>
  )
}

/** Longer responses are folded. */
const linesShown = 16

interface SampleResponseProps {
  command: string
  response: ShownResponse
  unfolded: boolean
}

/** The server's response, below a command. */
function SampleResponse({ command, response, unfolded }: SampleResponseProps) {
  const { status, type, lines, html } = response
  const bar = ['Sample response', status, type].filter(Boolean).join(' · ')
  if (html === '') return <p className="small muted">{bar}, without a body.</p>
  const code = <HighlightedCode label={`Sample response to ${command}`} bar={bar} html={html} />
  if (lines <= linesShown) return code
  return (
    <details className="sample-response" open={unfolded}>
      <summary>{bar}</summary>
      <HighlightedCode label={`Sample response to ${command}`} bar="Body" html={html} />
    </details>
  )
}

/** The code without the highlighter's HTML. */
function plainCode(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}
