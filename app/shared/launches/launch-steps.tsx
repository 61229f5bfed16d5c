import { launchSteps } from '../../../server/contract/lab/launch-lab.ts'
import type { ShownStep } from '../../../server/lab/launches/exchange-log.ts'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Tag } from '../../components/ui/page-parts.tsx'

/** The log of a launch, step by step. */
export function LaunchSteps({ steps }: { steps: readonly ShownStep[] }) {
  return (
    <ol className="stack" aria-label="Steps">
      {steps.map((step, index) => {
        const { title, says, spec, todo } = launchSteps[step.step]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a log is never put in another order
          <li key={index} className="card">
            <header className="row between">
              <h2>
                {index + 1}. {title}
              </h2>
              <Tag tone={step.ok ? 'ok' : 'bad'}>{step.ok ? 'OK' : 'Failed'}</Tag>
            </header>
            <div className="pad stack tight">
              {step.note && (
                <p>
                  <strong>{step.note}</strong>
                </p>
              )}
              <p>
                {says} <a href={spec}>The specification</a>
              </p>
              <p className="hint">{todo}</p>
              <Values label={`Request of step ${index + 1}`} bar="Request" values={step.sent} />
              <Values label={`Response of step ${index + 1}`} bar="Response" values={step.came} />
            </div>
          </li>
        )
      })}
    </ol>
  )
}

function Values({
  label,
  bar,
  values,
}: {
  label: string
  bar: string
  values: Readonly<Record<string, string>>
}) {
  const entries = Object.entries(values).filter(([, value]) => value !== 'null')
  if (entries.length === 0) return null
  return (
    <CodeBlock label={label} bar={bar} wrapped>
      {entries.map(([name, value]) => `${name}: ${value}`).join('\n')}
    </CodeBlock>
  )
}
