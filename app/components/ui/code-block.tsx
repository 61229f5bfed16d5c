// biome-ignore-all lint/a11y/useSemanticElements: preformatted text has no element of its own that is a region
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

interface CodeBlockProps {
  /** The region's name for screen readers. */
  label: string
  bar?: ReactNode
  /** The text that the button copies; `true` for the shown text. Without it, there is no button. */
  copy?: string | true
  wrapped?: boolean
  children: ReactNode
}

/** Preformatted text that also scrolls by keyboard. */
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
