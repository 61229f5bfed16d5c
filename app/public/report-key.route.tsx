import { Form, useActionData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { useRef, useState } from 'react'
import { reportKeyForm } from '../../server/contract/forms/keys.ts'
import { parseKey } from '../../server/contract/keys/key-format.ts'
import { Field } from '../components/ui/form.tsx'
import { Button, Card, SubmitButton } from '../components/ui/page-parts.tsx'
import { waitFor } from '../lib/dates.ts'
import { readForm } from '../lib/submission.server.ts'
import { page, visitorOf } from '../services.server.ts'
import { Gate } from '../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Report a leaked key · Sandpiper' }]

export const action = page(async (args) => {
  const submission = await readForm(args.request, reportKeyForm)
  if (submission.status !== 'success')
    return data({ kind: 'wrong' as const, message: 'A SHA-256 has 64 characters, 0 to 9 and a to f.' }, 400)
  const answer = await args.context.services.keys.reportLeak(
    { hash: submission.value.sha256 },
    visitorOf(args),
  )
  if (answer.kind === 'taken') return data({ kind: 'taken' as const })
  const message = `Too many reports came from your network. Try again in ${waitFor(answer.retryAfterSeconds)}.`
  const headers = { 'retry-after': String(answer.retryAfterSeconds) }
  return data({ kind: 'wrong' as const, message }, { status: 429, headers })
})

export default function ReportKey() {
  const answer = useActionData<typeof action>()
  if (answer?.kind === 'taken') {
    return (
      <Gate title="Thank you" lead="If this was an active key, it no longer works.">
        <Card padded>
          <p>
            We email its owner and the practice within a minute. Every report gets this same response, so that
            no one can find out which keys exist.
          </p>
          <p>Please delete your copy of the key.</p>
        </Card>
      </Gate>
    )
  }
  return (
    <Gate
      title="Report a leaked key"
      lead="Did you find something that starts with svc_ where it shouldn’t be? Paste it here, and we revoke it immediately."
    >
      <div className="stack">
        {answer?.kind === 'wrong' && (
          <p className="banner bad" role="alert">
            {answer.message}
          </p>
        )}
        <InBrowser />
        <ByHash />
      </div>
    </Gate>
  )
}

/** The key stays in this page: its checksum is tested here, and only its SHA-256 is sent. */
function InBrowser() {
  const [fault, setFault] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const hash = useRef<HTMLInputElement>(null)
  const found = useRef<HTMLInputElement>(null)

  const report = async () => {
    const key = (found.current?.value ?? '').trim()
    if (parseKey(key) === null) {
      setFault(
        'This is not a complete key. Keys have 51 characters, start with svc_ and end with a checksum, which doesn’t match here. Nothing was sent.',
      )
      return
    }
    setFault('')
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
    if (!hash.current || !found.current) return
    hash.current.value = [...new Uint8Array(digest)]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
    found.current.value = ''
    form.current?.requestSubmit()
  }

  return (
    <section className="card pad stack needs-script" aria-labelledby="in-browser">
      <h2 id="in-browser">Paste the key</h2>
      <div className={fault ? 'field bad' : 'field'}>
        <label htmlFor="found-key">Leaked key</label>
        {/* Has no name attribute, so no form submits it. */}
        <input
          ref={found}
          className="input mono"
          id="found-key"
          type="text"
          autoComplete="off"
          spellCheck={false}
          aria-describedby="found-hint"
          aria-invalid={fault ? true : undefined}
        />
        <p className="hint" id="found-hint">
          The key stays in this page. Your browser sends only its SHA-256, which can’t be turned back into the
          key.
        </p>
        {fault && (
          <p className="err" role="alert">
            {fault}
          </p>
        )}
      </div>
      <Button look="primary" onClick={() => void report()}>
        Report key
      </Button>
      <Form method="post" ref={form} hidden>
        <input type="hidden" name="sha256" ref={hash} />
      </Form>
    </section>
  )
}

/** For people who don't trust the page or have JavaScript off. */
function ByHash() {
  return (
    <Form method="post" className="card pad stack">
      <h2>Or send only its SHA-256</h2>
      <p>
        Calculate it yourself: <code className="breaks">printf %s "$KEY" | sha256sum</code>
      </p>
      <Field
        name="sha256"
        label="SHA-256, in hexadecimal"
        mono
        required
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
      />
      <SubmitButton look="outline" busy="Sending">
        Report by SHA-256
      </SubmitButton>
    </Form>
  )
}
