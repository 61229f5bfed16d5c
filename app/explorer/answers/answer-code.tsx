import { LanguageTabs } from '../../shared/snippets/language-tabs.tsx'
import type { ShownSnippet } from '../../shared/snippets/snippet.ts'

interface CodeProps {
  /** The call, as its method and operation, its address or its tool. */
  of: string
  snippets: readonly ShownSnippet[]
  /** The same for production, where the explorer sends nothing; left out where it would be no other code. */
  production?: readonly ShownSnippet[]
  /** What the code reads the caller's own secret from. */
  variable: 'SVC_KEY' | 'ACCESS_TOKEN'
}

/** The call in every language, without a secret in it. */
export function AnswerCode({ of, snippets, production, variable }: CodeProps) {
  return (
    <section className="stack tight" aria-labelledby="ex-code">
      <h3 id="ex-code">As code</h3>
      <LanguageTabs of={of} snippets={snippets} />
      <p className="small muted">
        Set <code>{variable}</code> to {variable === 'SVC_KEY' ? 'your own key' : 'a token from your app'}, on
        your server.
      </p>
      {production && (
        <details className="ex-fold">
          <summary>For production</summary>
          <p className="small muted">
            The same call with a production key. It isn’t sent from here. Its IDs are those of your practice.
          </p>
          <LanguageTabs of={`${of} in production`} snippets={production} />
        </details>
      )}
    </section>
  )
}
