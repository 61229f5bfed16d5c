import { Link } from '@remix-run/react'
import { AnswerBody } from '../answers/answer-body.tsx'
import { AnswerCode } from '../answers/answer-code.tsx'
import { AnswerComparison } from '../answers/answer-comparison.tsx'
import { AnswerPanel } from '../answers/answer-panel.tsx'
import type { runRest } from './rest.server.ts'

export function RestAnswer({
  answer,
}: {
  answer: Extract<Awaited<ReturnType<typeof runRest>>, { kind: 'answer' }>
}) {
  const { refusal } = answer
  return (
    <AnswerPanel
      answer={answer}
      said={
        refusal && (
          <p className="small">
            <Link to={refusal.to}>{refusal.code}: cause and fix</Link>
          </p>
        )
      }
      comparison={<AnswerComparison comparison={answer.comparison} against="openapi.json" />}
      credential={{ noun: 'Key', ...answer.usedKey }}
      traces={answer.traces}
      code={<AnswerCode of={answer.call} {...answer} variable="SVC_KEY" />}
    >
      <AnswerBody {...answer} />
    </AnswerPanel>
  )
}
