import { Link } from '@remix-run/react'
import { Ban, CircleCheck, TriangleAlert } from 'lucide-react'
import { Fragment } from 'react'
import { CodeBlock } from '../ui/code-block.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Tag } from '../ui/tag.tsx'
import { AnswerComparison } from './answer-comparison.tsx'
import { AnswerAccess, AnswerActivity, AnswerBudgets } from './answer-traces.tsx'
import type { ShownAnswer } from './answer-types.ts'
import { CodeTabs } from './code-tabs.tsx'
import { JsonTree } from './json-tree.tsx'

/** What came back, and everything the call left behind. */
export function AnswerPanel({ result }: { result: ShownAnswer }) {
  const { answer, request, refusal } = result
  return (
    <section className="stack ex-answer" aria-label="Answer" aria-live="polite">
      <div className="row between">
        <h2>
          <AnswerStatus status={answer.status} />
        </h2>
        <p className="small muted">
          {answer.durationMs.toLocaleString('en-US')} ms, {answer.bytes.toLocaleString('en-US')} bytes
        </p>
      </div>
      {refusal && (
        <p className="small">
          <Link to={refusal.to}>What {refusal.code} means</Link>, and what to do.
          {answer.retryAfterSeconds !== null && ` Wait ${answer.retryAfterSeconds} seconds.`}
        </p>
      )}
      <AnswerBody result={result} />
      <details className="ex-fold">
        <summary>Headers {answer.headers.length}</summary>
        <dl className="facts small">
          {answer.headers.map(([name, value]) => (
            <Fragment key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd className="breaks">{value}</dd>
            </Fragment>
          ))}
        </dl>
      </details>
      <AnswerComparison comparison={answer.comparison} />
      <AnswerActivity result={result} />
      <AnswerAccess rows={result.access} />
      <AnswerBudgets budgets={answer.budgets} />
      <CodeTabs
        snippets={result.snippets}
        production={result.production}
        of={`${request.method} ${result.operation}`}
      />
    </section>
  )
}

export function AnswerStatus({ status }: { status: number }) {
  const word = words[status] ?? ''
  if (status < 400)
    return (
      <Tag tone="ok" icon={CircleCheck}>
        {status} {word}
      </Tag>
    )
  return (
    <Tag tone={status >= 500 ? 'bad' : 'quiet'} icon={status >= 500 ? TriangleAlert : Ban}>
      {status} {word}
    </Tag>
  )
}

const words: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported type',
  429: 'Too many requests',
  500: 'Server fault',
  503: 'Unavailable',
}

function AnswerBody({ result: { answer } }: { result: ShownAnswer }) {
  if (answer.text === '') return <p className="muted">The answer has no body.</p>
  const value = answer.shortened || answer.mediaType !== 'application/json' ? undefined : parse(answer.text)
  if (value === undefined)
    return (
      <CodeBlock label="Answer body" bar={answer.mediaType} copy={answer.text} wrapped>
        {answer.text}
        {answer.shortened && '\n… and so on: what is longer is not shown here.'}
      </CodeBlock>
    )
  const text = JSON.stringify(value, null, 2)
  return (
    <div className="card ex-body-card">
      <div className="head">
        <h3>Body</h3>
        <CopyButton text={text} label="Copy the body" />
      </div>
      <div className="pad">
        <JsonTree value={value} />
        <details className="ex-fold">
          <summary>As text</summary>
          <CodeBlock label="Answer body as text" copy={text}>
            {text}
          </CodeBlock>
        </details>
      </div>
    </div>
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
