import { Form } from '@remix-run/react'
import { CircleCheck, Clock } from 'lucide-react'
import { useId } from 'react'
import { reasonMax } from '../../../server/contract/forms-systems.ts'
import type { ConsentLine } from '../../authorize-view.ts'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/moment.tsx'
import { Tag, type Tone } from '../ui/tag.tsx'
import { TextWarning, useTextWarning } from '../ui/text-warning.tsx'
import { ScopeChoices } from './scope-choices.tsx'

interface SystemView {
  id: string
  version: number
  state: 'requested' | 'granted' | 'declined' | 'revoked'
  lines: readonly ConsentLine[]
  client: { clientId: string; name: string; homepage: string | null; organizationName: string | null }
  purpose: string
  requestedAt: Date | string
  decidedAt: Date | string | null
  decidedBy: string | null
  reason: string | null
  lastUsedAt: Date | string | null
}

const states: Readonly<Record<SystemView['state'], { tone: Tone; word: string; past: string }>> = {
  requested: { tone: 'turn', word: 'Asks', past: 'Asked' },
  granted: { tone: 'ok', word: 'Granted', past: 'Granted' },
  declined: { tone: 'quiet', word: 'Declined', past: 'Declined' },
  revoked: { tone: 'quiet', word: 'Revoked', past: 'Revoked' },
}

/** One system at one practice: what it wants, what was answered, and the answer that can be given now. */
export function SystemCard({ system }: { system: SystemView }) {
  const { client, state } = system
  const { tone, word, past } = states[state]
  return (
    <article className="card" aria-labelledby={`system-${system.id}`}>
      <div className="head">
        <div>
          <h3 id={`system-${system.id}`}>{client.name}</h3>
          <p className="small muted">
            by {client.organizationName ?? 'Sandpiper, as a sample'} · <code>{client.clientId}</code>
          </p>
        </div>
        <Tag tone={tone} icon={state === 'requested' ? Clock : state === 'granted' ? CircleCheck : undefined}>
          {word}
        </Tag>
      </div>
      <dl className="pad facts wide">
        <dt>What it is for</dt>
        <dd>{system.purpose}</dd>
        <dt>Asked</dt>
        <dd>
          <Moment at={system.requestedAt} />
        </dd>
        {system.decidedAt && (
          <>
            <dt>{past}</dt>
            <dd>
              <Moment at={system.decidedAt} />
              {system.decidedBy && ` by ${system.decidedBy}`}
              {system.reason && `: ${system.reason}`}
            </dd>
          </>
        )}
        {state === 'granted' && (
          <>
            <dt>Reads</dt>
            <dd>{system.lines.map(({ title }) => title).join(' · ')}, of every patient</dd>
            <dt>Last token</dt>
            <dd>{system.lastUsedAt ? <Moment at={system.lastUsedAt} /> : 'None yet'}</dd>
          </>
        )}
      </dl>
      {state === 'requested' && <Answer system={system} />}
      {state === 'granted' && (
        <div className="pad border-t border-line">
          <WithReason system={system} intent="revoke" word="Revoke" />
        </div>
      )}
    </article>
  )
}

const nobodyCounts = () => {}

function Answer({ system }: { system: SystemView }) {
  return (
    <>
      <Form method="post" className="border-t border-line">
        <Handle system={system} />
        <ScopeChoices
          legend={`What ${system.client.name} may read, of every patient`}
          lines={system.lines}
          chosen={null}
          onCount={nobodyCounts}
        />
        <div className="pad">
          <Button type="submit" look="primary" name="intent" value="grant">
            Grant what is ticked<span className="sr"> to {system.client.name}</span>
          </Button>
        </div>
      </Form>
      <div className="pad border-t border-line">
        <WithReason system={system} intent="decline" word="Decline" />
      </div>
    </>
  )
}

interface WithReasonProps {
  system: SystemView
  intent: 'decline' | 'revoke'
  word: string
}

function WithReason({ system, intent, word }: WithReasonProps) {
  const id = useId()
  const warning = useTextWarning({ field: 'reason', intent, about: system.id })
  return (
    <details open={warning !== null}>
      <summary className="btn danger">
        {word}
        <span className="sr"> {system.client.name}</span>
      </summary>
      <Form method="post" className="stack mt-3 read">
        <Handle system={system} />
        <div className="field">
          <label htmlFor={id}>Reason</label>
          <textarea
            id={id}
            className="input"
            name="reason"
            rows={3}
            required
            minLength={3}
            maxLength={reasonMax}
          />
          <TextWarning field="reason" intent={intent} about={system.id} />
          <p className="hint">Its developer reads it, and your audit log keeps it.</p>
        </div>
        <div>
          <Button type="submit" look="danger" className="filled" name="intent" value={intent}>
            {word} {system.client.name}
          </Button>
        </div>
      </Form>
    </details>
  )
}

function Handle({ system }: { system: SystemView }) {
  return (
    <>
      <input type="hidden" name="id" value={system.id} />
      <input type="hidden" name="version" value={system.version} />
    </>
  )
}
