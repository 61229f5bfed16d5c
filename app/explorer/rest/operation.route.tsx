import { Link, type MetaFunction, useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CodedText } from '../../components/ui/coded-text.tsx'
import { sandboxBase } from '../../lib/api-base.server.ts'
import { longDeadlineMs, page } from '../../services.server.ts'
import { describeOperation, operationList } from '../../shared/operations/describe-operation.server.ts'
import type { Filled, OperationPage } from '../../shared/operations/operation.ts'
import { AnswerBody } from '../answers/answer-body.tsx'
import { AnswerCode } from '../answers/answer-code.tsx'
import { AnswerComparison } from '../answers/answer-comparison.tsx'
import { AnswerPanel } from '../answers/answer-panel.tsx'
import { explorerCaller, findDeveloper, practiceChoices } from '../calls/caller.server.ts'
import { recordChoices } from '../choices.server.ts'
import { ExplorerNav } from '../explorer-nav.tsx'
import type { ShownAnswer } from './operation.server.ts'
import { fill, readFormCall, showAnswer, suggestionsFor } from './operation.server.ts'
import { OperationFacts } from './operation-facts.tsx'
import { OperationNav } from './operation-nav.tsx'
import { RequestForm, Suggestions } from './request-form.tsx'

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.operation.summary ?? 'Explorer'} · Explorer · Sandpiper` },
]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const operation = getOperation(args)
  const choices = await practiceChoices(args, { writes: operation.writes })
  const [person] = sandboxPeople
  const kinds = operation.fields.flatMap(({ of }) => of ?? [])
  return {
    choices: await recordChoices(args, choices.practice, kinds),
    base: sandboxBase(args.context),
    operation,
    operations: operationList,
    choice: { ...choices, signedIn: (await findDeveloper(args)) !== null },
    filled: fill(operation, new URL(args.request.url).searchParams, person?.id ?? ''),
    suggestions: suggestionsFor(operation, sandboxPeople.slice(0, 8)),
  }
})

function getOperation({ params }: LoaderFunctionArgs | ActionFunctionArgs): OperationPage {
  const operation = describeOperation(params.operation ?? '')
  if (operation === null) throw data(null, { status: 404 })
  return operation
}

interface Posted {
  filled: Filled
  practice: string | undefined
  level: 'read_only' | 'full'
  fault: { field: string | null; message: string } | null
  result: ShownAnswer | null
}

export const action = page(
  async (args: ActionFunctionArgs) => {
    const operation = getOperation(args)
    const { explorerCalls } = args.context.services
    const caller = await explorerCaller(args)
    const read = readFormCall(operation.operationId, await args.request.formData())
    const blank = {
      filled: read.filled,
      practice: undefined,
      level: 'read_only',
      fault: null,
      result: null,
    } as const
    const say = (posted: Partial<Posted>, init: ResponseInit) => data<Posted>({ ...blank, ...posted }, init)
    if (read.kind === 'refused') {
      const named = operation.operationId
      return say(
        { fault: explorerCalls.refuse({ refusal: read.refusal, field: null }, caller, named) },
        { status: 400 },
      )
    }
    const { practice, level } = read.call
    try {
      const result = await explorerCalls.call(read.call, caller)
      if (result.kind === 'refused') return say({ practice, level, fault: result }, { status: 400 })
      return say({ practice, level, result: await showAnswer(args, result) }, { status: 200 })
    } catch (thrown) {
      if (!isProblem(thrown) || thrown.status >= 500) throw thrown
      const { message, status, headers } = thrown
      return say({ practice, level, fault: { field: null, message } }, { status, headers })
    }
  },
  { withinMs: longDeadlineMs },
)

export default function ExplorerRest() {
  const { operation, operations, choice, choices, suggestions, base, ...loaded } =
    useLoaderData<typeof loader>()
  const posted = useActionData<typeof action>()
  const { search } = useLocation()
  const filled = posted?.filled ?? loaded.filled
  const practice = choice.practices.find(({ slug }) => slug === posted?.practice)
  const level = posted?.level ?? choice.level
  return (
    <div className="ex-page wide">
      <ExplorerNav />
      <div className="ex">
        <OperationNav operations={operations} current={operation.operationId} search={search} />
        <div className="stack ex-request">
          <div>
            <h1>{operation.summary}</h1>
            <p className="muted">
              <CodedText>{operation.description}</CodedText>
            </p>
            {operation.tag !== 'MCP' && (
              <p className="small">
                <Link to={paths.operationReference(operation.operationId)}>
                  Parameters, samples and errors in the reference
                </Link>
              </p>
            )}
          </div>
          <p className="ex-url">
            <b>{operation.method}</b>
            <span>
              {base}
              {operation.path}
            </span>
          </p>
          <RequestForm
            key={`${operation.operationId} ${posted ? '' : search}`}
            operation={operation}
            filled={filled}
            choices={choices}
            choice={{ ...choice, practice: practice ?? choice.practice, level }}
            fault={posted?.fault ?? null}
          />
          {suggestions.map(({ title, list }) => (
            <Suggestions key={title} title={title} list={list} />
          ))}
        </div>
        <div className="stack">
          {posted?.result && <RestAnswer key={posted.result.answer.correlationId} result={posted.result} />}
          <OperationFacts operation={operation} answered={Boolean(posted?.result)} />
        </div>
      </div>
    </div>
  )
}

function RestAnswer({ result }: { result: ShownAnswer }) {
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
        activity: result.activityAt,
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
