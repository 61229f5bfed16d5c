import { Form } from '@remix-run/react'
import type { OperationInput } from '../../../server/contract/fhir/operation-calls.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { TriangleAlert } from '../../components/ui/icons.ts'
import { type ChoiceListProps, Parameter } from '../inputs.tsx'
import { operationField } from './fhir-field.ts'
import type { BuilderOperation } from './fhir-operation-request.ts'
import type { PersonKind } from './fhir-token.ts'
import { FhirScopes } from './fhir-token-scopes.tsx'

interface OperationsProps {
  action: string
  kind: PersonKind
  /** The chart that is looked into. */
  about: string
  type: { type: string; operations: readonly BuilderOperation[] }
  types: readonly string[]
  choices: Readonly<Record<string, ChoiceListProps['choices']>>
  values: Readonly<Record<string, readonly string[]>>
  wrong: { field: string; message: string } | null
}

/** What can be asked of a type besides reading and searching it, each folded until it is wanted. */
export function FhirOperations({ type, ...shared }: OperationsProps) {
  if (type.operations.length === 0) return null
  return (
    <Card padded id="operations" title={<>Operations of {type.type}</>}>
      {type.operations.map((operation) => (
        <Operation key={operation.name} operation={operation} type={type.type} {...shared} />
      ))}
    </Card>
  )
}

type OperationProps = Omit<OperationsProps, 'type'> & { operation: BuilderOperation; type: string }

function Operation({ operation, type, types, action, kind, about, choices, values, wrong }: OperationProps) {
  const { name, isInstance, documentation, inputs } = operation
  const isLast = values.operation?.[0] === name
  const last = isLast ? values : {}
  const lastOf = (field: string) => last[field]?.[0] ?? ''
  const fault = isLast ? wrong : null
  const place = (field: string) => `${name}-${field}`
  return (
    <details className="ex-fold builder-fold" open={isLast}>
      <summary className="mono">
        {type}
        {isInstance ? '/{id}' : ''}/${name}
      </summary>
      <Form method="post" action={action} className="stack loose" aria-label={`$${name}`}>
        <input type="hidden" name="type" value={type} />
        <input type="hidden" name="operation" value={name} />
        <p className="small">{documentation}</p>
        {fault && (
          <p className="err" role="alert">
            <TriangleAlert className="i" />
            {fault.message}
          </p>
        )}
        <div className="builder-values">
          {isInstance && (
            <Parameter
              kind="id"
              id={place('id')}
              name="id"
              label="id"
              value={isLast ? lastOf('id') : type === 'Patient' ? about : (choices._id?.[0]?.value ?? '')}
              maxLength={500}
              records={choices._id ?? []}
              isWrong={fault?.field === 'id'}
            />
          )}
          {inputs.map((input) => (
            <OperationField
              key={input.name}
              input={input}
              types={types}
              id={place(operationField(input.name))}
              last={last[operationField(input.name)] ?? (input.kind === 'patient' ? [about] : [])}
              choices={choices[input.name] ?? []}
              isWrong={fault?.field === operationField(input.name)}
            />
          ))}
        </div>
        <FhirScopes kind={kind} type={type} choice={lastOf('scopes') || 'all'} own={lastOf('scope')} />
        <div className="row">
          <SubmitButton busy="Sending">Run ${name}</SubmitButton>
        </div>
      </Form>
    </details>
  )
}

interface FieldProps {
  input: OperationInput
  types: readonly string[]
  id: string
  last: readonly string[]
  choices: ChoiceListProps['choices']
  isWrong: boolean
}

function OperationField({ input, types, id, last, choices, isWrong }: FieldProps) {
  const { name, kind, description, max, example } = input
  const field = operationField(name)
  if (kind === 'types')
    return (
      <div className={isWrong ? 'field bad' : 'field'}>
        <label htmlFor={id}>{name}</label>
        <select
          className="input mono"
          id={id}
          name={field}
          multiple
          size={4}
          defaultValue={[...last]}
          aria-describedby={`${id}-hint`}
        >
          {types.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <p className="hint" id={`${id}-hint`}>
          {description} Choose any number of them.
        </p>
      </div>
    )
  return (
    <Parameter
      {...(kind === 'flag'
        ? { kind: 'choice', choices: ['true', 'false'], none: 'not sent' }
        : { kind: kind === 'number' ? 'digits' : kind })}
      id={id}
      name={field}
      label={name}
      value={last[0] ?? ''}
      isWrong={isWrong}
      hint={max === undefined ? description : `${description} 0 to ${max}.`}
      placeholder={example}
      maxLength={500}
      records={choices}
    />
  )
}
