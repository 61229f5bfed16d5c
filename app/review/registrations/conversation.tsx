import type { ReviewView } from '../../../server/domain/registrations/read-review.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
import { Check, Circle } from '../../components/ui/icons.ts'
import { Card, Moment } from '../../components/ui/page-parts.tsx'

/** Questions with their answers, and the notes that developers never see. */
export function Conversation({ view, onceKey }: { view: ReviewView; onceKey: string }) {
  return (
    <>
      <Questions view={view} />
      <Card padded id="notes" title="Internal notes">
        {view.notes.length === 0 && <p className="muted">No notes yet. Developers don’t see them.</p>}
        <ul className="stack tight plain">
          {view.notes.map(({ at, by, text }) => (
            <li key={new Date(at).toISOString() + by}>
              <b>{by}</b>, <Moment at={at} />
              <p className="breaks">{text}</p>
            </li>
          ))}
        </ul>
        <ActionForm
          {...{ version: view.version, onceKey }}
          className="stack"
          intent="note"
          button="Add note"
          busy="Saving"
          reason="Note for colleagues"
          reasonName="text"
        />
      </Card>
    </>
  )
}

function Questions({ view }: { view: ReviewView }) {
  return (
    <Card padded id="items" title="Questions and answers">
      {view.items.length === 0 && <p className="muted">No questions yet.</p>}
      <ul className="list">
        {view.items.map((item) => (
          <li key={item.id} className="finding">
            {item.answer ? <Check className="i" /> : <Circle className="i" />}
            <div>
              <p className="breaks">
                <b>
                  {item.round}. {item.sentence}
                </b>{' '}
                {item.text}
              </p>
              <p className="muted breaks">{item.answer ?? 'No answer yet.'}</p>
              {item.visibleEarlier && (
                <p className="small muted">We could have asked this earlier, so the clock kept running.</p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
