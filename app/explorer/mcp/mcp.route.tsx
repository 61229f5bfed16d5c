import { useActionData, useLoaderData } from '@remix-run/react'
import { page } from '../../services.server.ts'
import { explorerAction } from '../calls/action.server.ts'
import { explorerMeta, Workbench } from '../workbench.tsx'
import { loadConsole, runConsole } from './mcp-console.server.ts'
import { ToolAnswer } from './tool-answer.tsx'

export const meta = explorerMeta

export const loader = page(loadConsole)

export const action = explorerAction(runConsole)

export default function ExplorerMcp() {
  const outcome = useActionData<typeof action>()
  return (
    <Workbench page={useLoaderData<typeof loader>()} outcome={outcome}>
      {outcome?.kind === 'answer' && <ToolAnswer key={outcome.correlationId} answer={outcome} />}
    </Workbench>
  )
}
