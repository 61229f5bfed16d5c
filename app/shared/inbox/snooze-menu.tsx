import { Form } from '@remix-run/react'
import { DropMenu } from '../../components/ui/drop-menu.tsx'
import { Field } from '../../components/ui/form.tsx'
import { AlarmClock } from '../../components/ui/icons.ts'
import { Button, SubmitButton } from '../../components/ui/page-parts.tsx'
import { FormPlace } from '../../lib/form-answer.ts'
import type { InboxData } from './inbox.server.ts'

type Entry = InboxData['listed']['rows'][number]

const Subject = ({ entry: { kind, id } }: { entry: Entry }) => (
  <>
    <input type="hidden" name="kind" value={kind} />
    <input type="hidden" name="id" value={id} />
  </>
)

/** Puts an entry off; a menu that opens and sends without a script. */
export function SnoozeMenu({ entry }: { entry: Entry }) {
  return (
    <DropMenu
      label={`Snooze: ${entry.title}`}
      summaryClass="btn plain icon"
      summary={<AlarmClock className="i" />}
    >
      <p className="who small muted">Hide until 08:00 on</p>
      <Form method="post">
        <Subject entry={entry} />
        <button className="item" type="submit" name="intent" value="tomorrow">
          Tomorrow
        </button>
        <button className="item" type="submit" name="intent" value="monday">
          Monday
        </button>
      </Form>
      <hr />
      <Form method="post" className="stack tight snooze-date">
        <Subject entry={entry} />
        <FormPlace.Provider value={{ intent: 'date', about: entry.id }}>
          <Field name="date" type="date" label="Another day" required />
        </FormPlace.Provider>
        <SubmitButton look="outline" size="sm" name="intent" value="date">
          Snooze
        </SubmitButton>
      </Form>
    </DropMenu>
  )
}

export function WakeButton({ entry }: { entry: Entry }) {
  return (
    <Form method="post">
      <Subject entry={entry} />
      <Button type="submit" look="plain" name="intent" value="wake" aria-label={`End snooze: ${entry.title}`}>
        End snooze
      </Button>
    </Form>
  )
}
