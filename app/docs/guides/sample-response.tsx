import { HighlightedCode } from '../../shared/snippets/highlighted-code.tsx'
import type { ShownResponse } from './responses.server.ts'

/** Shown at once; longer ones fold. */
const linesShown = 16

/** Below a command: what the server says to it. */
export function SampleResponse({ of, response }: { of: string; response: ShownResponse }) {
  const { status, type, lines, html } = response
  const bar = ['Sample response', status, type].filter(Boolean).join(' · ')
  if (html === '') return <p className="small muted">{bar}, without a body.</p>
  const code = <HighlightedCode label={`Sample response to ${of}`} bar={bar} html={html} />
  if (lines <= linesShown) return code
  return (
    <details className="sample-response">
      <summary>{bar}</summary>
      <HighlightedCode label={`Sample response to ${of}`} bar="Body" html={html} />
    </details>
  )
}
