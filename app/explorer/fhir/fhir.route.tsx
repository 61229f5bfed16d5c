import { useActionData, useLoaderData } from '@remix-run/react'
import { page } from '../../services.server.ts'
import { explorerAction } from '../calls/action.server.ts'
import { explorerMeta, Workbench } from '../workbench.tsx'
import { FhirAnswer } from './fhir-answer.tsx'
import { loadBuilder, runBuilder } from './fhir-builder.server.ts'

export const meta = explorerMeta

export const loader = page(loadBuilder)

export const action = explorerAction(runBuilder)

export default function ExplorerFhir() {
  const outcome = useActionData<typeof action>()
  return (
    <Workbench page={useLoaderData<typeof loader>()} outcome={outcome}>
      {outcome?.kind === 'answer' && <FhirAnswer key={outcome.correlationId} answer={outcome} />}
    </Workbench>
  )
}
