import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Pencil } from '../../components/ui/icons.ts'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { longDeadlineMs, page } from '../../services.server.ts'
import { ExplorerNav } from '../explorer-nav.tsx'
import { PracticeSelect } from '../inputs/practice-select.tsx'
import { loadConsole, type McpLevel, runConsole } from './mcp-console.server.ts'
import { ToolAnswer } from './tool-answer.tsx'
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
