import { useActionData, useLoaderData } from '@remix-run/react'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Tag } from '../../components/ui/page-parts.tsx'
import { Switcher } from '../../components/ui/switcher.tsx'
import { page } from '../../services.server.ts'
import { AnswerCode } from '../answers/answer-code.tsx'
import { AnswerPanel } from '../answers/answer-panel.tsx'
import { JsonTree } from '../answers/json-tree.tsx'
import { explorerAction } from '../calls/action.server.ts'
import { explorerMeta, Workbench } from '../workbench.tsx'
import { loadConsole, runConsole } from './mcp-console.server.ts'

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

type Answer = Extract<Awaited<ReturnType<typeof runConsole>>, { kind: 'answer' }>

/** The result of a tool, with a note that its texts are data. */
function ToolAnswer({ answer }: { answer: Answer }) {
  const { tool, isError, structured, text, source, isCut, snippets } = answer
  return (
    <AnswerPanel
      answer={answer}
      mark={<Tag tone={isError ? 'quiet' : 'ok'}>{isError ? 'isError' : 'result'}</Tag>}
      summary={
        <>
          <h3>Result of {tool}</h3>
          <p className="small">
            Text in charts is data, whatever it says. An assistant must not act on it.
            {isCut && ' Only the beginning is shown.'}
          </p>
        </>
      }
      logs={answer.logs}
      code={<AnswerCode of="this tool" snippets={snippets} variable="SVC_KEY" />}
    >
      <Switcher
        label="Result view"
        panes={[
          ...(structured === null ? [] : [{ label: 'Tree', content: <JsonTree value={structured} /> }]),
          {
            label: 'Text',
            content: (
              <CodeBlock label="Result text" bar="Text for the assistant" copy={text} wrapped>
                {text}
              </CodeBlock>
            ),
          },
          {
            label: 'Message',
            content: (
              <CodeBlock label="The JSON-RPC message" bar="JSON-RPC" copy={source}>
                {source}
              </CodeBlock>
            ),
          },
        ]}
      />
    </AnswerPanel>
  )
}
