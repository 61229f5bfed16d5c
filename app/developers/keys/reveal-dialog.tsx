// biome-ignore-all lint/a11y/useSemanticElements: preformatted text has no element of its own that is a region

import { useBeforeUnload } from '@remix-run/react'
import { useRef, useState } from 'react'
import type { Services } from '../../../server/services.ts'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Copy, Download, Eye, EyeOff } from '../../components/ui/icons.ts'
import { Button, Facts, Moment } from '../../components/ui/page-parts.tsx'
import { saveFile } from '../../lib/save-file.ts'
import { levelNames } from '../../shared/keys/key-words.tsx'

/** The key itself exists only in this page's memory. */
type RevealedKey = Extract<Awaited<ReturnType<Services['keys']['reveal']>>, { kind: 'revealed' }>

/**
 * Shows a new key once. The key is hidden at first, can be copied or downloaded, and is lost when the dialog closes.
 * @param leaveTo the next page; entrance.route.ts reads `organization` and `stored` from its query
 */
export function RevealDialog({ revealed, leaveTo }: { revealed: RevealedKey; leaveTo: string }) {
  const [shown, setShown] = useState(false)
  const [status, setStatus] = useState('')
  const stored = useRef(false)

  useBeforeUnload((event) => {
    if (!stored.current) event.preventDefault()
  })

  const command = `curl "${revealed.baseUrl}/patients?q=testwell&limit=1" -H "Authorization: Bearer $SVC_KEY"`

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(revealed.key)
      setStatus('Key copied.')
    } catch {
      setShown(true)
      setStatus('Your browser didn’t allow copying. Select the key and copy it manually.')
    }
  }

  return (
    <Dialog
      title="Your key, shown once"
      description="Copy it now and store it on your server. When you close this, no one can see it again, including us."
      footer={
        <form
          action={leaveTo}
          method="get"
          className="row"
          onSubmit={() => {
            stored.current = true
          }}
        >
          <input type="hidden" name="organization" value={revealed.organizationSlug} />
          <input type="hidden" name="stored" value="1" />
          <Button type="submit">Done, I’ve saved it</Button>
        </form>
      }
    >
      <div className="code">
        <div className="bar">
          <span>
            {revealed.name}, {revealed.practice.name}, {levelNames[revealed.level]}
          </span>
          <Button
            look="plain"
            size="sm"
            className="needs-script"
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOff className="i" /> : <Eye className="i" />}
            {shown ? 'Hide' : 'Show'}
          </Button>
        </div>
        <KeyText revealed={revealed} shown={shown} />
      </div>
      <noscript>
        <details>
          <summary>Show key</summary>
          <div className="code mt-2">
            <pre className="wrapped">{revealed.key}</pre>
          </div>
        </details>
      </noscript>
      <div className="row needs-script">
        <Button look="primary" onClick={copy} autoFocus>
          <Copy className="i" />
          Copy key
        </Button>
        <Button onClick={() => saveFile('sandpiper.env', dotEnvOf(revealed))}>
          <Download className="i" />
          Download .env
        </Button>
        <span className="small" role="status">
          {status}
        </span>
      </div>
      <CodeBlock label="First call" bar="Your first call, with the key in SVC_KEY" copy={command} wrapped>
        {command}
      </CodeBlock>
      <Facts
        className="facts small"
        of={{
          Expires: <Moment at={revealed.expiresAt} />,
          'If it leaks': 'You can revoke it on the keys page. It stops on the next request.',
          'Never put it in':
            'a browser bundle, a mobile or desktop app, a repository, or anything a user can open',
        }}
      />
    </Dialog>
  )
}

function KeyText({ revealed, shown }: { revealed: RevealedKey; shown: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the key must be reachable to be selected by keyboard
    <pre className={shown ? 'wrapped' : 'one'} tabIndex={0} role="region" aria-label="Your key">
      {shown ? (
        <span data-key="">{revealed.key}</span>
      ) : (
        <>
          {revealed.prefix}
          <span className="p" aria-hidden="true">
            {'•'.repeat(28)}
          </span>
          <span className="sr">, the rest is hidden</span>
        </>
      )}
    </pre>
  )
}

type KeyFacts = Omit<RevealedKey, 'kind' | 'prefix' | 'organizationSlug'>

/** Removes line breaks from a name, because each line would start another variable. */
const oneLine = (text: string) => text.replace(/[\r\n\u2028\u2029]+/g, ' ')

/** Lines of an `.env` file: the key, its base, and what a reader of the file should know. */
export function dotEnvOf(facts: KeyFacts): string {
  const ends = new Date(facts.expiresAt).toISOString()
  return [
    `# ${oneLine(facts.name)}: ${oneLine(facts.practice.name)} (${facts.practice.slug}), ${facts.level}, expires ${ends}`,
    '# For servers only. Never commit this file or put the key into anything users can open.',
    `BASE=${facts.baseUrl}`,
    `SVC_KEY=${facts.key}`,
    '',
  ].join('\n')
}
