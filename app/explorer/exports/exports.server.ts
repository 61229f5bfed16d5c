/**
 * The sandbox's operations as files for other tools. Both are simple formats and the table of operations holds all they
 * need: no converter of OpenAPI documents is brought in for it. The key is a variable that no one has filled in.
 */
import { explorerOperations } from '../../../server/contract/lab/explorer-request.ts'
import type { OperationRow } from '../../../server/contract/rest/operations.ts'
import { describeOperation } from '../../shared/operations/describe-operation.server.ts'

const keyVariable = '{{SVC_KEY}}'

type ExportedCall = ReturnType<typeof toExported>

function exportedCalls() {
  return Object.entries(explorerOperations).flatMap(([operationId, row]) => {
    const operation = describeOperation(operationId)
    return operation === null ? [] : [toExported(row, operation)]
  })
}

function toExported(
  row: OperationRow,
  {
    summary,
    description,
    tag,
    method,
    fields,
    bodyExample,
  }: NonNullable<ReturnType<typeof describeOperation>>,
) {
  const example = (name: string) => fields.find((field) => field.name === name)?.placeholder ?? name
  return {
    name: summary,
    tag,
    description,
    method,
    /** Relative to the base, the values of its path filled in with those of the sandbox. */
    path: row.path.replace(/\{(\w+)\}/g, (_, name: string) => example(name)),
    query: fields
      .filter(({ place }) => place === 'query')
      .map(({ name, placeholder = '', description: text }) => ({
        name,
        value: placeholder,
        description: text,
      })),
    headers: [
      ...(row.level === 'none' ? [] : [{ name: 'Authorization', value: `Bearer ${keyVariable}` }]),
      ...(bodyExample === null ? [] : [{ name: 'Content-Type', value: 'application/json' }]),
    ],
    body: bodyExample,
  }
}

/** https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html */
export function postmanCollection(base: string): Record<string, unknown> {
  const folders = new Map<string, unknown[]>()
  for (const call of exportedCalls())
    folders.set(call.tag, [...(folders.get(call.tag) ?? []), postmanItem(call)])
  return {
    info: {
      name: 'Sandpiper REST API, sandbox',
      description: 'Synthetic patients only. Put your sandbox key into the variable SVC_KEY, as a secret.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'base', value: base },
      { key: 'SVC_KEY', value: '' },
    ],
    item: [...folders].map(([name, item]) => ({ name, item })),
  }
}

function postmanItem({ name, description, method, path, query, headers, body }: ExportedCall): unknown {
  const shown = query.map(({ name: key, value, description: text }) => ({
    key,
    value,
    description: text,
    // To be switched on one by one.
    disabled: true,
  }))
  return {
    name,
    request: {
      description,
      method,
      header: headers.map(({ name: key, value }) => ({ key, value })),
      url: {
        raw: `{{base}}${path}`,
        host: ['{{base}}'],
        path: path.split('/').filter(Boolean),
        ...(shown.length > 0 && { query: shown }),
      },
      ...(body !== null && { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
  }
}

/** Requests one after the other, as editors and command lines run them. */
export function httpFile(base: string): string {
  const head = [
    '# Sandpiper REST API, sandbox: synthetic patients only.',
    '# SVC_KEY is your sandbox key. Keep it in your editor’s environment, never in this file.',
    `@base = ${base}`,
  ].join('\n')
  return `${[head, ...exportedCalls().map(httpCall)].join('\n\n')}\n`
}

function httpCall({ name, method, path, headers, body }: ExportedCall): string {
  const lines = [
    `### ${name}`,
    `${method} {{base}}${path}`,
    ...headers.map((header) => `${header.name}: ${header.value}`),
    ...(body === null ? [] : ['', body]),
  ]
  return lines.join('\n')
}
