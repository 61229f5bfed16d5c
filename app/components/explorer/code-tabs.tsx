import type { Snippet } from '../../snippets/snippet.ts'
import { LanguageTabs } from './language-tabs.tsx'

interface CodeTabsProps {
  /** The call, as its method and operation. */
  of: string
  snippets: readonly Snippet[]
  production: readonly Snippet[]
}

/** The call in every language, and the same for production, where the explorer sends nothing. */
export function CodeTabs({ of, snippets, production }: CodeTabsProps) {
  return (
    <section className="stack tight" aria-labelledby="ex-code">
      <h3 id="ex-code">As code</h3>
      <LanguageTabs of={of} snippets={snippets} />
      <p className="small muted">
        Set <code>SVC_KEY</code> to a key of your own, on your server.
      </p>
      <details className="ex-fold">
        <summary>For production</summary>
        <p className="small muted">
          The same call with a production key. It is not sent from here, and its ids are those of your
          practice.
        </p>
        <LanguageTabs of={`${of} at production`} snippets={production} />
      </details>
    </section>
  )
}
