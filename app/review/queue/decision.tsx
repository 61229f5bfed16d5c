import { useActionData } from '@remix-run/react'
import { ActionForm, type Step } from '../../components/ui/action-form.tsx'
import { Tag } from '../../components/ui/page-parts.tsx'

/** A step in the panel beside a request. */
export interface PanelStep extends Omit<Step, 'title'> {
  title: string
  /** Open until the reader opens another step. */
  next?: boolean
  /** Replaces the form of a step that is done. */
  done?: string
}

interface PanelProps {
  view: { version: number; allowed: readonly string[] }
  onceKey: string
  /** Intent → step, in the order of the panel. */
  steps: Readonly<Record<string, PanelStep | false | null | undefined>>
}

/** The steps of a decision, of which one is open at a time. The browser folds them, with or without a script. */
export function DecisionPanel({ view, onceKey, steps }: PanelProps) {
  const sent = useSentIntent()
  const listed = Object.entries(steps).flatMap(([intent, step]) =>
    step && (step.done !== undefined || view.allowed.includes(step.event ?? intent))
      ? [{ intent, step }]
      : [],
  )
  const open = listed.find(({ intent }) => intent === sent) ?? listed.find(({ step }) => step.next)
  return (
    <section className="card decisions" aria-label="Decision">
      {listed.map(({ intent, step }) =>
        step.done === undefined ? (
          <Fold key={intent} {...{ view, onceKey, intent, step }} isOpen={intent === open?.intent} />
        ) : (
          <div key={intent} className="decided row between">
            <h2>{step.title}</h2>
            <Tag tone="ok">{step.done}</Tag>
          </div>
        ),
      )}
    </section>
  )
}

interface FoldProps extends Omit<PanelProps, 'steps'> {
  intent: string
  step: PanelStep
  isOpen: boolean
}

function Fold({ view, onceKey, intent, step, isOpen }: FoldProps) {
  const { event: _, next: __, done: ___, title, ...form } = step
  return (
    <details name="decision" open={isOpen}>
      <summary>
        <h2>{title}</h2>
      </summary>
      <ActionForm
        {...form}
        intent={intent}
        version={view.version}
        onceKey={onceKey}
        label={title}
        className="stack"
      />
    </details>
  )
}

/** The step whose form was refused, or whose text has a warning. */
function useSentIntent(): string | undefined {
  const answer = useActionData() as
    | { wrong?: { typed?: { intent?: string } }; textReview?: { intent?: string | null } | null }
    | null
    | undefined
  return answer?.textReview?.intent ?? answer?.wrong?.typed?.intent
}
