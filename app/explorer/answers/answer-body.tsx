import type { ReactNode } from 'react'
import { jsonOf } from '../../../server/contract/http/answer-head.ts'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { JsonTree } from './json-tree.tsx'

interface BodyProps {
  text: string
  mediaType: string
  /** `text` is only the beginning of the body. */
  shortened: boolean
  /** Makes a button or link for a reference in the body. */
  reference?: (to: string) => ReactNode
}

/** A body as a tree, with its text below. A body that isn't complete JSON is shown as text only. */
export function AnswerBody({ text, mediaType, shortened, reference }: BodyProps) {
  if (text === '') return <p className="muted">The response has no body.</p>
  const value = shortened || !/[/+]json$/.test(mediaType) ? undefined : jsonOf(text)
  if (value === undefined)
    return (
      <CodeBlock label="Response body" bar={mediaType} copy={text} wrapped>
        {text}
        {shortened && '\n… the rest is not shown here.'}
      </CodeBlock>
    )
  const pretty = JSON.stringify(value, null, 2)
  return (
    <div className="card ex-body-card">
      <div className="head">
        <h3>Body</h3>
        <CopyButton text={pretty} label="Copy the body" />
      </div>
      <div className="pad">
        <JsonTree value={value} reference={reference} />
        <details className="ex-fold">
          <summary>As text</summary>
          <CodeBlock label="Response body as text" copy={pretty}>
            {pretty}
          </CodeBlock>
        </details>
      </div>
    </div>
  )
}
