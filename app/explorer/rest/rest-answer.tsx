import { Link } from '@remix-run/react'
import { AnswerBody } from '../answers/answer-body.tsx'
import { AnswerCode } from '../answers/answer-code.tsx'
import { AnswerComparison } from '../answers/answer-comparison.tsx'
import { AnswerPanel } from '../answers/answer-panel.tsx'
import { activityOf, type ShownAnswer } from './answer-types.ts'

export function RestAnswer({ result }: { result: ShownAnswer }) {
  const { answer, request, refusal, key } = result
  return (
    <AnswerPanel
      answer={answer}
      said={
        refusal && (
          <p className="small">
            <Link to={refusal.to}>About {refusal.code} : cause and fix.</Link>, and what to do.
          </p>
        )
      }
      comparison={<AnswerComparison comparison={answer.comparison} against="the document" />}
      credential={{
        noun: 'Key',
        name: `${key.prefix}…`,
        about: `${key.practice.name}, ${key.level === 'full' ? 'full' : 'read-only'}`,
        expiresAt: key.expiresAt,
        activity: activityOf(result),
      }}
      traces={{ activity: result.activity, access: result.access }}
      code={
        <AnswerCode
          of={`${request.method} ${result.operation}`}
          snippets={result.snippets}
          production={result.production}
          variable="SVC_KEY"
        />
      }
    >
      <AnswerBody {...answer} />
    </AnswerPanel>
  )
}
