import { LanguageTabs } from '../../shared/snippets/language-tabs.tsx'
import type { ShownSnippet } from '../../shared/snippets/snippet.ts'

interface CodeProps {
  /** The call, as its method and operation, its address or its tool. */
  of: string
  snippets: readonly ShownSnippet[]
  /** The environment variable with the caller's own secret. */
  variable: 'SVC_KEY' | 'ACCESS_TOKEN'
}

/** The call in every language, without a secret in it. */
export function AnswerCode({ of, snippets, variable }: CodeProps) {
  return (
    <section className="stack tight" aria-labelledby="ex-code">
      <h3 id="ex-code">As code</h3>
      <LanguageTabs of={of} snippets={snippets} />
      <p className="small muted">
        Set <code>{variable}</code> to {variable === 'SVC_KEY' ? 'your own key' : 'a token from your app'}, on
        your server.
      </p>
    </section>
  )
}
