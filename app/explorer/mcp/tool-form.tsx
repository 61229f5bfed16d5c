import { Form } from '@remix-run/react'
import { SubmitButton } from '../../components/ui/button.tsx'
import { TriangleAlert } from '../../components/ui/icons.ts'
import { ChoiceList, type ChoiceListProps } from '../inputs/choice-list.tsx'
import { inputProps } from '../inputs/input-props.ts'
import type { RecordChoices } from '../inputs/record-choices.server.ts'
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

function Argument({ field, value, isWrong, records }: ArgumentProps) {
  const { name, label, hint, kind, choices, isRequired, placeholder } = field
  const hintId = hint ? `${name}-hint` : undefined
  const shared = {
    id: name,
    name,
    'aria-describedby': hintId,
    'aria-invalid': isWrong || undefined,
    defaultValue: value,
  }
  return (
    <div className={isWrong ? 'field bad' : 'field'}>
      <label htmlFor={name}>
        {label} {isRequired && <span className="muted small">required</span>}
      </label>
      {kind === 'choice' || kind === 'switch' ? (
        <select className="input" {...shared}>
          <option value="">default</option>
          {(kind === 'switch' ? ['true', 'false'] : choices).map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      ) : kind === 'lines' || kind === 'json' ? (
        <textarea className="input mono" rows={3} placeholder={placeholder} {...shared} />
      ) : (
        <input
          className="input mono"
          {...shared}
          {...inputProps(field)}
          list={records.length > 0 ? `${name}-list` : undefined}
        />
      )}
      <ChoiceList id={`${name}-list`} choices={records} />
      {hint && (
        <p className="hint" id={hintId}>
          {hint}
          {kind === 'lines' && ' One per line.'}
          {kind === 'json' && ' As JSON.'}
          {kind === 'number' && field.max !== undefined && ` ${field.min ?? 0} to ${field.max}.`}
        </p>
      )}
    </div>
  )
}
