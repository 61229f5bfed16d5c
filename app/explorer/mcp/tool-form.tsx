import { Form } from '@remix-run/react'
import { SubmitButton } from '../../components/ui/button.tsx'
import { TriangleAlert } from '../../components/ui/icons.ts'
import type { RecordChoices } from '../choices.server.ts'
import { type ChoiceListProps, Parameter } from '../inputs.tsx'
import type { ToolField } from './tool-arguments.ts'

interface ToolFormProps {
  action: string
  tool: { name: string; title: string; writes: boolean; fields: readonly ToolField[] }
  choices: RecordChoices
  values: Readonly<Record<string, string>>
  wrong: { field: string; message: string } | null
  idempotencyKey: string
}

/** The arguments of a tool. */
export function ToolForm({ action, tool, choices, values, wrong, idempotencyKey }: ToolFormProps) {
  return (
    <Form method="post" action={action} className="stack loose" noValidate aria-label={`Call ${tool.name}`}>
      <input type="hidden" name="tool" value={tool.name} />
      {wrong && (
        <p className="err" role="alert">
          <TriangleAlert className="i" />
          {wrong.message}
        </p>
      )}
      {tool.fields.length === 0 && <p className="muted">It has no arguments.</p>}
      <div className="builder-values">
        {tool.fields.map((field) => (
          <Argument
            key={field.name}
            field={field}
            value={values[field.name] ?? (field.label === 'idempotencyKey' ? idempotencyKey : '')}
            isWrong={wrong?.field === field.name}
            records={(field.of && choices[field.of]) ?? []}
          />
        ))}
      </div>
      <div className="row">
        <SubmitButton busy="Calling">{tool.writes ? 'Call tool and write' : 'Call tool'}</SubmitButton>
      </div>
    </Form>
  )
}

interface ArgumentProps {
  field: ToolField
  value: string
  isWrong: boolean
  records: ChoiceListProps['choices']
}

function Argument({ field: { of: _, isRequired, label, hint, ...field }, ...shared }: ArgumentProps) {
  const { kind, min = 0, max, name } = field
  const more = {
    lines: ' One per line.',
    json: ' As JSON.',
    ...(max !== undefined && { number: ` ${min} to ${max}.` }),
  }
  return (
    <Parameter
      {...field}
      {...shared}
      {...(kind === 'switch' && { kind: 'choice', choices: ['true', 'false'] })}
      id={name}
      label={
        <>
          {label} {isRequired && <span className="muted small">required</span>}
        </>
      }
      none="default"
      hint={hint && `${hint}${(more as Readonly<Record<string, string>>)[kind] ?? ''}`}
    />
  )
}
