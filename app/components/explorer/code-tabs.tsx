import { useState } from 'react'
import type { Snippet } from '../../snippets/snippet.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { useHydrated } from '../ui/hydrated.ts'

/** The call in every language. Without a script each folds out by itself. */
export function CodeTabs({ snippets, label }: { snippets: readonly Snippet[]; label: string }) {
  const [chosen, choose] = useState(0)
  const hydrated = useHydrated()
  const snippet = snippets[chosen] ?? snippets[0]
  if (snippet === undefined) return null
  return (
    <section className="stack tight" aria-labelledby="ex-code">
      <h3 id="ex-code">As code</h3>
      {hydrated ? (
        <>
          <fieldset className="seg ex-langs" aria-label="Language">
            {snippets.map(({ language, label: name }, index) => (
              <button
                key={language}
                type="button"
                aria-pressed={index === chosen}
                onClick={() => choose(index)}
              >
                {name}
              </button>
            ))}
          </fieldset>
          <CodeBlock label={`${label}, ${snippet.label}`} bar={snippet.label} copy={snippet.code}>
            {snippet.code}
          </CodeBlock>
        </>
      ) : (
        snippets.map(({ language, label: name, code }) => (
          <details key={language} className="ex-fold" open={language === 'curl'}>
            <summary>{name}</summary>
            <CodeBlock label={`${label}, ${name}`}>{code}</CodeBlock>
          </details>
        ))
      )}
      <p className="small muted">
        Set <code>SVC_KEY</code> to a key of your own, on your server.
      </p>
    </section>
  )
}
