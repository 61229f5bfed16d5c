import { Form, useActionData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { useRef } from 'react'
import { fileRules, findFileFault, isChosenFile } from '../../server/contract/forms/files.ts'
import { FileField } from '../components/ui/file-field.tsx'
import { Field } from '../components/ui/form.tsx'
import { Card, Facts, Moment, SubmitButton } from '../components/ui/page-parts.tsx'
import { waitFor } from '../lib/dates.ts'
import { readFields } from '../lib/submission.server.ts'
import { page, visitorOf } from '../services.server.ts'
import { Gate } from '../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Verify a document · Sandpiper' }]

/** The file is hashed and not stored. */
export const action = page(async (args) => {
  const fields = await readFields(args.request)
  const file = fields.get('file')
  const typed = String(fields.get('sha256') ?? '')
    .replace(/\s+/g, '')
    .toLowerCase()
  const bytes = isChosenFile(file) ? new Uint8Array(await file.arrayBuffer()) : null
  const fault = bytes ? findFileFault(fileRules.document, bytes) : faultOfHash(typed)
  if (fault !== null) return data({ kind: 'wrong' as const, message: fault }, { status: 400 })
  const answer = await args.context.services.agreements.verify(bytes ?? typed, visitorOf(args))
  if (answer.kind !== 'throttled') return data({ ...answer, sha256: answer.sha256 })
  const message = `Too many documents were checked from your network. Try again in ${waitFor(answer.retryAfterSeconds)}.`
  return data(
    { kind: 'wrong' as const, message },
    { status: 429, headers: { 'retry-after': String(answer.retryAfterSeconds) } },
  )
})

const faultOfHash = (typed: string) =>
  /^[0-9a-f]{64}$/.test(typed)
    ? null
    : 'Choose a file, or enter a SHA-256 with 64 characters, 0 to 9 and a to f.'

export default function Verify() {
  const answer = useActionData<typeof action>()
  return (
    <Gate
      title="Verify a document"
      lead="Check that an executed agreement is ours, unchanged and in force, or that an accounting of disclosures is ours and unchanged."
    >
      <div className="stack gap-5">
        {answer && <Answer of={answer} />}
        <ByFile />
        <ByHash />
      </div>
    </Gate>
  )
}

type Given = NonNullable<ReturnType<typeof useActionData<typeof action>>>

function Answer({ of }: { of: Given }) {
  if (of.kind === 'wrong')
    return (
      <p className="banner bad" role="alert">
        {of.message}
      </p>
    )
  if (of.kind === 'unknown')
    return (
      <Card role="alert" padded="tight" title="Not one of our documents">
        <p>
          No executed document or accounting of disclosures matches this file. It isn’t ours, or it was
          changed.
        </p>
        <p className="small">
          <code className="breaks">{of.sha256}</code>
        </p>
      </Card>
    )
  if (of.kind === 'accounting')
    return (
      <Card role="status" padded="tight" title="An unchanged accounting of disclosures">
        <Facts
          className="facts wide"
          of={{
            Made: <Moment at={of.at} />,
            'Row of the audit chain': of.chainNumber ?? 'Sealed within a minute',
          }}
        />
        <p className="small">
          <code className="breaks">{of.sha256}</code>
        </p>
      </Card>
    )
  return (
    <Card
      role="status"
      padded="tight"
      title={of.inForce ? 'Unchanged, and in force' : 'Unchanged, but not in force now'}
    >
      <Facts
        className="facts wide"
        of={{
          Executed: <Moment at={of.executedAt} />,
          'In force from': <Moment at={of.effectiveAt} />,
          [of.inForce ? 'Until' : 'End date']: <Moment at={of.endsAt} />,
        }}
      />
      <p className="small">
        <code className="breaks">{of.sha256}</code>
      </p>
    </Card>
  )
}

/** With JavaScript, only the hash is sent; without it, the file is. */
function ByFile() {
  const form = useRef<HTMLFormElement>(null)
  const hash = useRef<HTMLInputElement>(null)
  const look = async (file: File) => {
    const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
    if (!hash.current) return
    hash.current.value = [...new Uint8Array(digest)]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
    form.current?.requestSubmit()
  }
  return (
    <Card padded id="by-file" title="Check a file">
      <Form method="post" encType="multipart/form-data" className="stack">
        <FileField
          name="file"
          label="PDF"
          rule={fileRules.document}
          hint="Your browser calculates the file’s SHA-256 and sends only that. Without JavaScript, the file itself is sent, hashed and discarded."
          onFile={(file) => void look(file)}
        />
        <noscript>
          <button type="submit" className="btn primary">
            Check file
          </button>
        </noscript>
      </Form>
      <Form method="post" ref={form} hidden>
        <input type="hidden" name="sha256" ref={hash} />
      </Form>
    </Card>
  )
}

function ByHash() {
  return (
    <Form method="post" className="card pad stack">
      <h2>Check a SHA-256</h2>
      <Field
        name="sha256"
        label="SHA-256, in hexadecimal"
        mono
        maxLength={128}
        autoComplete="off"
        spellCheck={false}
      />
      <div>
        <SubmitButton look="outline" busy="Checking">
          Check SHA-256
        </SubmitButton>
      </div>
    </Form>
  )
}
