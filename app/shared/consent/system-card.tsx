import { type ChangeEvent, useEffect, useRef } from 'react'
import { reasonMax } from '../../../server/contract/forms/systems.ts'
import type { SystemAuthorization } from '../../../server/domain/system-authorizations/system-authorizations.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
import { TextArea } from '../../components/ui/form.tsx'
import { CircleCheck, Clock } from '../../components/ui/icons.ts'
import { Facts, Moment, Tag, type Tone } from '../../components/ui/page-parts.tsx'
import type { ConsentLine } from './consent-view.ts'

type SystemView = Omit<SystemAuthorization, 'practice' | 'scopes'> & { lines: readonly ConsentLine[] }

const states: Readonly<Record<SystemView['state'], { tone: Tone; word: string; past: string }>> = {
  requested: { tone: 'turn', word: 'Requested', past: 'Requested' },
  granted: { tone: 'ok', word: 'Granted', past: 'Granted' },
  declined: { tone: 'quiet', word: 'Declined', past: 'Declined' },
  revoked: { tone: 'quiet', word: 'Revoked', past: 'Revoked' },
}

/** A system's request to a practice, the decision on it, and the forms of the next decision. */
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
      <Facts
        className="pad facts wide"
        of={{
          Purpose: system.purpose,
          Asked: <Moment at={system.requestedAt} />,
          [past]: system.decidedAt && (
            <>
              <Moment at={system.decidedAt} />
              {system.decidedBy && ` by ${system.decidedBy}`}
              {system.reason && `: ${system.reason}`}
            </>
          ),
          ...(state === 'granted' && {
            Reads: <>{system.lines.map(({ title }) => title).join(' · ')}, of every patient</>,
            'Last used': system.lastUsedAt ? <Moment at={system.lastUsedAt} /> : 'None yet',
          }),
        }}
      />
      {state === 'requested' && <Decision system={system} />}
      {state === 'granted' && (
        <div className="pad border-t">
          <WithReason system={system} intent="revoke" word="Revoke" />
        </div>
      )}
    </article>
  )
}

function Decision({ system }: { system: SystemView }) {
  return (
    <>
      <ActionForm
        {...onceOf(system)}
        intent="grant"
        className="border-t"
        button="Grant selected access"
        about={`to ${system.client.name}`}
        look="primary"
        footer="pad"
      >
        <ScopeChoices legend={`What ${system.client.name} may read of every patient`} lines={system.lines} />
      </ActionForm>
      <div className="pad border-t">
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
  return (
    <ActionForm
      {...onceOf(system)}
      intent={intent}
      folded={
        <>
          {word}
          <span className="sr"> {system.client.name}</span>
        </>
      }
      button={`${word} ${system.client.name}`}
      look="danger"
    >
      <TextArea
        name="reason"
        label="Reason"
        hint="The developer sees this, and your audit log stores it."
        required
        minLength={3}
        maxLength={reasonMax}
      />
    </ActionForm>
  )
}

const onceOf = ({ id, version }: SystemView) => ({
  row: { name: 'id', id },
  version,
  onceKey: `decision-on-system-${version}`,
})

interface ScopeChoicesProps {
  legend: string
  lines: readonly ConsentLine[]
}

/**
 * A box for each type, and below it one for each of its parts, and one for the rest if the app requested the whole type.
 * All are ticked at first. They work without a script, which only keeps them consistent.
 */
function ScopeChoices({ legend, lines }: ScopeChoicesProps) {
  const ref = useRef<HTMLFieldSetElement>(null)

  // Boxes may have been changed before the script ran, or restored by the browser.
  useEffect(() => {
    const fieldset = ref.current
    if (!fieldset) return
    for (const group of fieldset.querySelectorAll('.scope')) showParent(group)
  }, [])

  const change = (event: ChangeEvent<HTMLFieldSetElement>) => {
    const box = event.target as unknown as HTMLInputElement
    const group = box.closest('.scope')
    if (!group) return
    const { parent, parts } = boxesOf(group)
    const rest = parts.find((part) => part.dataset.rest)
    if (box === parent) for (const part of parts) part.checked = parent.checked
    // No scope grants a type except one of its parts, so the rest needs every part.
    else if (box === rest && rest.checked) for (const part of parts) part.checked = true
    else if (rest && !box.checked) rest.checked = false
    if (parent && box !== parent) parent.checked = parts.some((part) => part.checked)
    showParent(group)
  }

  return (
    <fieldset className="scopes" ref={ref} onChange={change}>
      <legend className="sr">{legend}</legend>
      {lines.map(({ type, title, hint, picks }) => (
        <div className="scope" key={type}>
          <Box name="type" value={type} title={title} hint={hint} />
          {picks.length > 0 && (
            <fieldset className="parts">
              <legend className="sr">Parts of “{title}”</legend>
              {picks.map((pick) => (
                <Box key={pick.name} {...pick} name="pick" value={pick.name} />
              ))}
            </fieldset>
          )}
        </div>
      ))}
    </fieldset>
  )
}

interface BoxProps {
  name: string
  value: string
  title: string
  hint: string | null
  isRest?: boolean
}

function Box({ name, value, title, hint, isRest = false }: BoxProps) {
  return (
    <label className="check">
      <input type="checkbox" name={name} value={value} defaultChecked data-rest={isRest || undefined} />
      <span>
        <span className="label">{title}</span>
        {hint && <span className="sub">{hint}</span>}
      </span>
    </label>
  )
}

function boxesOf(group: Element) {
  return {
    parent: group.querySelector<HTMLInputElement>('input[name="type"]'),
    parts: [...group.querySelectorAll<HTMLInputElement>('input[name="pick"]')],
  }
}

/** Shows a type's box as indeterminate if only some of its parts are ticked. */
function showParent(group: Element): void {
  const { parent, parts } = boxesOf(group)
  if (parent && parts.length > 0) parent.indeterminate = parent.checked && parts.some((part) => !part.checked)
}
