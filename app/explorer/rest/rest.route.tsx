import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { page } from '../../services.server.ts'
import { AnswerBody } from '../answers/answer-body.tsx'
import { AnswerCode } from '../answers/answer-code.tsx'
import { AnswerPanel } from '../answers/answer-panel.tsx'
import { explorerAction } from '../calls/action.server.ts'
import { explorerMeta, Workbench } from '../workbench.tsx'
import { loadRest, runRest } from './rest.server.ts'

export const meta = explorerMeta

export const loader = page(loadRest)

export const action = explorerAction(runRest)

export default function ExplorerRest() {
  const outcome = useActionData<typeof action>()
  return (
    <Workbench page={useLoaderData<typeof loader>()} outcome={outcome}>
      {outcome?.kind === 'answer' && <RestAnswer key={outcome.correlationId} answer={outcome} />}
    </Workbench>
  )
}

function RestAnswer({
  answer,
}: {
  answer: Extract<Awaited<ReturnType<typeof runRest>>, { kind: 'answer' }>
}) {
  const { refusal } = answer
  return (
    <AnswerPanel
      answer={answer}
      summary={
        refusal && (
          <p className="small">
            <Link to={refusal.to}>{refusal.code}: cause and fix</Link>
          </p>
        )
      }
      logs={answer.logs}
      code={<AnswerCode of={answer.call} {...answer} variable="SVC_KEY" />}
    >
      <AnswerBody {...answer} />
    </AnswerPanel>
  )
}
