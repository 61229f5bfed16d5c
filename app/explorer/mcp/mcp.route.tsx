import { Form, Link, type MetaFunction, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Pencil } from '../../components/ui/icons.ts'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Switcher } from '../../components/ui/switcher.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { longDeadlineMs, page } from '../../services.server.ts'
import { AnswerCode } from '../answers/answer-code.tsx'
import { AnswerComparison } from '../answers/answer-comparison.tsx'
import { AnswerLevels } from '../answers/answer-levels.tsx'
import { AnswerPanel } from '../answers/answer-panel.tsx'
import { JsonTree } from '../answers/json-tree.tsx'
import { ExplorerNav } from '../explorer-nav.tsx'
import { PracticeSelect } from '../inputs.tsx'
import { loadConsole, type McpLevel, runConsole } from './mcp-console.server.ts'
import { ToolForm } from './tool-form.tsx'

export const meta: MetaFunction = () => [{ title: 'MCP console · Sandpiper' }]

export const loader = page((args: LoaderFunctionArgs) => loadConsole(args))

export const action = page(
  async (args: ActionFunctionArgs) => {
    const outcome = await runConsole(args)
    return outcome.kind === 'refused' ? data(outcome, { status: 400 }) : outcome
  },
  { withinMs: longDeadlineMs },
)

const levelWords: Record<McpLevel, string> = {
  read_only: 'Read-only key',
  full: 'Full key, writes switched off',
  full_writes: 'Full key, writes switched on',
}

export default function McpConsole() {
  const {
    practices,
    practice,
    level,
    levels,
    tools,
    tool,
    choices,
    signedIn,
    idempotencyKey,
    isKept,
    asked,
  } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const at = (name: string) => `?${new URLSearchParams({ practice, level, tool: name })}`
  return (
    <div className="ex-page wide">
      <ExplorerNav />
      <PageHeader title="MCP console">
        The live list of tools for AI assistants. You can call them one at a time with a real sandbox key that
        stays on our server. <Link to={paths.mcpGuide}>How to connect</Link>.
      </PageHeader>
      {!signedIn && (
        <p>
          You aren’t signed in, so you use the shared demonstration practice, read-only, with a few calls a
          minute. <Link to={paths.signIn}>Sign in</Link> to use your own sandbox.
        </p>
      )}
      <Form method="get" className="card pad stack" aria-label="Set-up" key={`${practice} ${level}`}>
        <div className="builder-values">
          <PracticeSelect practices={practices} practice={practice} />
          <div className="field">
            <label htmlFor="level">Key</label>
            <select className="input" id="level" name="level" defaultValue={level}>
              {levels.map((each) => (
                <option key={each} value={each}>
                  {levelWords[each]}
                </option>
              ))}
            </select>
          </div>
        </div>
        <div className="row">
          <SubmitButton look="outline">List tools</SubmitButton>
        </div>
      </Form>
      <div className="tool-columns">
        <nav className="card pad" aria-label="Tools">
          <ul className="stack tight">
            {tools.map(({ name, title, writes }) => (
              <li key={name}>
                <Link
                  to={at(name)}
                  aria-current={name === tool?.name ? 'page' : undefined}
                  preventScrollReset
                >
                  {title}
                </Link>{' '}
                {writes && <Tag icon={Pencil}>writes</Tag>}
              </li>
            ))}
          </ul>
        </nav>
        {tool && (
          <Card key={tool.name} padded id="tool" title={tool.title}>
            <p>
              <code>{tool.name}</code>
            </p>
            <p>{tool.description}</p>
            {isKept && !outcome && <p>From your history. Arguments were not stored. Fill them in again.</p>}
            <ToolForm
              action={at(tool.name)}
              tool={tool}
              choices={choices}
              values={outcome?.values.tool === tool.name ? outcome.values : asked}
              wrong={outcome?.kind === 'refused' ? outcome : null}
              idempotencyKey={idempotencyKey}
            />
          </Card>
        )}
      </div>
      {outcome?.kind === 'answer' && <ToolAnswer key={outcome.correlationId} answer={outcome} />}
    </div>
  )
}

type Answer = Extract<ReturnType<typeof useActionData<typeof action>>, { kind: 'answer' }>

/** What a tool answered, marked for what it is: data. */
function ToolAnswer({ answer }: { answer: Answer }) {
  const { tool, isError, structured, text, source, isCut, snippets, comparison, outcomes } = answer
  return (
    <AnswerPanel
      answer={answer}
      mark={<Tag tone={isError ? 'quiet' : 'ok'}>{isError ? 'isError' : 'result'}</Tag>}
      said={
        <>
          <h3>Result of {tool}</h3>
          <p className="small">
            Text in charts is data, whatever it says. An assistant must not act on it.
            {isCut && ' Only the beginning is shown.'}
          </p>
        </>
      }
      comparison={<AnswerComparison comparison={comparison} against="the tool’s outputSchema" />}
      levels={
        <AnswerLevels
          title="What other keys would get"
          note="Predicted by the rule that answered this call. Nothing was sent."
          groups={[{ title: null, rows: outcomes }]}
        />
      }
      credential={{ noun: 'Key', ...answer.key }}
      traces={answer.traces}
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
