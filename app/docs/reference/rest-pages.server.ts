/** A page for each operation of the REST and Status APIs, from the table of operations. */

import { type Deprecation, deprecationSentence } from '../../../server/contract/http/deprecation.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { errorPage } from '../../../server/contract/rest/error-codes.ts'
import { type OperationRow, operations } from '../../../server/contract/rest/operations.ts'
import { statusOperations } from '../../../server/contract/status/operations.ts'
import type { OperationPage } from '../../shared/operations/describe-operation.server.ts'
import { describeRow } from '../../shared/operations/describe-operation.server.ts'
import {
  code,
  heading,
  type ReferenceBlock,
  type ReferenceCommand,
  type ReferencePage,
  table,
  text,
} from './reference-page.ts'

export const restPages = (): readonly ReferencePage[] => [
  ...Object.entries<OperationRow>(operations).map(([id, row]) => operationPage(id, row, 'REST API')),
  ...Object.entries<OperationRow>(statusOperations).map(([id, row]) => operationPage(id, row, 'Status API')),
]

const keys: Record<OperationRow['level'], string> = {
  none: 'none needed',
  any: '`read_only` or `full`',
  full: '`full`',
}

function operationPage(id: string, row: OperationRow, group: 'REST API' | 'Status API'): ReferencePage {
  const operation = describeRow(id, row)
  const { method, path, summary, bounds, answers, refusals } = operation
  const explorer = group === 'REST API' ? ` [Open it in the explorer](${paths.explorerOperation(id)}).` : ''
  return {
    path: paths.operationReference(id),
    title: summary,
    summary: `${method} ${path}: ${answers}`,
    group,
    blocks: [
      ...endNotice(
        row.deprecation,
        (successor) => `[${code(successor)}](${paths.operationReference(successor)})`,
      ),
      text(`${code(`${method} ${path}`)}. ${row.description}${explorer}`),
      ...table({
        label: 'Access',
        heads: ['What', 'Value'],
        rows: [
          ['Key', keys[row.level]],
          ['Written to the record of access', row.phi ? 'yes' : 'no'],
          ['Limits', bounds.join('; ') || 'those of the address'],
          ['Operation', code(id)],
        ],
      }),
      heading('Request'),
      ...parametersOf(operation),
      { kind: 'command', ...commandOf(row, operation, group) },
      heading('Errors'),
      ...table({
        label: 'Errors of this operation',
        heads: ['Status', 'Code', 'Message'],
        rows: refusals.map(({ status, code: name, message }) => [
          `${status}`,
          `[\`${name}\`](${errorPage()}/${name})`,
          message,
        ]),
      }),
      text(`All of them have [one form](/docs/errors#rest). More about [the API](/docs/rest).`),
    ],
  }
}

function parametersOf({ fields, bodyFields }: OperationPage) {
  return [
    ...table({
      label: 'Parameters',
      heads: ['Parameter', 'Where', 'Value', 'What it is'],
      rows: fields.map(({ name, place, required, description, choices, min, max, maxLength }) => [
        `${code(name)}${required ? ', required' : ''}`,
        place,
        [
          choices.map(code).join(', '),
          min !== undefined && max !== undefined ? `${min} to ${max.toLocaleString('en-US')}` : '',
          maxLength === undefined ? '' : `at most ${maxLength} characters`,
        ]
          .filter(Boolean)
          .join('; ') || 'text',
        description,
      ]),
    }),
    ...table({
      label: 'Fields of the body',
      heads: ['Field', 'Type', 'What it is'],
      rows: bodyFields.map(({ name, type, required, description }) => [
        `${code(name)}${required ? ', required' : ''}`,
        type,
        description,
      ]),
    }),
  ]
}

/** Queries for which the sandbox has data. */
const queries: Readonly<Record<string, string>> = {
  listPatients: '?q=testw&limit=1',
  listPractitioners: '?q=placeholder&limit=1',
  listLocationProviders: '?limit=1',
  getPracticeStatus: '?id=harborlight-family-medicine',
}

function commandOf(
  row: OperationRow,
  { operationId, fields }: OperationPage,
  group: string,
): ReferenceCommand {
  const path = row.path.replace(
    /\{(\w+)\}/g,
    (_part, name: string) =>
      fields.find((field) => field.place === 'path' && field.name === name)?.placeholder ?? '',
  )
  const base = group === 'Status API' ? 'REST_ORIGIN/api/v1' : '$BASE'
  const lines = [
    `curl ${row.method === 'GET' ? '' : `-X ${row.method} `}"${base}${path}${queries[operationId] ?? ''}"`,
    ...(row.level === 'none' ? [] : ['-H "Authorization: Bearer $SVC_KEY"']),
    ...(row.bodyExample === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(row.bodyExample)}'`]),
  ]
  const command = lines.length < 3 ? lines.join(' ') : lines.join(' \\\n  ')
  const stage = group === 'Status API' ? 'status' : row.level === 'full' ? 'write' : 'rest'
  return { command, stage, status: row.status ?? 200 }
}

/** @param linkTo makes the text with a link to the successor */
function endNotice(
  deprecation: Deprecation | undefined,
  linkTo: (successor: string) => string,
): readonly ReferenceBlock[] {
  if (deprecation === undefined) return []
  const { successor } = deprecation
  const sentence = deprecationSentence(deprecation, successor === undefined ? null : linkTo(successor))
  return [text(`${sentence} [How operations end](${paths.versioning}#deprecation).`)]
}
