import { HighlightedCode, LanguageTabs } from '../../shared/snippets/language-tabs.tsx'
import type { ShownCode } from './guide-codes.server.ts'
import type { ShownResponse } from './responses.server.ts'

interface CodeWithResponseProps {
  code: ShownCode
  bar: string
  /** Shows a long response at once. */
  unfolded?: boolean
}

/** A block of code; of a command also the other languages, and what the server says to it. */
export function CodeWithResponse({ code, bar, unfolded = false }: CodeWithResponseProps) {
  const { html, others, explorer, response } = code
  // Long enough to tell two commands of a page apart.
  const name = plainCode(html).replace(/\s+/g, ' ').slice(0, 240)
  return (
    <>
      {others.length > 0 ? (
        <LanguageTabs of={name} snippets={[{ language: 'curl', label: bar, html }, ...others]} />
      ) : (
        <HighlightedCode label={`${bar}: ${name}`} bar={bar} html={html} />
      )}
      {response && <SampleResponse of={name} response={response} unfolded={unfolded} />}
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

/** Shown at once; longer ones fold. */
const linesShown = 16

interface SampleResponseProps {
  of: string
  response: ShownResponse
  unfolded: boolean
}

/** Below a command: what the server says to it. */
function SampleResponse({ of, response, unfolded }: SampleResponseProps) {
  const { status, type, lines, html } = response
  const bar = ['Sample response', status, type].filter(Boolean).join(' · ')
  if (html === '') return <p className="small muted">{bar}, without a body.</p>
  const code = <HighlightedCode label={`Sample response to ${of}`} bar={bar} html={html} />
  if (lines <= linesShown) return code
  return (
    <details className="sample-response" open={unfolded}>
      <summary>{bar}</summary>
      <HighlightedCode label={`Sample response to ${of}`} bar="Body" html={html} />
    </details>
  )
}

/** Code as it was before it was highlighted. */
function plainCode(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}
