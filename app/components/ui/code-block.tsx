// biome-ignore-all lint/a11y/useSemanticElements: preformatted text has no element of its own that is a region
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

interface CodeBlockProps {
  /** Names the region for people who cannot see it. */
  label: string
  bar?: ReactNode
  /** What the copy button puts on the clipboard; `true`: what is shown; missing: no button. */
  copy?: string | true
  wrapped?: boolean
  children: ReactNode
}

/** Text a machine reads. Scrolls sideways by keyboard too. */
export function CodeBlock({ label, bar, copy, wrapped, children }: CodeBlockProps) {
  return (
    <div className="code">
      {(bar || copy !== undefined) && (
        <div className="bar">
          <span>{bar}</span>
          {copy !== undefined && (
            <CopyButton text={copy === true ? undefined : copy} label={`Copy: ${label}`} />
          )}
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} role="region" aria-label={label} className={wrapped ? 'wrapped' : undefined}>
        {children}
      </pre>
    </div>
  )
}
