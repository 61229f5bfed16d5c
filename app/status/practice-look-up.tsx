import { limits } from '../../server/contract/http/limits.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import type { PracticeStatus } from '../../server/contract/status/components.ts'
import type { LookUp } from '../../server/domain/status/practice-status.ts'
import { Field } from '../components/ui/form.tsx'
import { Ban, CircleCheck, CircleHelp, TriangleAlert } from '../components/ui/icons.ts'
import { Button, Card, Moment, Tag } from '../components/ui/page-parts.tsx'
import { waitFor } from '../lib/dates.ts'

const looks = {
  operational: { tone: 'ok', icon: CircleCheck, words: 'Operational' },
  degraded: { tone: 'quiet', icon: TriangleAlert, words: 'Degraded' },
  down: { tone: 'bad', icon: TriangleAlert, words: 'Down' },
  suspended: { tone: 'quiet', icon: Ban, words: 'Suspended' },
  unknown: { tone: 'quiet', icon: CircleHelp, words: 'Unknown' },
} as const satisfies Record<PracticeStatus, object>

/** A form that works without JavaScript. It leads to the same page with the result. */
export function PracticeLookUp({ asked, answer }: { asked: string; answer: LookUp | null }) {
  return (
    <Card padded id="look-up" title="Is my practice up?">
      <form className="look-up" method="get" action={`${paths.status}#look-up`}>
        <Field
          label="Practice ID"
          name="practice"
          value={asked}
          maxLength={limits.practiceIdMax}
          autoComplete="off"
          spellCheck={false}
          mono
          required
        />
        <Button type="submit">Look up</Button>
      </form>
      <div role="status">
        {answer === null ? (
          <p className="small muted">The name in your practice’s sign-in address.</p>
        ) : (
          <Answer answer={answer} />
        )}
      </div>
    </Card>
  )
}

function Answer({ answer }: { answer: LookUp }) {
  switch (answer.kind) {
    case 'invalid':
      return <p>{answer.message}</p>
    case 'rate_limited':
      return (
        <p>
          Too many requests came from your address. Try again in {waitFor(answer.retryAfterSeconds)}. This
          form and the Status API share one limit.
        </p>
      )
    case 'unavailable':
      return <p>We can’t check right now because our database is not responding. Try again in a minute.</p>
    case 'answered': {
      const { found, name, queried, status, summary, checkedAt } = answer.practice
      const { tone, icon, words } = looks[status]
      return (
        <div className="stack tight">
          <div className="row between">
            <b>{found ? name : queried}</b>
            <Tag tone={tone} icon={icon}>
              {words}
            </Tag>
          </div>
          <p className="small muted">
            {summary}
            {!found && ' Check for a typo. A typo is not an outage.'} Checked{' '}
            <Moment at={checkedAt} as="seconds" />.
          </p>
        </div>
      )
    }
  }
}
