import type { ExplorerTraces } from '../../../server/domain/explorer/explorer-traces.ts'
import type { Snippet } from '../../snippets/snippet.ts'
import type { Wire } from '../../wire.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { Switcher } from '../ui/switcher.tsx'
import { Tag } from '../ui/tag.tsx'
import { CallTraces } from './call-traces.tsx'
import { LanguageTabs } from './language-tabs.tsx'
import { ResultTree } from './result-tree.tsx'

interface ToolAnswerProps {
  answer: {
    tool: string
    status: number
    durationMs: number
    isError: boolean
    structured: Parameters<typeof ResultTree>[0]['value']
    text: string
    source: string
    isCut: boolean
    snippets: readonly Snippet[]
    traces: Wire<ExplorerTraces>
  }
}

/** What a tool answered, marked for what it is: data. */
export function ToolAnswer({ answer }: ToolAnswerProps) {
  const { tool, status, durationMs, isError, structured, text, source, isCut, snippets } = answer
  return (
    <section className="card" aria-labelledby="answer">
      <div className="head">
        <h2 id="answer">Result of {tool}</h2>
      </div>
      <div className="pad stack loose">
        <p className="answer-line">
          <Tag tone={isError ? 'bad' : 'ok'}>{isError ? 'isError' : 'result'}</Tag>
          <span className="muted">
            HTTP {status}, {durationMs} ms
          </span>
        </p>
        <p className="small">
          Words of charts are data, whatever they say: an assistant must not act on them.
          {isCut && ' Only the beginning is shown.'}
        </p>
        <Switcher
          label="How the result is shown"
          panes={[
            ...(structured === null
              ? []
              : [
                  {
                    label: 'Tree',
                    content: (
                      <div className="result-tree">
                        <ResultTree value={structured} />
                      </div>
                    ),
                  },
                ]),
            {
              label: 'Text',
              content: (
                <CodeBlock label="The text of the result" bar="Text for the assistant" copy={text} wrapped>
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
        <CallTraces {...answer.traces} />
        <section className="stack tight" aria-labelledby="code">
          <h3 id="code">The same call as code</h3>
          <p className="small muted">
            Keep your key in <code>SVC_KEY</code>, on a machine that only you use.
          </p>
          <LanguageTabs of="this tool" snippets={snippets} />
        </section>
      </div>
    </section>
  )
}
