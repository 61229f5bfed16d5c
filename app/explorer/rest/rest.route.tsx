import { useActionData, useLoaderData } from '@remix-run/react'
import { page } from '../../services.server.ts'
import { explorerAction } from '../calls/action.server.ts'
import { explorerMeta, Workbench } from '../workbench.tsx'
import { loadRest, runRest } from './rest.server.ts'
import { RestAnswer } from './rest-answer.tsx'

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
